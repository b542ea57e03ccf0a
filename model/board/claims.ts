import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, ClaimState } from '../../schemas/domain/vocabulary.ts'
import { EVIDENCE_WEIGHTS } from './weights.ts'

/** A claim with what is behind it. */
export interface ClaimRow {
  readonly id: ClaimId
  readonly number: number
  readonly kind: ClaimKind
  readonly title: string
  readonly statement: string
  readonly state: ClaimState
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  /** The board's formula over this claim's evidence alone. */
  readonly evidence_priority: number
  readonly actors: number
  /** Signals and their repeats. */
  readonly signals: number
  readonly solutions: number
  readonly last_evidence_at: Date | null
}

export const CLAIM_ORDERS = ['evidence_priority', 'signals', 'actors', 'last_evidence_at', 'created_at'] as const
export type ClaimOrder = (typeof CLAIM_ORDERS)[number]

const CLAIMS = `
  with evidence as (select claim_id as target_id, signal_id from claim_evidence), ${EVIDENCE_WEIGHTS},
  ranked as (
    select claims.id, number, kind, title, statement, state, version, created_at, updated_at,
      coalesce(evidence_priority, 0) as evidence_priority,
      coalesce(actors, 0) as actors,
      coalesce(signals, 0) as signals,
      (select count(*)::integer from solution_claims where claim_id = claims.id) as solutions,
      (select max(attached_at) from claim_evidence where claim_id = claims.id) as last_evidence_at
    from claims left join priorities on priorities.target_id = claims.id
    where merged_into is null
  )
  select * from ranked`

const page = (order: ClaimOrder): string =>
  `${CLAIMS} where state = any ($2) and kind = any ($3) order by ${order} desc nulls last, number limit $4 offset $5`

/** A page of the claims that were not merged into others, as of `now`, the highest of `order` first. */
export const claimsPage = (
  transaction: Transaction,
  now: Date,
  selection: {
    readonly states: readonly ClaimState[]
    readonly kinds: readonly ClaimKind[]
    readonly order: ClaimOrder
    readonly limit: number
    readonly offset: number
  },
): Promise<ClaimRow[]> => {
  const { states, kinds, order, limit, offset } = selection
  return transaction.query<ClaimRow>(page(order), [now, states, kinds, limit, offset])
}

const ONE = `${CLAIMS} where id = $2`

/** One claim that was not merged, as of `now`. */
export const claimRow = async (transaction: Transaction, now: Date, id: string): Promise<ClaimRow | undefined> =>
  (await transaction.query<ClaimRow>(ONE, [now, id]))[0]
