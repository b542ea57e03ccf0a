import fc from 'fast-check'
import { MOVE_KINDS, type Move } from './moves.testing.ts'

type Kind = Move['kind']

/** What moves evidence from claim to claim, and takes that back: between these the orders are what matters. */
const MOVING: readonly Kind[] = [
  'merge',
  'split',
  'undo_change',
  'pull_apart',
  'link',
  'unlink',
  'attach',
  'undo_decision',
]

/** What is likely to get evidence lost comes often. */
const WEIGHTS: Partial<Record<Kind, number>> = {
  merge: 5,
  undo_change: 9,
  undo_decision: 3,
  pull_apart: 5,
  split: 4,
  detach: 2,
}

const movesOf = (kinds: readonly Kind[]) => {
  const kind = fc.oneof(...kinds.map(one => ({ arbitrary: fc.constant(one), weight: WEIGHTS[one] ?? 1 })))
  const move: fc.Arbitrary<Move> = fc.record({ kind, one: fc.nat(11), other: fc.nat(11) })
  return (minLength: number, maxLength: number): fc.Arbitrary<readonly Move[]> =>
    fc.array(move, { minLength, maxLength, size: 'max' })
}

/** Moves of every kind. */
export const moves = movesOf(MOVE_KINDS)

/** Moves of evidence between claims alone. */
export const movesOfEvidence = movesOf(MOVING)
