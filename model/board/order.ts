import type { Transaction } from '../../infra/postgres/port.ts'
import type { SolutionId } from '../../schemas/domain/ids.ts'
import type { SolutionState } from '../../schemas/domain/vocabulary.ts'
import { EVIDENCE_WEIGHTS } from './weights.ts'

/** A Solution at its place on the board. */
export interface BoardRow {
  readonly id: SolutionId
  readonly number: number
  readonly title: string
  readonly summary: string
  readonly state: SolutionState
  readonly manual_rank: number | null
  readonly priority_boost: number
  readonly evidence_priority: number
  /** `evidence_priority * priority_boost`: what orders the Solutions without a manual rank. */
  readonly score: number
  readonly actors: number
  /** Signals and their repeats. */
  readonly signals: number
  readonly claims: number
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** A claim that was merged has handed its Solutions over, so the evidence of `solution_claims` is whole. */
const BOARD = `
  with evidence as (
    select distinct solution_claims.solution_id as target_id, claim_evidence.signal_id
    from solution_claims join claim_evidence using (workspace_id, claim_id)
  ), ${EVIDENCE_WEIGHTS}
  select solutions.id, number, title, summary, state, manual_rank, priority_boost, version, created_at, updated_at,
    coalesce(evidence_priority, 0) as evidence_priority,
    coalesce(evidence_priority, 0) * priority_boost as score,
    coalesce(actors, 0) as actors,
    coalesce(signals, 0) as signals,
    (select count(*)::integer from solution_claims where solution_id = solutions.id) as claims
  from solutions left join priorities on priorities.target_id = solutions.id`

const IN_ORDER = `
  order by manual_rank nulls last, case when manual_rank is null then coalesce(evidence_priority, 0) * priority_boost end desc,
    created_at, id`

const PAGE = `${BOARD} where state = any ($2) ${IN_ORDER} limit $3 offset $4`
const ONE = `${BOARD} where solutions.id = $2`

/**
 * A page of the board in its order as of `now`: manual rank first, then evidence times boost, then age. RICE never enters.
 * The same `now` gives the same order on every page.
 */
export const boardPage = (
  transaction: Transaction,
  now: Date,
  page: { readonly states: readonly SolutionState[]; readonly limit: number; readonly offset: number },
): Promise<BoardRow[]> => transaction.query<BoardRow>(PAGE, [now, page.states, page.limit, page.offset])

/** One Solution with what places it on the board as of `now`; undefined when the workspace has no such Solution. */
export const boardRow = async (transaction: Transaction, now: Date, id: string): Promise<BoardRow | undefined> =>
  (await transaction.query<BoardRow>(ONE, [now, id]))[0]
