import type { TString } from 'typebox'
import { lockSurvivors } from '../../../model/claims/survivors.ts'
import { lockProposals, proposalOfPair, requireWaiting } from '../../../model/merges/proposal.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import type { ClaimId, ProposalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { AssayError, type Transaction, Type } from '../define.ts'

/** A proposal by its two claims, the one that would go first: shorter than its id, and sure to be read rightly. */
export const pairName = (claim: string, candidate: string): string => `${claim}/${candidate}`

const PAIR = /^\s*(CLM-\d+)\s*\/\s*(CLM-\d+)\s*$/i
const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** A proposal's id, or the pair. */
export const proposalName: TString = Type.String({
  pattern: `^(${UUID}|[Cc][Ll][Mm]-\\d{1,9}/[Cc][Ll][Mm]-\\d{1,9})$`,
  description: 'From service_lookup mode proposals. Its id, or its pair (CLM-2/CLM-1).',
})

/** The ids of proposals. Throws `not_found` for claims that are none, and for a pair that nobody proposed. */
export const proposalIdsOf = async (transaction: Transaction, names: readonly string[]): Promise<readonly string[]> => {
  const ids = new Set<string>()
  for (const name of names) {
    const [, one, other] = PAIR.exec(name) ?? []
    ids.add(one === undefined || other === undefined ? name.toLowerCase() : await idOfPair(transaction, one, other))
  }
  return [...ids]
}

const idOfPair = async (transaction: Transaction, one: string, other: string): Promise<string> => {
  // Resolved as claims.
  const claim = (await resolveOne(transaction, 'claim', one)).id as ClaimId
  const candidate = (await resolveOne(transaction, 'claim', other)).id as ClaimId
  const id = await proposalOfPair(transaction, [claim, candidate])
  if (id !== undefined) return id
  throw new AssayError(
    'not_found',
    `Nobody proposed to merge ${one} and ${other}; nothing was changed. service_decide mode merge_claims merges a pair without a proposal.`,
  )
}

/** What a proposal is about by now. */
interface LockedPair {
  readonly proposalId: ProposalId
  /** What the claim and its candidate live on in. */
  readonly claims: readonly [claim: ClaimId, candidate: ClaimId]
}

/**
 * Finds waiting proposals and the claims that theirs live on in, and holds both until the transaction ends. Throws
 * `not_found`, and `conflict` for a proposal that is decided.
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
