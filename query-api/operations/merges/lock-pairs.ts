import type { Transaction } from '../../../infra/postgres/port.ts'
import { lockSurvivors } from '../../../model/claims/survivors.ts'
import { lockProposals, requireWaiting } from '../../../model/merges/proposal.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import type { ClaimId, ProposalId, WorkspaceId } from '../../../schemas/domain/ids.ts'

/** What a proposal is about by now. */
export interface LockedPair {
  readonly proposalId: ProposalId
  /** What the claim and its candidate live on in. */
  readonly claims: readonly [claim: ClaimId, candidate: ClaimId]
}

/**
 * Finds waiting proposals and the claims that theirs live on in, and holds both until the transaction ends. Throws `not_found`, and `conflict`
 * for a proposal that is decided.
 */
export const lockPairs = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  proposalIds: readonly string[],
): Promise<readonly LockedPair[]> => {
  await lockWorkspaces(transaction, [workspaceId], 'claims')
  const proposals = await lockProposals(transaction, proposalIds)
  requireWaiting(proposals)
  const locked = await lockSurvivors(
    transaction,
    proposals.flatMap(({ claim_id, candidate_claim_id }) => [claim_id, candidate_claim_id]),
  )
  const survivorOf = (id: ClaimId): ClaimId => locked.get(id) ?? id
  return proposals.map(({ id, claim_id, candidate_claim_id }) => ({
    proposalId: id,
    claims: [survivorOf(claim_id), survivorOf(candidate_claim_id)],
  }))
}
