import { detachSignal, refuseBareClaims, takeOffClaim } from '../../../model/claims/change-evidence.ts'
import { type ClaimGrowth, dismissClaim, lockClaimGrowth, touchClaim } from '../../../model/claims/claims.ts'
import {
  dismissSilentClaims,
  followEvidence,
  reviveClaims,
  unfollowEvidence,
} from '../../../model/claims/follow-evidence.ts'
import { type Attachment, attachmentsOf } from '../../../model/claims/read-evidence.ts'
import { lockSurvivors } from '../../../model/claims/survivors.ts'
import { attachToDecision, storeDecision } from '../../../model/decisions/log-decision.ts'
import { findMarkedOriginal, markDuplicate, unmarkDuplicate } from '../../../model/duplicates/occurrences.ts'
import { putBack } from '../../../model/duplicates/taken-out.ts'
import { keepApart } from '../../../model/merges/kept-apart.ts'
import { settleImpliedProposals } from '../../../model/merges/proposal.ts'
import { proposeMerges } from '../../../model/merges/propose-merges.ts'
import {
  type ActiveChange,
  type LockedSignal,
  lastChange,
  setSignals,
  setSnoozes,
  type TakenOutChange,
  type TriageChange,
} from '../../../model/triage/triage.ts'
import { counted } from '../../../schemas/domain/for-people.ts'
import type { ClaimId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { namedClaims, startClaimOf } from '../claims/claim.ts'
import { AssayError, actorLabel, type Transaction, type WriteContext } from '../define.ts'
import { shownSignal } from './locked-signals.ts'
import { lockOriginal } from './signal-states.ts'
import { NO_CHANGES, type Triaged } from './triage-shape.ts'
import { changedFields } from './triage-signal.ts'

/**
 * Pulls a signal that the judge attached out of its claim. The signal starts a new claim, which is kept apart from the
 * old one, and the losing candidates are proposed for it. Throws `conflict` for a signal that the judge did not attach.
 */
export const detachEvidence = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  signal: LockedSignal,
  attachment: Attachment,
  comment: string | undefined,
): Promise<Triaged> => {
  const { claim_id: from, origins, kind } = attachment
  const name = reference('claim', attachment.number)
  requireJudged(signal, attachment, name)
  await lockSurvivors(transaction, [from])
  const at = services.now()
  const reason = comment ?? `${signal.reference} was pulled out of ${name}.`
  const decision = await storeDecision(transaction, caller, { statement: reason, at, objects: [], routine: true })
  const settler = { by: actorLabel(caller), reason, at, decisionId: decision.id }

  await detachSignal(transaction, from, signal.id)
  await refuseBareClaims(transaction, new Set([from]))
  await dismissSilentClaims(transaction, [from])
  await touchClaim(transaction, from, at)
  const id = await startClaimOf(transaction, caller, signal, { kind, reason })
  // Kept apart from its claim and from the merged claims through which it came.
  for (const other of new Set([from, ...origins]))
    await keepApart(transaction, caller.workspaceId, [id, other], settler)
  await proposeMerges(
    transaction,
    attachment.lost_candidates.map(({ claim_id, verdict, by, reason, score, similarity }) => ({
      workspaceId: caller.workspaceId,
      claimId: id,
      candidateClaimId: claim_id,
      score,
      similarity,
      chance: null,
      reason,
      rejectedBy: verdict === 'refused' ? by : null,
    })),
  )
  await settleImpliedProposals(transaction, id, settler)

  const change: TriageChange = { triage: 'pull_out', ...changedFields(signal, {}), claim: { id, is_new: true } }
  await attachToDecision(transaction, caller.workspaceId, decision.id, [
    { kind: 'signal', id: signal.id, change: { ...change } },
    { kind: 'claim', id: from, change: { pulled_out: signal.id } },
    { kind: 'claim', id, change: { pulled_out_of: from } },
  ])
  const { reference: own } = (await namedClaims(transaction, [id]))(id)
  const claim = { id, reference: own, is_new: true }
  return { ...NO_CHANGES, signal: await shownSignal(transaction, signal.id), claim, undone: ['attachment'], decision }
}

const requireJudged = (signal: LockedSignal, { attached_by, origins }: Attachment, name: string): void => {
  if (attached_by === 'judge') return
  const next =
    origins.length > 0
      ? `It came with a claim that was merged into it: undo that merge (action undo, claim_id; service_lookup mode claim, id ${name} names it).`
      : attached_by === 'cluster'
        ? 'It started the claim, so there is nothing to pull it out of.'
        : 'A person attached it: undo that Decision (action undo with signal_id alone).'
  throw new AssayError('conflict', `The judge did not attach ${signal.reference} to ${name}. ${next}`)
}

/**
 * Makes a taken-out signal a repeat again: it leaves its claims, and a claim that it started is dismissed when nothing
 * else depends on the claim. Its row and reference stay, like those of every signal that a person marked as a repeat.
 * Needs the locks of the workspace's signals and claims. Throws `conflict` when its claim has Solutions or merges, or
 * its original is dismissed.
 */
const repeatAgain = async (
  transaction: Transaction,
  signal: LockedSignal,
  { original: originalId, marked }: TakenOutChange,
  at: Date,
): Promise<void> => {
  const original = await lockOriginal(transaction, (await findMarkedOriginal(transaction, originalId)) ?? originalId)
  const left: ClaimId[] = []
  for (const { claim_id: claimId } of marked ? [] : await attachmentsOf(transaction, signal.id)) {
    const growth = await lockClaimGrowth(transaction, claimId)
    const isLast = growth !== undefined && growth.evidence <= 1
    if (isLast) refuseGrown(signal.reference, growth, 1)
    await detachSignal(transaction, claimId, signal.id)
    if (isLast) await dismissClaim(transaction, claimId)
    else {
      await touchClaim(transaction, claimId, at)
      left.push(claimId)
    }
  }
  await setSignals(transaction, [signal], { state: 'dismissed' })
  await dismissSilentClaims(transaction, left)
  await followEvidence(transaction, [signal], at)
  await markDuplicate(transaction, signal.id, original.id)
  await putBack(transaction, signal.id)
}

/** Undoing the refusal undoes a `pull_out`, so it is excluded here. */
type UndoneChange = Exclude<ActiveChange['change']['triage'], 'pull_out'>

/**
 * Undoes a Decision's change of a locked signal. Throws `conflict`, with nothing written, when a later Decision changed
 * the signal or its claim has grown.
 */
export const undoChange = async (
  transaction: Transaction,
  signal: LockedSignal,
  { decision, decision_id, change }: ActiveChange,
  undoing: { readonly workspaceId: WorkspaceId; readonly by: string; readonly at: Date },
): Promise<UndoneChange> => {
  const last = await lastChange(transaction, signal.id)
  if (last === undefined || last.decision_id !== decision_id) throw changedSince(signal, decision, last)
  if (change.triage === 'pull_out') throw pulledOut(signal)
  if (change.triage === 'not_a_repeat') {
    await repeatAgain(transaction, signal, change, undoing.at)
    return change.triage
  }
  const { from, to, claim, followed = [], duplicate, snooze } = change
  if (signal.state !== to.state || signal.classification !== to.classification) {
    throw changedSince(signal, decision, undefined)
  }
  if (claim !== undefined) await takeOut(transaction, signal, claim)
  if (duplicate !== undefined) await unmarkDuplicate(transaction, signal.id, duplicate.repeats)
  if (snooze !== undefined) await setSnoozes(transaction, [{ id: signal.id, snooze: snooze.from }], undoing)
  await setSignals(transaction, [signal], from)
  await unfollowEvidence(transaction, followed, undoing.at)
  await reviveClaims(transaction, [signal.id])
  return change.triage
}

const changedSince = (
  { reference: name, state, classification }: LockedSignal,
  decision: number,
  last: ActiveChange | undefined,
) => {
  const now = `It is ${state}, ${classification}.`
  const next =
    last === undefined
      ? 'That Decision was taken back already.'
      : `${reference('decision', last.decision)} came after it: undo that first.`
  return new AssayError(
    'conflict',
    `${name} is not as ${reference('decision', decision)} left it; nothing was changed. ${now} ${next}`,
    { context: { current: { reference: name, state, classification } } },
  )
}

const pulledOut = ({ reference: name }: LockedSignal) =>
  new AssayError(
    'conflict',
    `${name} was pulled out of a claim and has one of its own. To put it back, take the refusal back (action undo with the proposal_id that service_lookup mode proposals, state refused, shows), then confirm that proposal.`,
  )

/** A claim that the signal started is dismissed when nothing else depends on the claim; its reference stays. */
const takeOut = async (
  transaction: Transaction,
  signal: LockedSignal,
  { id, is_new }: { readonly id: ClaimId; readonly is_new: boolean },
): Promise<void> => {
  const growth = is_new ? await lockClaimGrowth(transaction, id) : undefined
  if (growth !== undefined) refuseGrown(signal.reference, growth, 1)
  if (!(await takeOffClaim(transaction, id, signal.id))) throw await elsewhere(transaction, signal, id)
  if (is_new) await dismissClaim(transaction, id)
  else {
    await refuseBareClaims(transaction, new Set([id]))
    await dismissSilentClaims(transaction, [id])
  }
}

/** The signal was pulled out since, or left with a merged claim that was pulled apart. */
const elsewhere = async (transaction: Transaction, { id, reference: name }: LockedSignal, from: ClaimId) => {
  const { reference: claim } = (await namedClaims(transaction, [from]))(from)
  const now = (await attachmentsOf(transaction, id)).map(({ number }) => reference('claim', number)).join(', ')
  return new AssayError(
    'conflict',
    `${name} is no evidence of ${claim} any more, but of ${now || 'no claim'}. Nothing was changed. Where a merge into ${claim} was pulled apart with it, merge that claim again first.`,
  )
}

/**
 * Throws `conflict` when more depends on a claim than its own first evidence, of which `ownEvidence` pieces are left.
 * `starter` names in the sentence who started the claim.
 */
export const refuseGrown = (starter: string, growth: ClaimGrowth, ownEvidence: number): void => {
  const { number, merged_into, merged, evidence, solutions } = growth
  const claim = reference('claim', number)
  const why =
    merged_into !== null
      ? `was merged into ${reference('claim', merged_into)}: undo that first (action undo, claim_id ${claim})`
      : merged > 0
        ? 'has other claims merged into it: undo these merges first'
        : evidence > ownEvidence
          ? `has ${counted(evidence - ownEvidence, 'other piece')} of evidence by now, so it stays`
          : solutions > 0
            ? 'is answered by a Solution: take the claim off it first (mode update_solution, remove_claim_ids)'
            : null
  if (why === null) return
  throw new AssayError('conflict', `${claim}, which ${starter} started, ${why}. Nothing was changed.`, {
    context: { claim: { reference: claim, merged_into, merged, evidence, solutions } },
  })
}
