import type { Move } from './moves.testing.ts'
import { testWalks } from './walks.testing.ts'

/** What moves evidence from claim to claim, and takes that back: between these the orders are what matters. */
const MOVING: readonly Move['kind'][] = [
  'merge',
  'split',
  'undo_change',
  'pull_apart',
  'link',
  'unlink',
  'attach',
  'undo_decision',
]

testWalks(
  'whatever is merged, split, attached, taken back and done again, each signal is evidence where a model says',
  {
    kinds: MOVING,
    mayBeRare: 0,
  },
)
