import type { Transaction } from '../../infra/postgres/port.ts'
import type { SolutionId } from '../../schemas/domain/ids.ts'
import type { SolutionState } from '../../schemas/domain/vocabulary.ts'

/** So many days in a state that is meant to be passed through, and a Solution counts as stuck. */
export const STUCK_AFTER_DAYS: Readonly<Partial<Record<SolutionState, number>>> = {
  Planned: 60,
  'In Progress': 30,
  'In Review': 14,
}

/** The state that a Solution was in at a moment, and since when. */
export interface TimeInState {
  readonly id: SolutionId
  readonly number: number
  readonly title: string
  readonly state: SolutionState
  readonly since: Date
  readonly days: number
  readonly stuck: boolean
}

const stuckAfter = `case state ${Object.entries(STUCK_AFTER_DAYS)
  .map(([state, days]) => `when '${state}' then ${days}`)
  .join(' ')} end`

/** Every Solution that there was at `$1`. */
const AT = `
  with standing as (
    select solutions.id, number, title, coalesce(last.to_state, following.from_state, solutions.state) as state,
      coalesce(last.changed_at, created_at) as since
    from solutions
    left join lateral (
      select to_state, changed_at from state_changes
      where object_id = solutions.id and changed_at <= $1
      order by changed_at desc, state_changes.id desc limit 1
    ) last on true
    left join lateral (
      select from_state from state_changes
      where object_id = solutions.id and changed_at > $1
      order by changed_at, state_changes.id limit 1
    ) following on true
    where created_at <= $1
  ),
  timed as (
    select *, extract(epoch from $1 - since)::double precision / 86400 as days from standing
  ),
  judged as (
    select *, days / ${stuckAfter} as overdue, coalesce(days >= ${stuckAfter}, false) as stuck from timed
  )`

const TOTALS = `${AT}
  select state, count(*)::integer as solutions, (count(*) filter (where stuck))::integer as stuck
  from judged group by state`

const STUCK_FIRST = `${AT}
  select id, number, title, state, since, days, stuck from judged
  where state = any ($2)
  order by stuck desc, overdue desc nulls last, days desc, number
  limit $3 offset $4`

const OF = `${AT} select id, number, title, state, since, days, stuck from judged where id = any ($2::uuid[])`

/** How many Solutions were in each state at the moment, and how many of them stuck. */
export const stateTotals = (
  transaction: Transaction,
  at: Date,
): Promise<{ state: SolutionState; solutions: number; stuck: number }[]> => transaction.query(TOTALS, [at])

/** The Solutions as of the moment, stuck ones first: those the longest over what is usual for their state. */
export const stuckFirst = (
  transaction: Transaction,
  at: Date,
  page: { readonly states: readonly SolutionState[]; readonly limit: number; readonly offset: number },
): Promise<TimeInState[]> => transaction.query<TimeInState>(STUCK_FIRST, [at, page.states, page.limit, page.offset])

export const timesInState = async (
  transaction: Transaction,
  at: Date,
  ids: readonly SolutionId[],
): Promise<ReadonlyMap<SolutionId, TimeInState>> =>
  new Map((await transaction.query<TimeInState>(OF, [at, ids])).map(row => [row.id, row]))
