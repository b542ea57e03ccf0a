import type { DecisionObject } from '../../../model/decisions/log-decision.ts'
import { changesMade, decidedSince } from '../../../model/decisions/reversals.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { undoElementChange } from '../../../model/strategy/undo-change.ts'
import type { StrategyElementId } from '../../../schemas/domain/ids.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { type Static, type Transaction, Type, type WriteContext } from '../define.ts'
import { uuid } from '../parts/fields.ts'

export const ReversedElement = Type.Object({ id: uuid, changed: Type.Record(Type.String(), Type.Unknown()) })

export interface ElementPlan {
  /** What is to be undone, the last change first. */
  readonly changes: readonly { readonly id: StrategyElementId; readonly change: Readonly<Record<string, unknown>> }[]
  readonly obstacles: readonly string[]
}

/** What a Decision changed of the strategy, which is held from now on, and what of it was changed since. */
export const planElements = async (
  transaction: Transaction,
  { caller }: WriteContext,
  decisionId: string,
): Promise<ElementPlan> => {
  const made = await changesMade(transaction, decisionId, 'strategy_element')
  if (made.length === 0) return { changes: [], obstacles: [] }
  await lockWorkspaces(transaction, [caller.workspaceId], 'strategy')
  const obstacles: string[] = []
  for (const id of new Set(made.map(change => change.id))) {
    const since = await decidedSince(transaction, decisionId, { kind: 'strategy_element', id })
    if (since !== null) obstacles.push(`the strategy: ${reference('decision', since)} changed the same element since`)
  }
  // The ids that hang on a Decision as those of elements.
  return { changes: made.map(({ id, change }) => ({ id: id as StrategyElementId, change })), obstacles }
}

/** Undoes the changes planned; answers what that changed, also as objects of the Decision that does it. */
export const reverseElements = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  changes: ElementPlan['changes'],
) => {
  const at = services.now()
  const broughtBack = changes.filter(({ change }) => change.removed === true).length
  if (broughtBack > 0)
    await requireQuota(transaction, services.quotas, 'strategyElements', caller.workspaceId, broughtBack)
  const elements: Static<typeof ReversedElement>[] = []
  for (const { id, change } of changes) {
    const changed = await undoElementChange({ transaction, workspaceId: caller.workspaceId, id, at }, change)
    elements.push({ id, changed: { ...changed } })
  }
  const objects = elements.map(({ id, changed }): DecisionObject => ({ kind: 'strategy_element', id, change: changed }))
  return { elements, objects }
}
