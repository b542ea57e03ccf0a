import { AssayError } from '../../infra/runtime/errors.ts'
import type { SolutionState } from '../../schemas/domain/vocabulary.ts'

/** What makes a move: a Decision carried out by `update_solution`, or the handoff of a design or pull request. */
export type Mover = 'update_solution' | 'handoff'

/** Every move that a Solution may make, and what makes it. What is not here is not allowed. */
export const SOLUTION_MOVES: Readonly<Record<SolutionState, Readonly<Partial<Record<SolutionState, Mover>>>>> = {
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

const allowedMoves = (from: SolutionState): { readonly to: string; readonly made_by: Mover }[] =>
  Object.entries(SOLUTION_MOVES[from]).map(([to, mover]) => ({ to, made_by: mover }))

const sentence = (from: SolutionState): string => {
  const direct = allowedMoves(from)
    .filter(move => move.made_by === 'update_solution')
    .map(move => move.to)
  return direct.length === 0
    ? `${from} is final.`
    : `From ${from}, service_decide mode update_solution moves to: ${direct.join(', ')}.`
}

/** Refuses, with `conflict`, a move that `mover` may not make; says which moves there are and what makes them. */
export const requireMove = (from: SolutionState, to: SolutionState, mover: Mover): void => {
  if (from === to || SOLUTION_MOVES[from][to] === mover) return
  const handedOff = SOLUTION_MOVES[from][to] === 'handoff'
  const why = handedOff
    ? `${to} is entered by the handoff of a design or pull request, not by update_solution.`
    : `A Solution does not move from ${from} to ${to}.`
  throw new AssayError('conflict', `${why} ${sentence(from)}`, { context: { state: from, moves: allowedMoves(from) } })
}
