import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, NodeId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, ClaimState } from '../../schemas/domain/vocabulary.ts'
import { happenedAt, NEWEST_FIRST } from '../signals/happened.ts'
import { SELECT_SIGNALS, type SignalRow } from '../signals/read-signals.ts'

/** No reading goes further back: a page costs as much as all that come before it. */
export const MAX_DEPTH = 2000

interface Page {
  readonly limit: number
  readonly offset: number
}

// Each node gives its newest: the index has them in that order, so that a node with many signals costs no more than one with few.
const NEWEST = `
  select newest.id, newest.at, newest.number from unnest($1::uuid[]) as asked (node_id)
  cross join lateral (
    select id, ${happenedAt()} as at, number from signals where node_id = asked.node_id order by ${NEWEST_FIRST} limit $2
  ) as newest
  order by newest.at desc, newest.number desc limit $2`

const PAGE = `
  with newest as (${NEWEST})
  ${SELECT_SIGNALS} where signals.id in (select id from newest order by at desc, number desc limit $3 offset $4)
  order by ${NEWEST_FIRST}`

/** Signals anchored to one of the nodes, the newest first. */
export const signalsOfNodes = async (
  transaction: Transaction,
  nodes: readonly NodeId[],
  { limit, offset }: Page,
): Promise<SignalRow[]> => {
  if (limit === 0) return []
  return transaction.query<SignalRow>(PAGE, [nodes, Math.min(offset + limit, MAX_DEPTH), limit, offset])
}

/** A claim with how many of the newest Signals of some nodes are its evidence. */
export interface ClaimOfNodes {
  readonly id: ClaimId
  readonly number: number
  readonly title: string
  readonly kind: ClaimKind
  readonly state: ClaimState
  readonly signals: number
}

const CLAIMS = `
  with newest as (${NEWEST})
  select claims.id, claims.number, title, kind, state, count(*)::integer as signals, count(*) over ()::integer as claims
  from newest join claim_evidence on signal_id = newest.id join claims on claims.id = claim_id
  where merged_into is null
  group by claims.id
  order by signals desc, claims.number desc limit $3 offset $4`

/** Claims that the newest signals of the nodes are evidence of, those with most of them first; and how many there are. */
export const claimsOfNodes = async (
  transaction: Transaction,
  nodes: readonly NodeId[],
  { limit, offset }: Page,
): Promise<{ readonly count: number; readonly claims: readonly ClaimOfNodes[] }> => {
  // One row at least says the count.
  const values = [nodes, MAX_DEPTH, Math.max(1, limit), offset]
  const rows = await transaction.query<ClaimOfNodes & { readonly claims: number }>(CLAIMS, values)
  return { count: rows[0]?.claims ?? 0, claims: rows.slice(0, limit).map(({ claims: _, ...claim }) => claim) }
}
