import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SolutionState } from '../../../../schemas/domain/vocabulary.ts'
import { call, callOnce, operationKey, useOperation } from '../../api/operations.ts'
import { t, word } from '../../language/messages.ts'
import { statement } from '../../language/statements.ts'
import { useUndoableAction } from '../../parts/evidence/undo.ts'
import { useIsUsed } from '../../shell/use-interaction.ts'
import type { BoardItem } from './board-list.tsx'
import type { Drop } from './plan-drop.ts'
import type { BoardCard } from './use-columns.ts'

/** What was put somewhere and is not stored yet: it is shown where it is to stand, as it was last read. */
export interface OnItsWay {
  readonly card: BoardCard
  readonly to: SolutionState
}

/**
 * Answers whether a reason is asked where somebody drags: the workspace says so. It is asked where that cannot be
 * known.
 */
export const useAsksReasons = (): (() => Promise<boolean>) => {
  const queries = useQueryClient()
  // Known, as a rule, before anything is dropped.
  useOperation('read_workspace_rules', {}, { enabled: useIsUsed() })
  return () =>
    queries
      .ensureQueryData({
        queryKey: operationKey('read_workspace_rules', {}),
        queryFn: async () => (await call('read_workspace_rules', {})).data,
      })
      .then(
        ({ asks_reasons }) => asks_reasons,
        () => true,
      )
}

/**
 * Moves and ranks at once, one after the other: the Decision says what was done, and undo, offered each time, reverses
 * it.
 */
export const useMoveSolution = () => {
  const [onTheirWay, setOnTheirWay] = useState<readonly OnItsWay[]>([])
  const { act, undoLast } = useUndoableAction()
  const undo = ({ data: { decision } }: { readonly data: { readonly decision: { readonly id: string } } }) =>
    call('reverse_decision', { decision_id: decision.id })
  const moveTo = async (card: BoardCard, to: SolutionState) => {
    const { id, reference, version } = card
    if (onTheirWay.some(each => each.card.id === id)) return
    setOnTheirWay(now => [...now, { card, to }])
    await act({
      change: `move ${id}`,
      run: () =>
        callOnce('update_solution', {
          solution_id: id,
          state: to,
          version,
          comment: statement('Move {reference} to {said}.', { reference, said: to }).stored,
        }),
      doneMessage: () => t('{reference} is {to}.', { reference, to: word(to) }),
      undo,
    })
    setOnTheirWay(now => now.filter(each => each.card.id !== id))
  }
  const rank = ({ reference }: BoardItem, position: number, { ranked, manual_rank }: Drop<BoardItem>) =>
    act({
      change: `rank ${ranked.map(({ id }) => id).join(' ')}`,
      run: () =>
        callOnce('rank_solutions', {
          solutions: ranked.map(({ id, version }) => ({
            solution_id: id,
            ...(version !== undefined && { version }),
          })),
          manual_rank,
          comment: statement('Rank {reference} at place {position} of the board.', { reference, position }).stored,
        }),
      doneMessage: () => t('{reference} is at position {position}.', { reference, position }),
      undo,
    })
  return { moveTo, rank, onTheirWay, undoLast }
}
