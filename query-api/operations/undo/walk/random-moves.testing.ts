import fc from 'fast-check'
import { MOVE_KINDS, type Move } from './moves.testing.ts'

type Kind = Move['kind']

/** What is likely to get evidence lost comes often. */
const WEIGHTS: Partial<Record<Kind, number>> = {
  merge: 5,
  undo_change: 9,
  undo_decision: 3,
  pull_apart: 5,
  split: 4,
  detach: 2,
}

/** Lists of moves of these kinds, by how many there are at least and at most. */
export const movesOf = (kinds: readonly Kind[]) => {
  const kind = fc.oneof(...kinds.map(one => ({ arbitrary: fc.constant(one), weight: WEIGHTS[one] ?? 1 })))
  const move: fc.Arbitrary<Move> = fc.record({ kind, one: fc.nat(11), other: fc.nat(11) })
  return (minLength: number, maxLength: number): fc.Arbitrary<readonly Move[]> =>
    fc.array(move, { minLength, maxLength, size: 'max' })
}

/** Moves of every kind. */
export const moves = movesOf(MOVE_KINDS)
