import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { SolutionId } from '../../schemas/domain/ids.ts'
import type { SolutionState } from '../../schemas/domain/vocabulary.ts'

/** Cause of a move: a Decision by `update_solution`, or the handoff of a design or pull request. */
type TransitionCause = 'update_solution' | 'handoff'

/** Allowed moves of a Solution with their cause. All others are refused. */
export const SOLUTION_TRANSITIONS: Readonly<
  Record<SolutionState, Readonly<Partial<Record<SolutionState, TransitionCause>>>>
> = {
  Backlog: { Planned: 'update_solution', Dropped: 'update_solution' },
  Planned: {
    Backlog: 'update_solution',
    'In Progress': 'update_solution',
    'In Review': 'handoff',
    Dropped: 'update_solution',
  },
  'In Progress': { Planned: 'update_solution', 'In Review': 'handoff', Dropped: 'update_solution' },
  'In Review': { 'In Progress': 'update_solution', Done: 'update_solution', Dropped: 'update_solution' },
  Done: {},
  Dropped: { Backlog: 'update_solution' },
}

interface Move {
  readonly to: string
  readonly tool: 'service_decide'
  readonly mode: TransitionCause
}

const movesFrom = (from: SolutionState): Move[] =>
  Object.entries(SOLUTION_TRANSITIONS[from]).map(([to, mode]) => ({ to, tool: 'service_decide', mode }))

const sentence = (from: SolutionState): string => {
  const moves = movesFrom(from)
  if (moves.length === 0) return `${from} is final; service_decide mode outcome records what came of it.`
  const by = [...new Set(moves.map(({ mode }) => mode))].map(mode => {
    const states = moves.filter(move => move.mode === mode).map(move => move.to)
    return `service_decide mode ${mode} moves to: ${states.join(', ')}.`
  })
  return `From ${from}, ${by.join(' ')}`
}

/** A `conflict` for an action that the state does not allow, with the possible moves and their causes. */
export const notInState = (from: SolutionState, why: string): AssayError =>
  new AssayError('conflict', `${why} ${sentence(from)}`, { context: { state: from, transitions: movesFrom(from) } })

/** Throws `conflict` for a move that `mover` may not make. */
export const requireTransition = (from: SolutionState, to: SolutionState, mover: TransitionCause): void => {
  if (from === to || SOLUTION_TRANSITIONS[from][to] === mover) return
  const handedOff = SOLUTION_TRANSITIONS[from][to] === 'handoff'
  const why = handedOff
    ? `${to} is entered by the handoff of a design or pull request, not by update_solution.`
    : `A Solution does not move from ${from} to ${to}.`
  throw notInState(from, why)
}

/** Days in a state after which a Solution is stuck. */
export const STUCK_AFTER_DAYS: Readonly<Partial<Record<SolutionState, number>>> = {
  Planned: 60,
  'In Progress': 30,
  'In Review': 14,
}

/** A Solution's state at a time, and since when. */
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

/** Every Solution that existed at `$1`. */
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

/** Number of Solutions in each state at a time, and of stuck ones. */
export const stateTotals = (
  transaction: Transaction,
  at: Date,
): Promise<{ state: SolutionState; solutions: number; stuck: number }[]> => transaction.query(TOTALS, [at])

/** Solutions at a time, stuck ones first, by the time above the usual one of their state. */
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
