import { detachSignal, refuseBareClaims } from '../../../model/claims/change-evidence.ts'
import { touchClaim } from '../../../model/claims/claims.ts'
import type { Attachment } from '../../../model/claims/read-evidence.ts'
import { lockSurvivors } from '../../../model/claims/survivors.ts'
import { attachToDecision, storeDecision } from '../../../model/decisions/log-decision.ts'
import { settleImpliedProposals } from '../../../model/merges/implied.ts'
import { keepApart } from '../../../model/merges/kept-apart.ts'
import { proposeMerges } from '../../../model/merges/propose-merges.ts'
import type { LockedSignal, TriageChange } from '../../../model/triage/triage.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { namedClaims, startClaimOf } from '../claims/claim.ts'
import { AssayError, actorLabel, type Transaction, type WriteContext } from '../define.ts'
import { shownSignal } from './locked-signals.ts'

import { NO_CHANGES, type Triaged } from './triage-shape.ts'
import { changedFields } from './triage-signal.ts'

/**
 * Pulls a Signal that the judge attached out of its claim: it starts a claim of its own, which stays apart from that
 * one, and the candidates that lost against it are proposed. Throws `conflict` for one that somebody else attached.
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
  const decision = await storeDecision(transaction, caller, { statement: reason, at, objects: [] })
  const settler = { by: actorLabel(caller), reason, at, decisionId: decision.id }

  await detachSignal(transaction, from, signal.id)
  await refuseBareClaims(transaction, new Set([from]))
  await touchClaim(transaction, from, at)
  const id = await startClaimOf(transaction, caller, signal, { kind, reason })
  // From the claim it was in, and from the one that it had come with.
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
      refusedBy: verdict === 'refused' ? by : null,
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
