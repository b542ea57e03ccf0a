import type { Transaction } from '../../../infra/postgres/port.ts'
import { attachToDecision, type DecisionObject, storeDecision } from '../../../model/decisions/log-decision.ts'
import { readRepeat } from '../../../model/duplicates/read-repeats.ts'
import { putBack } from '../../../model/duplicates/taken-out.ts'
import type { Proposal } from '../../../model/merges/proposal.ts'
import type { MergeInForce } from '../../../model/merges/undo-merge.ts'
import type { ActiveChange, LockedSignal } from '../../../model/triage/triage.ts'
import { actorLabel } from '../decisions/actor-label.ts'
import type { WriteContext } from '../define.ts'
import { shownSignal } from './locked-signals.ts'
import { NO_CHANGES, shownRepeat, type Triaged } from './triage-shape.ts'
import { liftRefused, undoMerges } from './undo-merges.ts'
import { undoChange } from './undo-signal.ts'

/** What an undo takes back together. */
export interface UndoneTogether {
  /** What is undone, for a Decision without a comment. */
  readonly statement: string
  readonly changes: readonly (ActiveChange & { readonly signal: LockedSignal })[]
  /** Repeats that were taken out and have no row yet. */
  readonly putBack: readonly ActiveChange[]
  readonly merges: readonly MergeInForce[]
  readonly refused: readonly Proposal[]
}

/** Takes everything back as one Decision, or nothing. Needs the lock of the workspace. */
export const undoTogether = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  { statement, changes, putBack: waiting, merges, refused }: UndoneTogether,
  comment: string | undefined,
): Promise<Triaged> => {
  const at = services.now()
  const reason = comment ?? `${statement} is taken back.`
  const decision = await storeDecision(transaction, caller, { statement: reason, at, objects: [] })
  const settler = { by: actorLabel(caller), reason, at, decisionId: decision.id }
  const undone: Triaged['undone'] = []
  const objects: DecisionObject[] = []
  for (const { signal, ...change } of changes) {
    undone.push(await undoChange(transaction, signal, change, { workspaceId: caller.workspaceId, by: settler.by, at }))
    objects.push({ kind: 'signal', id: signal.id, change: { undoes: change.decision_id } })
  }
  for (const { signal_id: id, decision_id } of waiting) {
    await putBack(transaction, id)
    undone.push('not_a_repeat')
    objects.push({ kind: 'signal', id, change: { undoes: decision_id } })
  }
  const lifted = await liftRefused(transaction, refused, settler)
  if (refused.length > 0) undone.push('refusal')
  const apart = await undoMerges(transaction, merges, settler)
  for (const _ of merges) undone.push('merge')
  objects.push(...lifted.objects, ...apart.objects)
  await attachToDecision(transaction, caller.workspaceId, decision.id, objects)
  const [first] = [...changes, ...waiting]
  const again = first?.change.triage === 'not_a_repeat' ? await readRepeat(transaction, first.signal_id) : undefined
  const repeat = again === undefined ? null : shownRepeat(again)
  const shown = again === undefined ? changes[0]?.signal.id : undefined
  const signal = shown === undefined ? null : await shownSignal(transaction, shown)
  return { ...NO_CHANGES, signal, repeat, merges: [...lifted.merges, ...apart.merges], undone, decision }
}
