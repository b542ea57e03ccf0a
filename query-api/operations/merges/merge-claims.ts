import type { Claim } from '../../../model/claims/claims.ts'
import { liftRefusals } from '../../../model/merges/kept-apart.ts'
import { proposalOfPair } from '../../../model/merges/proposal.ts'
import { proposeMerges } from '../../../model/merges/propose-merges.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import type { ClaimId } from '../../../schemas/domain/ids.ts'
import { MAX_MERGED } from '../../../schemas/domain/limits.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { resolveClaim } from '../claims/claim.ts'
import { AssayError, type Caller, type Transaction, Type, throwDeleted, writeOperation } from '../define.ts'
import { comment, identifier, version } from '../parts/fields.ts'
import { Triaged } from '../triage/triage-shape.ts'
import { confirmMerges } from './confirm-merges.ts'

/** A person looks at each of them; larger sets take several merges. */
const MAX_FURTHER = MAX_MERGED - 1

export const mergeClaims = writeOperation({
  name: 'merge_claims',
  title: 'Merge a claim into another',
  summary:
    'Merges a claim into one that a person chooses, whether the pair was proposed or not; the proposal is made with it, so that service_decide mode triage, action undo, takes it back like any merge. Two that are kept apart are refused, unless lift_refusal says that this is taken back too.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  omittedFields: ['further_claim_ids'],
  input: Type.Object({
    claim_id: Type.With(identifier, { description: 'The claim. It goes into the other.' }),
    into_claim_id: Type.With(identifier, { description: 'Into which claim. It lives on.' }),
    lift_refusal: Type.Optional(Type.Boolean({ description: 'Also when they are kept apart.' })),
    further_claim_ids: Type.Optional(
      Type.Array(identifier, {
        minItems: 1,
        maxItems: MAX_FURTHER,
        uniqueItems: true,
        description: 'More claims that go into it, all or none.',
      }),
    ),
    version,
    comment,
  }),
  output: Triaged,
  apply: async (input, transaction, context) => {
    await lockWorkspaces(transaction, [context.caller.workspaceId], 'claims')
    const into = await resolveClaim(transaction, input.into_claim_id)
    const claims = [await resolveClaim(transaction, input.claim_id)]
    for (const id of input.further_claim_ids ?? []) claims.push(await resolveClaim(transaction, id))
    refuseUnfit(claims, into, input.version)
    const proposalIds: string[] = []
    for (const { id } of claims) {
      if (input.lift_refusal === true) await liftRefusals(transaction, [id, into.id])
      proposalIds.push(await proposePair(transaction, context.caller, [id, into.id]))
    }
    const choice = { proposalIds: [...new Set(proposalIds)], survivorId: into.id, comment: input.comment }
    return { data: await confirmMerges(transaction, context, choice) }
  },
})

/** `readVersion` belongs to the first claim. */
const refuseUnfit = (claims: readonly Claim[], into: Claim, readVersion: number | undefined): void => {
  if (claims.some(({ id }) => id === into.id)) {
    throw new AssayError('conflict', `Both are ${reference('claim', into.number)} already; nothing was changed.`)
  }
  const [claim] = claims
  if (claim === undefined || readVersion === undefined || readVersion === claim.version) return
  const name = reference('claim', claim.number)
  throw new AssayError(
    'conflict',
    `${name} has changed: you read version ${readVersion}, it is at ${claim.version}. Nothing was written.`,
    { context: { current: { id: claim.id, reference: name, version: claim.version } } },
  )
}

/** The pair's own proposal: the existing one, or a new one by a person. */
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
      rejectedBy: null,
    },
  ])
  return (await proposalOfPair(transaction, [claimId, candidateClaimId])) ?? throwDeleted('proposal')
}
