import fc from 'fast-check'
import { MOVE_KINDS, type Move } from './moves.testing.ts'

type Kind = Move['kind']

/** Moves that are likely to lose evidence are frequent. */
const WEIGHTS: Partial<Record<Kind, number>> = {
  merge: 5,
  undo_change: 9,
  undo_decision: 3,
  pull_apart: 5,
  split: 4,
  detach: 2,
}

/** Lists of moves of these kinds, by least and greatest length. */
export const movesOf = (kinds: readonly Kind[]) => {
  const kind = fc.oneof(...kinds.map(one => ({ arbitrary: fc.constant(one), weight: WEIGHTS[one] ?? 1 })))
  const move: fc.Arbitrary<Move> = fc.record({ kind, one: fc.nat(11), other: fc.nat(11) })
  return (minLength: number, maxLength: number): fc.Arbitrary<readonly Move[]> =>
    fc.array(move, { minLength, maxLength, size: 'max' })
}

export const moves = movesOf(MOVE_KINDS)
