import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { ClaimId, ProposalId } from '../../schemas/domain/ids.ts'

/** A waiting proposal, its claims followed to those that they live on in by now. */
export interface WaitingProposal {
  readonly id: ProposalId
  readonly claim_id: ClaimId
  readonly candidate_claim_id: ClaimId
}

const LOCK_PROPOSAL = `
  select id, claim_id, candidate_claim_id, state, decided_by from merge_proposals where id = $1 for update`

/**
 * Reads a proposal that waits, and holds it until the transaction ends. Throws `not_found`, and `conflict` when it is decided.
 * The claims are as they were proposed: `survivorOf` follows them.
 */
export const lockProposal = async (transaction: Transaction, id: string): Promise<WaitingProposal> => {
  const [proposal] = await transaction.query<WaitingProposal & { state: string; decided_by: string | null }>(
    LOCK_PROPOSAL,
    [id],
  )
  if (proposal === undefined) {
    throw new AssayError(
      'not_found',
      `No merge proposal of this workspace is ${id}. service_lookup mode proposals lists those that wait.`,
    )
  }
  if (proposal.state !== 'waiting') {
    throw new AssayError('conflict', `The proposal was ${proposal.state} already, by ${proposal.decided_by}.`, {
      context: { state: proposal.state },
    })
  }
  return proposal
}

const SETTLE_PROPOSALS = `
  update merge_proposals set state = $2, decided_at = $3, decided_by = $4 where id = any ($1) and state = 'waiting'`

/** Marks proposals as decided. A refused pair is never proposed again. */
export const settleProposals = async (
  transaction: Transaction,
  ids: readonly string[],
  state: 'confirmed' | 'refused',
  at: Date,
  by: string,
): Promise<void> => {
  await transaction.query(SETTLE_PROPOSALS, [ids, state, at, by])
}
