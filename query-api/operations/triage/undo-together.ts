import { lockSurvivors } from '../../../model/claims/survivors.ts'
import { takeTitlesBack } from '../../../model/claims/title-claim.ts'
import { attachToDecision, type DecisionObject, storeDecision } from '../../../model/decisions/log-decision.ts'
import { decisionsThatSettled, markUndoneInTriage } from '../../../model/decisions/reversals.ts'
import { readRepeat } from '../../../model/duplicates/read-repeats.ts'
import { putBack } from '../../../model/duplicates/taken-out.ts'
import { type DecidedBy, liftRefusals } from '../../../model/merges/kept-apart.ts'
import { type Proposal, settleImpliedProposals } from '../../../model/merges/proposal.ts'
import { type MergeInForce, undoMerge } from '../../../model/merges/undo-merge.ts'
import { takeAnswersBack } from '../../../model/themes/answers.ts'
import type { ActiveChange, LockedSignal } from '../../../model/triage/triage.ts'
import { namedClaims } from '../claims/claim.ts'
import { actorLabel, type Transaction, type WriteContext } from '../define.ts'
import { shownSignal } from './locked-signals.ts'
import { NO_CHANGES, type SettledMerge, shownRepeat, type Triaged } from './triage-shape.ts'
import { undoChange } from './undo-signal.ts'

/** Changes that one undo covers. */
export interface UndoneTogether {
  /** Statement of a Decision without a comment. */
  readonly statement: string
  readonly changes: readonly (ActiveChange & { readonly signal: LockedSignal })[]
  /** Taken-out repeats that have no row yet. */
  readonly putBack: readonly ActiveChange[]
  readonly merges: readonly MergeInForce[]
  readonly refused: readonly Proposal[]
  /** The whole undone Decision, with its answers about a theme and the titles it gave to claims. */
  readonly decisionId?: string
}

/** Undoes everything under one Decision, or nothing. Needs the lock of the workspace. */
export const undoTogether = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  { statement, changes, putBack: waiting, merges, refused, decisionId }: UndoneTogether,
  comment: string | undefined,
): Promise<Triaged> => {
  const at = services.now()
  const settled = await decisionsThatSettled(
    transaction,
    merges.map(({ id }) => id),
    refused.map(({ id }) => id),
  )
  const reason = comment ?? `${statement} is taken back.`
  const decision = await storeDecision(transaction, caller, { statement: reason, at, objects: [], routine: true })
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
  if (decisionId !== undefined) {
    await takeAnswersBack(transaction, caller.workspaceId, decisionId)
    await takeTitlesBack(transaction, decisionId, at)
  }
  const lifted = await liftRefused(transaction, refused, settler)
  if (refused.length > 0) undone.push('refusal')
  const apart = await undoMerges(transaction, merges, settler)
  for (const _ of merges) undone.push('merge')
  for (const object of [...lifted.objects, ...apart.objects]) objects.push(object)
  await attachToDecision(transaction, caller.workspaceId, decision.id, objects)
  const decisionIds = [...settled, ...changes.map(one => one.decision_id), ...waiting.map(one => one.decision_id)]
  await markUndoneInTriage(transaction, caller.workspaceId, { decisionIds, reversalId: decision.id, at })
  const [first] = [...changes, ...waiting]
  const again = first?.change.triage === 'not_a_repeat' ? await readRepeat(transaction, first.signal_id) : undefined
  const repeat = again === undefined ? null : shownRepeat(again)
  const shown = again === undefined ? changes[0]?.signal.id : undefined
  const signal = shown === undefined ? null : await shownSignal(transaction, shown)
  return { ...NO_CHANGES, signal, repeat, merges: [...lifted.merges, ...apart.merges], undone, decision }
}

interface Undoing {
  readonly merges: readonly SettledMerge[]
  readonly objects: readonly DecisionObject[]
}

/** Undoes merges in the given order. */
const undoMerges = async (
  transaction: Transaction,
  inForce: readonly MergeInForce[],
  settler: DecidedBy,
): Promise<Undoing> => {
  const merges: SettledMerge[] = []
  const objects: DecisionObject[] = []
  for (const merge of inForce) {
    const { from, ...moved } = await undoMerge(transaction, merge, settler)
    const named = await namedClaims(transaction, [merge.merged_claim_id, from])
    const shown = (id: typeof from) => ({ id, reference: named(id).reference })
    merges.push({
      proposal_id: null,
      state: 'undone',
      survivor: shown(from),
      merged: shown(merge.merged_claim_id),
      moved_signals: moved.signal_ids.length,
      moved_solutions: moved.solution_ids.length,
    })
    objects.push(
      { kind: 'claim', id: merge.merged_claim_id, change: { pulled_apart_from: from, ...moved } },
      { kind: 'claim', id: from, change: { pulled_apart: merge.merged_claim_id } },
    )
  }
  return { merges, objects }
}

/** Undoes refusals: refused proposals between the claims of each wait again. */
const liftRefused = async (
  transaction: Transaction,
  refused: readonly Proposal[],
  settler: DecidedBy,
): Promise<Undoing> => {
  const lifted = new Set<string>()
  const objects: DecisionObject[] = []
  for (const { claim_id, candidate_claim_id } of refused) {
    const locked = await lockSurvivors(transaction, [claim_id, candidate_claim_id])
    const pair = [locked.get(claim_id) ?? claim_id, locked.get(candidate_claim_id) ?? candidate_claim_id] as const
    for (const id of await liftRefusals(transaction, pair)) lifted.add(id)
    await settleImpliedProposals(transaction, pair[0], settler)
    const [claim, candidate] = pair
    objects.push(
      { kind: 'claim', id: claim, change: { may_merge_with: candidate } },
      { kind: 'claim', id: candidate, change: { may_merge_with: claim } },
    )
  }
  const nothing = { survivor: null, merged: null, moved_signals: 0, moved_solutions: 0 }
  return { merges: [...lifted].map(id => ({ proposal_id: id, state: 'waiting', ...nothing })), objects }
}
