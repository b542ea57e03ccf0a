import type { Transaction } from '../../infra/postgres/port.ts'
import type { ProposalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { lockSurvivors } from '../claims/survivors.ts'
import { lockWorkspaces } from '../signals/scope.ts'
import { peopleMerge } from '../workspaces/workspaces.ts'
import { type DecidedBy, findRefusal } from './kept-apart.ts'
import { mergeClaims } from './merge-claims.ts'
import { lockProposals, settleImpliedProposals, settleProposals } from './proposal.ts'

const SET_FOUND = `update merge_proposals set reason = $2, found_by = $3 where id = $1`

/** A judge's verdict on a waiting proposal. */
export interface ProposalVerdict {
  readonly workspaceId: WorkspaceId
  readonly proposalId: ProposalId
  readonly judge: string
  readonly sameRootProblem: boolean
  readonly reason: string
  readonly at: Date
}

/**
 * Applies a judge's verdict to a waiting proposal: the claim is merged into its candidate, or the pair is refused for
 * good. Answers the result. `found`: people merge in this workspace, so the pair waits for one of them with the judge's
 * reason. `decided`: somebody was faster, and nothing is written, so a repeated verdict is harmless. A yes about two
 * claims that are kept apart refuses the pair. Throws `not_found` for another workspace's proposal.
 */
export const settleVerdict = async (
  transaction: Transaction,
  verdict: ProposalVerdict,
): Promise<'confirmed' | 'refused' | 'found' | 'decided'> => {
  const { workspaceId, proposalId, judge, sameRootProblem, reason, at } = verdict
  await lockWorkspaces(transaction, [workspaceId], 'claims')
  const [proposal] = await lockProposals(transaction, [proposalId])
  if (proposal?.state !== 'waiting') return 'decided'
  const { claim_id, candidate_claim_id } = proposal
  const survivors = await lockSurvivors(transaction, [claim_id, candidate_claim_id])
  const merged = survivors.get(claim_id) ?? claim_id
  const survivor = survivors.get(candidate_claim_id) ?? candidate_claim_id
  const settler: DecidedBy = { by: judge, reason, at, decisionId: null }
  if (sameRootProblem && merged !== survivor && (await findRefusal(transaction, merged, survivor))) {
    await settleImpliedProposals(transaction, survivor, settler)
    return 'refused'
  }
  if (sameRootProblem && merged !== survivor && (await peopleMerge(transaction, [workspaceId])).has(workspaceId)) {
    await transaction.query(SET_FOUND, [proposalId, reason, judge])
    return 'found'
  }
  const state = sameRootProblem ? 'confirmed' : 'refused'
  await settleProposals(transaction, [proposalId], state, settler)
  if (sameRootProblem && merged !== survivor) {
    const merge = {
      merged,
      survivor,
      mergedBy: 'judge',
      actor: judge,
      reason,
      proposalId,
      decisionId: null,
      at,
    } as const
    await mergeClaims(transaction, merge)
  }
  await settleImpliedProposals(transaction, survivor, settler)
  return state
}
