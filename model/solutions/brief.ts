import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, NodeId, SignalId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, ClaimState, SignalOrigin } from '../../schemas/domain/vocabulary.ts'
import type { Explanation } from '../board/explain.ts'
import type { RoadmapPosition } from '../roadmap/roadmap.ts'
import { accountIn } from '../signals/accounts.ts'

interface AnsweredClaim {
  readonly id: ClaimId
  readonly number: number
  readonly kind: ClaimKind
  readonly state: ClaimState
  readonly title: string
  readonly statement: string
  /** Signals and their repeats, as everywhere for a claim. */
  readonly signals: number
}

const CLAIMS = `
  select claims.id, number, kind, state, title, statement,
    coalesce(priority_totals.signals, 0) as signals
  from solution_claims join claims on claims.id = claim_id left join priority_totals on target_id = claim_id
  where solution_id = $1
  order by signals desc, number`

/** Claims of a Solution, most evidence first. */
export const claimsOfSolution = (transaction: Transaction, solutionId: string): Promise<AnsweredClaim[]> =>
  transaction.query<AnsweredClaim>(CLAIMS, [solutionId])

const COUNT_EVIDENCE = `
  select count(distinct signals.id)::integer as count
  from solution_claims join claim_evidence using (workspace_id, claim_id) join signals on signals.id = signal_id
  where solution_id = $1 and state <> 'dismissed'`

/** Number of Signals behind a Solution, without repeats and dismissed ones. */
export const countEvidenceOf = async (transaction: Transaction, solutionId: string): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT_EVIDENCE, [solutionId]))[0]?.count ?? 0

interface QuotedSignal {
  readonly id: SignalId
  readonly number: number
  readonly text: string
  readonly actor_name: string | null
  /** The sender's account as metadata says it. */
  readonly account: string | null
  readonly source: string | null
  readonly source_url: string | null
  readonly signal_origin: SignalOrigin
  readonly occurred_at: Date
  readonly occurrences: number
  /** Numbers of the Solution's claims with the Signal as evidence. */
  readonly claims: readonly number[]
}

const QUOTED = `
  select signals.id, signals.number, text, actor_name, ${accountIn()} as account, source, source_url, signal_origin, occurred_at,
    (select count(*)::integer from occurrences where signal_id = signals.id) as occurrences,
    array(
      select claims.number from claim_evidence
      join solution_claims using (workspace_id, claim_id)
      join claims on claims.id = claim_id
      where claim_evidence.signal_id = signals.id and solution_id = $1
      order by claims.number) as claims
  from signals where number = any ($2::integer[])`

/**
 * The strongest evidence of a Solution: the heaviest Signal of each actor, heaviest actors first, then the second of
 * each, so that one actor's many Signals leave room for others.
 */
export const strongestEvidence = async (
  transaction: Transaction,
  solutionId: string,
  { terms }: Explanation,
  limit: number,
): Promise<QuotedSignal[]> => {
  const rounds = terms.reduce((most, { signals }) => Math.max(most, signals.length), 0)
  const inTurn = Array.from({ length: rounds }, (_, round) => terms.flatMap(({ signals }) => signals[round] ?? []))
  const numbers = [...new Set(inTurn.flat().map(share => share.signal_number))].slice(0, limit)
  if (numbers.length === 0) return []
  const rows = await transaction.query<QuotedSignal>(QUOTED, [solutionId, numbers])
  const byNumber = new Map(rows.map(row => [row.number, row]))
  return numbers.flatMap(number => byNumber.get(number) ?? [])
}

const NODES = `
  select node_id as id, count(distinct signals.id)::integer as signals
  from solution_claims
  join claim_evidence using (workspace_id, claim_id)
  join signals on signals.id = signal_id
  where solution_id = $1 and node_id is not null and signals.state <> 'dismissed'
  group by node_id
  order by signals desc, node_id
  limit $2`

/** Map nodes of a Solution's evidence, without dismissed Signals, most Signals first. */
export const nodesOfEvidence = (
  transaction: Transaction,
  solutionId: string,
  limit: number,
): Promise<{ readonly id: NodeId; readonly signals: number }[]> =>
  transaction.query<{ id: NodeId; signals: number }>(NODES, [solutionId, limit])

/** Places of a Solution beside the board. */
interface Placement {
  /** Names of its groups. */
  readonly groups: string[]
  readonly roadmap: RoadmapPosition | null
  /** Strategy elements that it is linked with. */
  readonly strategy: { id: string; layer: string; title: string }[]
}

const PLACEMENT = `
  select
    coalesce((select jsonb_agg(name order by lower(name)) from group_solutions join groups on groups.id = group_id
      where solution_id = $1), '[]') as groups,
    (select jsonb_build_object('horizon', horizon, 'position', position) from roadmap_items where solution_id = $1) as roadmap,
    coalesce((select jsonb_agg(jsonb_build_object('id', id, 'layer', layer, 'title', title) order by layer, position)
      from strategy_solutions join strategy_elements on strategy_elements.id = element_id
      where solution_id = $1), '[]') as strategy`

export const placementOf = async (transaction: Transaction, solutionId: string): Promise<Placement> => {
  const [placement] = await transaction.query<Placement>(PLACEMENT, [solutionId])
  if (placement === undefined) throw new Error('A statement without a from clause answered no row.')
  return placement
}
