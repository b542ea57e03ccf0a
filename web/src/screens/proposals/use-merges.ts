import { useState } from 'react'
import type { Output } from '../../api/client.ts'
import { counted } from '../../parts/counted.ts'
import { triage, undoDecision, undoMerge } from '../../parts/evidence/triage.ts'
import { useUndoableAction } from '../../parts/evidence/use-undoable-action.ts'

export type MergeGroup = Output<'list_merge_groups'>['items'][number]
export type MergePair = MergeGroup['pairs'][number]

/** The claims of a group: what the pairs have in common comes first. */
export const claimsOf = ({ survivor, pairs }: MergeGroup) => [survivor, ...pairs.map(({ claim }) => claim)]

/** Deciding on groups of pairs, and which claim of each is to live on. */
export const useMerges = () => {
  const { act, busy, undoLast } = useUndoableAction()
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map())

  const livesOn = (group: MergeGroup): string => {
    const id = chosen.get(group.survivor.id)
    return claimsOf(group).some(claim => claim.id === id) && id !== undefined ? id : group.survivor.id
  }
  const choose = (group: MergeGroup, id: string) => setChosen(new Map(chosen).set(group.survivor.id, id))

  return {
    busy,
    undoLast,
    livesOn,
    choose,
    /** The next claim of the group lives on instead. */
    swap: (group: MergeGroup) => {
      const claims = claimsOf(group)
      const position = claims.findIndex(({ id }) => id === livesOn(group))
      const next = claims[(position + 1) % claims.length]
      if (next !== undefined) choose(group, next.id)
    },
    merge: (group: MergeGroup, pairs: readonly MergePair[] = group.pairs) => {
      const into = livesOn(group)
      const involved = [group.survivor.id, ...pairs.map(({ claim }) => claim.id)]
      return act({
        run: () =>
          triage({
            action: 'confirm_merge',
            proposal_ids: pairs.map(({ id }) => id),
            survivor_id: involved.includes(into) ? into : group.survivor.id,
          }),
        doneMessage: ({ merges }) => {
          const name = merges.find(({ survivor }) => survivor !== null)?.survivor?.reference
          return `${counted(merges.length, 'claim')} merged into ${name}.`
        },
        undo: ({ decision }) => undoMerge(decision),
      })
    },
    refuse: (group: MergeGroup, pairs: readonly MergePair[] = group.pairs) =>
      act({
        run: () => triage({ action: 'refuse_merge', proposal_ids: pairs.map(({ id }) => id) }),
        doneMessage: () => `${counted(pairs.length, 'pair')} kept apart; not proposed again.`,
        undo: ({ decision }) => undoDecision(decision),
      }),
  }
}

export type Merges = ReturnType<typeof useMerges>
