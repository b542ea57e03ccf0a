import type { Transaction } from '../../../infra/postgres/port.ts'
import { type DecisionObject, hangOnDecision, logDecision } from '../../../model/decisions/log-decision.ts'
import type { Proposal } from '../../../model/merges/proposal.ts'
import type { MergeInForce } from '../../../model/merges/undo-merge.ts'
import type { WriteContext } from '../define.ts'
import { byline } from './byline.ts'
import { type HeldSignal, shownSignal } from './held-signal.ts'
import type { ChangeInForce } from './triage-change.ts'
import { type Triaged, UNTOUCHED } from './triage-shape.ts'
import { liftRefused, undoMerges } from './undo-merges.ts'
import { undoChange } from './undo-signal.ts'

/** What an undo takes back together. */
export interface TakenBack {
  /** What is undone, for a Decision without a comment. */
  readonly says: string
  readonly changes: readonly (ChangeInForce & { readonly signal: HeldSignal })[]
  readonly merges: readonly MergeInForce[]
  readonly refused: readonly Proposal[]
}

/** Takes everything back as one Decision, or nothing. Needs the lock of the workspace. */
export const takeBack = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  { says, changes, merges, refused }: TakenBack,
  comment: string | undefined,
): Promise<Triaged> => {
  const at = services.now()
  const reason = comment ?? `${says} is taken back.`
  const decision = await logDecision(transaction, caller, { statement: reason, at, objects: [] })
  const settler = { by: byline(caller), reason, at, decisionId: decision.id }
  const undone: Triaged['undone'] = []
  const objects: DecisionObject[] = []
  for (const { signal, ...change } of changes) {
    undone.push(await undoChange(transaction, signal, change, { workspaceId: caller.workspaceId, by: settler.by, at }))
    objects.push({ kind: 'signal', id: signal.id, change: { undoes: change.decision_id } })
  }
  const lifted = await liftRefused(transaction, refused, settler)
  if (refused.length > 0) undone.push('refusal')
  const apart = await undoMerges(transaction, merges, settler)
  for (const _ of merges) undone.push('merge')
  objects.push(...lifted.objects, ...apart.objects)
  await hangOnDecision(transaction, caller.workspaceId, decision.id, objects)
  const [first] = changes
  const signal = first === undefined ? null : await shownSignal(transaction, first.signal.id)
  return { ...UNTOUCHED, signal, merges: [...lifted.merges, ...apart.merges], undone, decision }
}
