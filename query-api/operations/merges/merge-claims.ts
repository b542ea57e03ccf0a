import type { Claim } from '../../../model/claims/claims.ts'
import { liftRefusals } from '../../../model/merges/kept-apart.ts'
import { proposalOfPair } from '../../../model/merges/proposal.ts'
import { proposeMerges } from '../../../model/merges/propose-merges.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import type { ClaimId } from '../../../schemas/domain/ids.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { resolveClaim } from '../claims/claim.ts'
import { AssayError, type Caller, type Transaction, Type, throwDeleted, writeOperation } from '../define.ts'
import { comment, identifier, version } from '../parts/fields.ts'
import { Triaged } from '../triage/triage-shape.ts'
import { confirmMerges } from './confirm-merges.ts'

export const mergeClaims = writeOperation({
  name: 'merge_claims',
  title: 'Merge a claim into another',
  summary:
    'Merges a claim into one that a person chooses, whether the pair was proposed or not; the proposal is made with it, so that service_decide mode triage, action undo, takes it back like any merge. Two that are kept apart are refused, unless lift_refusal says that this is taken back too.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    claim_id: Type.With(identifier, { description: 'The claim. It goes into the other.' }),
    into_claim_id: Type.With(identifier, { description: 'Into which claim. It lives on.' }),
    lift_refusal: Type.Optional(Type.Boolean({ description: 'Also when they are kept apart.' })),
    version,
    comment,
  }),
  output: Triaged,
  apply: async (input, transaction, context) => {
    await lockWorkspaces(transaction, [context.caller.workspaceId], 'claims')
    const claim = await resolveClaim(transaction, input.claim_id)
    const into = await resolveClaim(transaction, input.into_claim_id)
    refuseUnfit(claim, into, input.version)
    if (input.lift_refusal === true) await liftRefusals(transaction, [claim.id, into.id])
    const proposalIds = [await proposePair(transaction, context.caller, [claim.id, into.id])]
    const choice = { proposalIds, survivorId: into.id, comment: input.comment }
    return { data: await confirmMerges(transaction, context, choice) }
  },
})

const refuseUnfit = (claim: Claim, into: Claim, readVersion: number | undefined): void => {
  const name = reference('claim', claim.number)
  if (claim.id === into.id) throw new AssayError('conflict', `Both are ${name} already; nothing was changed.`)
  if (readVersion === undefined || readVersion === claim.version) return
  throw new AssayError(
    'conflict',
    `${name} has changed: you read version ${readVersion}, it is at ${claim.version}. Nothing was written.`,
    { context: { current: { id: claim.id, reference: name, version: claim.version } } },
  )
}

/** The pair’s own proposal: the one that there is, or one that a person makes. */
export const proposePair = async (
  transaction: Transaction,
  caller: Caller,
  [claimId, candidateClaimId]: readonly [ClaimId, ClaimId],
): Promise<string> => {
  await proposeMerges(transaction, [
    {
      workspaceId: caller.workspaceId,
      claimId,
      candidateClaimId,
      score: 0,
      similarity: null,
      chance: null,
      reason: `${caller.userName} finds the two to be the same.`,
      refusedBy: null,
    },
  ])
  return (await proposalOfPair(transaction, [claimId, candidateClaimId])) ?? throwDeleted('proposal')
}
