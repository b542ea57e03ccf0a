import type { Move } from './moves.testing.ts'

const move = (kind: Move['kind'], one: number, other = 1): Move => ({ kind, one, other })

/** Ways by which evidence was lost once: they are walked before any that are made up. */
export const KNOWN_WALKS: readonly (readonly (readonly Move[])[])[] = [
  // A split that is taken back once the claim that it was split off is merged away: one of two claims that can be
  // split.
  [
    [move('split', 0), move('merge', 0, 2), move('undo_change', 1)],
    [move('split', 0), move('merge', 1, 2), move('undo_change', 1)],
  ],
  // A merge that is done again once its survivor is merged away.
  [[move('merge', 0), move('undo_change', 0), move('merge', 1, 2), move('undo_change', 1)]],
  // A Solution's link that comes back to a claim that was merged away.
  [[move('unlink', 0), move('merge', 0), move('undo_change', 1)]],
  // An attachment that is taken back once its claim is merged into one that has the signal of itself.
  [[move('attach', 2, 2), move('merge', 2), move('undo_decision', 1)]],
  // A merge that is taken back while evidence came by the merged claim.
  [[move('merge', 2, 0), move('attach', 2, 2), move('undo_change', 1)]],
  // A merge that is taken back once what came by it is erased.
  [[move('merge', 2, 0), move('erase', 4), move('undo_change', 0), move('pull_apart', 2)]],
  // A promotion that is taken back once its signal became a problem.
  [[move('promote', 0, 3), move('reclassify', 5, 0), move('undo_change', 1)]],
  // A claim that is opened again once its evidence is erased.
  [[move('erase', 4), move('dismiss_claim', 2)]],
  // An attachment by the name of a merged claim, that was to be taken back once the claim was pulled apart with it.
  [
    [
      move('merge', 0, 10),
      move('attach', 4, 0),
      move('pull_apart', 0, 0),
      move('not_a_repeat', 0),
      move('undo_decision', 2, 0),
    ],
  ],
  // A mark as a repeat that is made again once its original was marked as a repeat of it.
  [[move('duplicate', 1, 0), move('undo_change', 0), move('duplicate', 0, 1), move('undo_change', 1)]],
  // The same once its original is erased.
  [[move('duplicate', 1, 4), move('undo_change', 0), move('erase', 4), move('undo_change', 0)]],
]
