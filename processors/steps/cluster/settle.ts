import type { Evidence } from '../../../model/claims/attach-evidence.ts'
import { ownClaimId } from '../../../model/claims/clustered.ts'
import type { Candidate } from '../../../model/claims/find-candidates.ts'
import type { MergeProposal } from '../../../model/claims/propose-merges.ts'
import type { NewClaim } from '../../../model/claims/start-claims.ts'
import type { ClaimId, SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { ClaimKind } from '../../../schemas/domain/vocabulary.ts'
import type { Deliberation } from './deliberate.ts'
import { cutAfterWord, titleOf } from './title.ts'

const MAX_STATEMENT_LENGTH = 1_000

export interface Deliberated {
  readonly signalId: SignalId
  readonly workspaceId: WorkspaceId
  readonly kind: ClaimKind
  readonly text: string
  readonly outcome: Deliberation
}

/** What the batch comes to, to be written in one transaction. */
export interface Settlement {
  readonly claims: readonly NewClaim[]
  readonly evidence: readonly Evidence[]
  readonly proposals: readonly MergeProposal[]
  /** Signals that must come again, and why. */
  readonly retries: ReadonlyMap<SignalId, string>
}

/**
 * Puts the outcomes together in the order of the batch, because a signal may have joined the claim of one before it. `version` names the
 * step where it acted by itself.
 */
export const settle = (deliberated: readonly Deliberated[], version: string): Settlement => {
  const claims: NewClaim[] = []
  const evidence: Evidence[] = []
  const proposals: MergeProposal[] = []
  const retries = new Map<SignalId, string>()
  const claimOf = new Map<SignalId, ClaimId>()
  const claimFor = (candidate: Candidate) => candidate.claimId ?? claimOf.get(candidate.signalId)

  for (const { signalId, workspaceId, kind, text, outcome } of deliberated) {
    if (outcome.kind === 'retry') {
      retries.set(signalId, outcome.reason)
      continue
    }
    if (outcome.kind === 'same') {
      const claimId = claimFor(outcome.candidate)
      if (claimId === undefined) {
        retries.set(signalId, 'The signal that it shares its root problem with is not clustered yet.')
        continue
      }
      claimOf.set(signalId, claimId)
      evidence.push({
        workspaceId,
        claimId,
        signalId,
        attachedBy: 'judge',
        actor: outcome.judge,
        reason: outcome.reason,
      })
      continue
    }
    const claimId = ownClaimId(signalId)
    claimOf.set(signalId, claimId)
    claims.push({
      id: claimId,
      workspaceId,
      signalId,
      kind,
      title: titleOf(text),
      statement: cutAfterWord(text, MAX_STATEMENT_LENGTH),
    })
    evidence.push({
      workspaceId,
      claimId,
      signalId,
      attachedBy: 'cluster',
      actor: version,
      reason: 'It started the claim.',
    })
    for (const { candidate, refusedBy, reason } of outcome.unmerged) {
      const candidateClaimId = claimFor(candidate)
      if (candidateClaimId === undefined) continue
      const { score, similarity } = candidate
      proposals.push({ workspaceId, claimId, candidateClaimId, score, similarity, reason, refusedBy })
    }
  }
  return { claims, evidence, proposals, retries }
}
