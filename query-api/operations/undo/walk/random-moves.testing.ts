import fc from 'fast-check'
import { MOVE_KINDS, type Move } from './moves.testing.ts'

/** What is likely to get evidence lost comes often. */
const WEIGHTS: Partial<Record<Move['kind'], number>> = {
  merge: 5,
  undo_change: 9,
  undo_decision: 3,
  pull_apart: 5,
  split: 3,
  detach: 2,
}
const kind = fc.oneof(...MOVE_KINDS.map(one => ({ arbitrary: fc.constant(one), weight: WEIGHTS[one] ?? 1 })))

export const move: fc.Arbitrary<Move> = fc.record({ kind, one: fc.nat(11), other: fc.nat(11) })

export const moves = (minLength: number, maxLength: number): fc.Arbitrary<readonly Move[]> =>
  fc.array(move, { minLength, maxLength, size: 'max' })
