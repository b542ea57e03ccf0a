import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { storeDecision } from '../../../model/decisions/log-decision.ts'
import { learnFromDecisions } from '../../../model/merges/chance/correction.ts'
import { settleImpliedProposals } from '../../../model/merges/implied.ts'
import { settleProposals } from '../../../model/merges/proposal.ts'
import { withdrawSame } from '../../../model/merges/withdraw.ts'
import { namedClaims } from '../claims/named-claims.ts'
import { actorLabel } from '../decisions/actor-label.ts'
import type { WriteContext } from '../define.ts'
import type { MergeChoice } from '../merges/confirm-merges.ts'
import { lockPairs } from '../merges/lock-pairs.ts'
import { NO_CHANGES, type Triaged } from './triage-shape.ts'

/**
 * Refuses the pairs for good, all or none, as one Decision: neither they nor claims that they are merged into are proposed again. Throws
 * `conflict` for a proposal that is decided, and for two claims that are one already.
 */
export const refuseMerges = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  { proposalIds, comment }: Omit<MergeChoice, 'survivorId'>,
): Promise<Triaged> => {
  const at = services.now()
  const pairs = await lockPairs(transaction, caller.workspaceId, proposalIds)
  const named = await namedClaims(
    transaction,
    pairs.flatMap(({ claims }) => claims),
  )
  const one = pairs.find(({ claims: [claim, candidate] }) => claim === candidate)
  if (one !== undefined) {
    throw new AssayError(
      'conflict',
      `The two claims of proposal ${one.proposalId} are one already, ${named(one.claims[0]).reference}; nothing was changed. Undo the merge first: action undo with the claim_id of the merged one.`,
    )
  }
  const different = pairs.map(
    ({ claims: [claim, candidate] }) => `${named(claim).reference} and ${named(candidate).reference}`,
  )
  const reason = comment ?? 'They are different.'
  const decision = await storeDecision(transaction, caller, {
    statement:
      comment ?? `Different: ${different.slice(0, 20).join('; ')}${different.length > 20 ? '; and others' : ''}.`,
    at,
    objects: pairs.flatMap(({ claims: [claim, candidate] }) => [
      { kind: 'claim' as const, id: claim, change: { refused_merge_with: candidate } },
      { kind: 'claim' as const, id: candidate, change: { refused_merge_with: claim } },
    ]),
  })
  const settler = { by: actorLabel(caller), reason, at, decisionId: decision.id }
  await settleProposals(
    transaction,
    pairs.map(({ proposalId }) => proposalId),
    'refused',
    settler,
  )
  for (const claim of new Set(pairs.map(({ claims: [claim] }) => claim)))
    await settleImpliedProposals(transaction, claim, settler)
  await withdrawSame(
    transaction,
    pairs.map(({ proposalId }) => proposalId),
  )
  await learnFromDecisions(transaction, caller.workspaceId)
  const merges = pairs.map(({ proposalId }) => ({
    proposal_id: proposalId,
    state: 'refused' as const,
    survivor: null,
    merged: null,
    moved_signals: 0,
    moved_solutions: 0,
  }))
  return { ...NO_CHANGES, merges, decision }
}
