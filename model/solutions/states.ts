import { AssayError } from '../../infra/runtime/errors.ts'
import type { SolutionState } from '../../schemas/domain/vocabulary.ts'

/** What makes a move: a Decision carried out by `update_solution`, or the handoff of a design or pull request. */
export type TransitionCause = 'update_solution' | 'handoff'

/** Every move that a Solution may make, and what makes it. What is not here is not allowed. */
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

/**
 * The refusal, a `conflict`, of what a Solution's state does not allow: says which moves there are and what makes them.
 */
export const notInState = (from: SolutionState, why: string): AssayError =>
  new AssayError('conflict', `${why} ${sentence(from)}`, { context: { state: from, transitions: movesFrom(from) } })

/** Refuses, with `conflict`, a move that `mover` may not make. */
export const requireTransition = (from: SolutionState, to: SolutionState, mover: TransitionCause): void => {
  if (from === to || SOLUTION_TRANSITIONS[from][to] === mover) return
  const handedOff = SOLUTION_TRANSITIONS[from][to] === 'handoff'
  const why = handedOff
    ? `${to} is entered by the handoff of a design or pull request, not by update_solution.`
    : `A Solution does not move from ${from} to ${to}.`
  throw notInState(from, why)
}
