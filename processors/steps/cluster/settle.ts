import type { Evidence } from '../../../model/claims/attach-evidence.ts'
import { ownClaimId } from '../../../model/claims/clustered.ts'
import type { EvidenceLocation } from '../../../model/claims/evidence-locations.ts'
import type { Candidate } from '../../../model/claims/find-candidates.ts'
import type { MergeProposal } from '../../../model/claims/propose-merges.ts'
import type { NewClaim } from '../../../model/claims/start-claims.ts'
import { statementOf, titleOf } from '../../../model/claims/title.ts'
import type { ClaimId, SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { ClaimKind } from '../../../schemas/domain/vocabulary.ts'
import type { Deliberation, RejectedCandidate } from './deliberate.ts'

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
 * Puts the outcomes together in the order of the batch, because a signal may have joined the claim of one before it. `standing` says where
 * the candidates are that have a claim; a signal whose candidate is not there any more comes again. `version` names the step where it acted by itself.
 */
export const settle = (
  deliberated: readonly Deliberated[],
  locations: ReadonlyMap<Candidate, EvidenceLocation>,
  version: string,
): Settlement => {
  const claims: NewClaim[] = []
  const evidence: Evidence[] = []
  const proposals: MergeProposal[] = []
  const retries = new Map<SignalId, string>()
  const placed = new Map<SignalId, EvidenceLocation>()
  const placeOf = (candidate: Candidate): EvidenceLocation | undefined =>
    candidate.claimId === null ? placed.get(candidate.signalId) : locations.get(candidate)
  const toClaims = (unmerged: readonly RejectedCandidate[]) =>
    unmerged.flatMap(one => {
      const place = placeOf(one.candidate)
      return place === undefined ? [] : [{ ...one, claimId: homeOf(place) }]
    })

  for (const { signalId, workspaceId, kind, text, outcome } of deliberated) {
    if (outcome.kind === 'retry') {
      retries.set(signalId, outcome.reason)
      continue
    }
    if (candidatesOf(outcome).some(candidate => candidate.claimId !== null && !locations.has(candidate))) {
      retries.set(signalId, 'A claim that it was compared with has changed meanwhile.')
      continue
    }
    if (outcome.kind === 'same') {
      const place = placeOf(outcome.candidate)
      if (place === undefined) {
        retries.set(signalId, 'The signal that it shares its root problem with is not clustered yet.')
        continue
      }
      placed.set(signalId, place)
      const { judge, reason } = outcome
      const rejected = toClaims(outcome.rejected).map(({ claimId, candidate, refusedBy, reason }) => ({
        claim_id: claimId,
        verdict: refusedBy === null ? ('undecided' as const) : ('refused' as const),
        by: refusedBy,
        reason,
        score: candidate.score,
        similarity: candidate.similarity,
      }))
      evidence.push({ workspaceId, ...place, signalId, attachedBy: 'judge', actor: judge, reason, rejected })
      continue
    }
    const claimId = ownClaimId(signalId)
    placed.set(signalId, { claimId, origins: [] })
    claims.push({ id: claimId, workspaceId, signalId, kind, title: titleOf(text), statement: statementOf(text) })
    const reason = 'It started the claim.'
    evidence.push({ workspaceId, claimId, signalId, attachedBy: 'cluster', actor: version, reason })
    for (const { claimId: candidateClaimId, candidate, refusedBy, foundBy, reason } of toClaims(outcome.unmerged)) {
      const { score, similarity } = candidate
      proposals.push({
        workspaceId,
        claimId,
        candidateClaimId,
        score,
        similarity,
        reason,
        refusedBy,
        foundBy: foundBy ?? null,
      })
    }
  }
  return { claims, evidence, proposals, retries }
}

/** The claim that evidence belongs to, which it goes with when claims are pulled apart. */
const homeOf = ({ claimId, origins }: EvidenceLocation): ClaimId => origins[0] ?? claimId

/** The candidates whose claims an outcome names. */
export const candidatesOf = (outcome: Deliberation): readonly Candidate[] => {
  if (outcome.kind === 'retry') return []
  if (outcome.kind === 'own') return outcome.unmerged.map(({ candidate }) => candidate)
  return [outcome.candidate, ...outcome.rejected.map(({ candidate }) => candidate)]
}
