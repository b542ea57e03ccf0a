import type { Transaction } from '../../infra/postgres/port.ts'
import type { SolutionId } from '../../schemas/domain/ids.ts'
import type { SolutionState } from '../../schemas/domain/vocabulary.ts'
import { ownedBy, type Person, personIn } from '../members/people.ts'

/** Covers rounding, and two writers who begin a standing at once. */
export const ROUNDING_FACTOR = '(1 - 1e-6)'

/**
 * Ranks `standing (id, priority, as_of, factor)`, which the statement defines, exactly by their priority as of `now`.
 * Defines `ranked (id, evidence_priority)` with at least the first `reach` rows. Weights only fall with time, so a sum
 * of ln(1 + weight) as of another moment gives two bounds: itself, and itself times the decay since then. Only rows
 * whose upper bound reaches the `reach`-th best lower bound can be among the first. Only their actors are summed up,
 * once (`materialized`), for the order and for the answer. Model: docs/decisions/0032-solutions-and-the-board.md.
 */
export const prioritySumOf = (now: string, reach: string): string => `
  bounded as materialized (
    select id, factor * priority * greatest(1, faded) as upper, factor * priority * least(1, faded) as lower
    from (select *, evidence_decay(${now}) / evidence_decay(as_of) as faded from standing offset 0) as standing
  ),
  threshold as (select lower from bounded order by lower desc offset greatest(0, ${reach} - 1) limit 1),
  contenders as (
    select id from bounded
    where upper >= coalesce((select lower from threshold), 0) * ${ROUNDING_FACTOR}
  ),
  ranked as materialized (
    select contenders.id, ${prioritySum('contenders.id', now)} as evidence_priority
    from contenders
  )`

/** The sum of ln(1 + weight) over a target's actors as of `now`. */
export const prioritySum = (target: string, now: string): string =>
  `coalesce((select sum(ln(1 + weight * evidence_decay(${now}))) from actor_weights where target_id = ${target}), 0)`

export interface BoardRow {
  readonly id: SolutionId
  readonly number: number
  readonly title: string
  readonly summary: string
  readonly state: SolutionState
  readonly manual_rank: number | null
  readonly priority_boost: number
  readonly evidence_priority: number
  /** `evidence_priority * priority_boost`: orders the Solutions without a manual rank. */
  readonly score: number
  readonly actors: number
  /** Signals and their repeats. */
  readonly signals: number
  readonly claims: number
  /** The member who looks after the Solution. */
  readonly owner: Person | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const COLUMNS = `
  solutions.id, number, title, summary, state, manual_rank, priority_boost, version, created_at, updated_at,
    summed.evidence_priority, summed.evidence_priority * priority_boost as score,
    coalesce(priority_totals.actors, 0) as actors,
    coalesce(priority_totals.signals, 0) as signals,
    (select count(*)::integer from solution_claims where solution_id = solutions.id) as claims,
    ${personIn('owner_id')} as owner`

// Solutions with a manual rank come first, whatever their evidence: they count towards the reach, and are summed up
// only when they are shown.
const PAGE = `
  with chosen as materialized (
    select id, manual_rank, priority_boost, created_at from solutions
    where state = any ($2) and ($5::uuid[] is null or id = any ($5)) and ${ownedBy('$6')}
  ),
  standing as (
    select id, coalesce(evidence_priority, 0) as priority, coalesce(as_of, $1) as as_of, priority_boost as factor
    from chosen left join priority_totals on target_id = id
    where manual_rank is null
  ), ${prioritySumOf('$1::timestamptz', '$3::integer + $4::integer')},
  by_rank as (
    select id, row_number() over (order by manual_rank, created_at, id) as place
    from chosen where manual_rank is not null
    order by place limit $3::integer + $4::integer
  ),
  by_score as (
    select id, evidence_priority,
      row_number() over (order by evidence_priority * priority_boost desc, created_at, id)
        + (select count(*) from chosen where manual_rank is not null) as place
    from ranked join chosen using (id)
  ),
  page as (
    select id, place, null::double precision as evidence_priority from by_rank
    union all select id, place, evidence_priority from by_score
    order by place limit $3 offset $4
  ),
  summed as materialized (
    select id, place, coalesce(evidence_priority, ${prioritySum('id', '$1::timestamptz')}) as evidence_priority from page
  )
  select ${COLUMNS}
  from summed join solutions using (id) left join priority_totals on target_id = id
  order by place`

const ONE = `
  select ${COLUMNS}
  from (select id, ${prioritySum('id', '$1::timestamptz')} as evidence_priority from solutions where id = $2) as summed
  join solutions using (id) left join priority_totals on target_id = id`

interface BoardSelection {
  readonly states: readonly SolutionState[]
  /** Only Solutions with these ids, in the same order. Default: all. */
  readonly among?: readonly string[] | undefined
  /** Only Solutions of this owner; `NOBODY` for Solutions without one. */
  readonly owner?: string | undefined
  readonly limit: number
  readonly offset: number
}

/**
 * A page of the board as of `now`: manual rank first, then evidence times boost, then age. RICE has no influence. The
 * same `now` gives the same order on every page.
 */
export const boardPage = (transaction: Transaction, now: Date, page: BoardSelection): Promise<BoardRow[]> =>
  transaction.query<BoardRow>(PAGE, [now, page.states, page.limit, page.offset, page.among ?? null, page.owner ?? null])

/** One Solution with its board figures as of `now`; undefined when the workspace has none with this id. */
export const boardRow = async (transaction: Transaction, now: Date, id: string): Promise<BoardRow | undefined> =>
  (await transaction.query<BoardRow>(ONE, [now, id]))[0]

const COUNT = `
  select count(*)::integer as count from solutions where state = any ($1) and ($2::uuid[] is null or id = any ($2)) and ${ownedBy('$3')}`

/** Number of Solutions in the states, optionally among ids and of one owner. */
export const boardCount = async (
  transaction: Transaction,
  states: readonly SolutionState[],
  among?: readonly string[],
  owner?: string,
): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT, [states, among ?? null, owner ?? null]))[0]?.count ?? 0
