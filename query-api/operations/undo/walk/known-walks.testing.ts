import type { Move } from './moves.testing.ts'

const move = (kind: Move['kind'], one: number, other = 1): Move => ({ kind, one, other })

/** Walks that once lost evidence; they run before random ones. */
export const KNOWN_WALKS: readonly (readonly (readonly Move[])[])[] = [
  // Undoes a split after its new claim was merged away; also for the other of two claims.
  [
    [move('split', 0), move('merge', 0, 2), move('undo_change', 1)],
    [move('split', 0), move('merge', 1, 2), move('undo_change', 1)],
  ],
  // Repeats a merge after its survivor was merged away.
  [[move('merge', 0), move('undo_change', 0), move('merge', 1, 2), move('undo_change', 1)]],
  // Restores a Solution's link to a claim that was merged away.
  [[move('unlink', 0), move('merge', 0), move('undo_change', 1)]],
  // Undoes an attachment after its claim was merged into one that has the signal itself.
  [[move('attach', 2, 2), move('merge', 2), move('undo_decision', 1)]],
  // Undoes a merge after evidence came in under the merged claim's name.
  [[move('merge', 2, 0), move('attach', 2, 2), move('undo_change', 1)]],
  // Undoes a merge after its evidence was erased.
  [[move('merge', 2, 0), move('erase', 4), move('undo_change', 0), move('pull_apart', 2)]],
  // Undoes a promotion after its signal became a problem.
  [[move('promote', 0, 3), move('reclassify', 5, 0), move('undo_change', 1)]],
  // Opens a claim again after its evidence was erased.
  [[move('erase', 4), move('dismiss_claim', 2)]],
  // Undoes an attachment under a merged claim's name after the claim was pulled apart with it.
  [
    [
      move('merge', 0, 10),
      move('attach', 4, 0),
      move('pull_apart', 0, 0),
      move('not_a_repeat', 0),
      move('undo_decision', 2, 0),
    ],
  ],
  // Repeats a mark as a repeat after its original was marked as a repeat of it.
  [[move('duplicate', 1, 0), move('undo_change', 0), move('duplicate', 0, 1), move('undo_change', 1)]],
  // The same after its original was erased.
  [[move('duplicate', 1, 4), move('undo_change', 0), move('erase', 4), move('undo_change', 0)]],
]
