import { storeDecision } from '../../../model/decisions/log-decision.ts'
import { learnFromDecisions } from '../../../model/merges/chance/correction.ts'
import { withdrawSame } from '../../../model/merges/kept-apart.ts'
import { settleImpliedProposals, settleProposals, waitingBeside } from '../../../model/merges/proposal.ts'
import { namedClaims } from '../claims/claim.ts'
import { AssayError, actorLabel, type Transaction, type WriteContext, writeOperation } from '../define.ts'
import { confirmMerges, type MergeChoice } from '../merges/confirm-merges.ts'
import { lockPairs, proposalIdsOf } from '../merges/merge.ts'
import { notARepeat } from './not-a-repeat.ts'
import { type Promotion, promoteSignal } from './promote.ts'
import {
  exactlyOne,
  NO_CHANGES,
  refuseOthers,
  required,
  Triaged,
  type TriageInput,
  triageInput,
} from './triage-shape.ts'
import { triageSignal } from './triage-signal.ts'
import { undo } from './undo.ts'

const decide = async (transaction: Transaction, context: WriteContext, given: TriageInput): Promise<Triaged> => {
  const { action, survivor_id: survivorId, version, comment } = given
  if (action === 'undo') return undo(transaction, context, await withProposalId(transaction, given))
  if (action === 'confirm_merge' || action === 'refuse_merge') {
    exactlyOne(given, ['proposal_id', 'proposal_ids'])
    const named = given.proposal_ids ?? [required(given.proposal_id, 'proposal_id', action)]
    const proposalIds = await proposalIdsOf(transaction, named)
    const choice = { proposalIds, survivorId, comment }
    const settle = action === 'confirm_merge' ? confirmMerges : refuseMerges
    const before = await waitingBeside(transaction, proposalIds)
    const settled = await settle(transaction, context, choice)
    return { ...settled, also_left: Math.max(0, before - (await waitingBeside(transaction, proposalIds))) }
  }
  const signalId = required(given.signal_id, 'signal_id', action)
  const of = { signalId, version, comment }
  if (action === 'not_a_repeat') return notARepeat(transaction, context, of)
  if (action === 'promote') return promoteSignal(transaction, context, { ...of, to: promotedTo(given) })
  if (action !== 'reclassify') return triageSignal(transaction, context, { ...of, action })
  const classification = required(given.classification, 'classification', action)
  return triageSignal(transaction, context, { ...of, action, classification })
}

/** With the proposal's id when a pair was named. */
const withProposalId = async (transaction: Transaction, given: TriageInput): Promise<TriageInput> => {
  if (given.proposal_id === undefined) return given
  const [proposal_id = given.proposal_id] = await proposalIdsOf(transaction, [given.proposal_id])
  return { ...given, proposal_id }
}

const promotedTo = (given: TriageInput): Promotion['to'] => {
  const { title, kind, claim_id: claimId } = given
  if (exactlyOne(given, ['kind', 'claim_id']) === 'kind') return { kind: required(kind, 'kind', 'promote'), title }
  if (title === undefined) return { claimId: required(claimId, 'claim_id', 'promote') }
  throw new AssayError(
    'invalid_input',
    'Action promote takes title with kind only: a claim that is there has its title.',
    {
      violations: [{ pointer: '/title', message: 'is for a new claim, with kind' }],
    },
  )
}

export const triage = writeOperation({
  name: 'triage',
  title: 'Decide on what waits in Triage',
  summary:
    'Accepts, dismisses, reclassifies or promotes a Signal; takes out a repeat that says something else; confirms or refuses proposed merges of claims, one or a group at once; or undoes any of these, and what the judge merged or attached. A dismissed Signal no longer weighs as evidence. A promoted one becomes evidence of a new claim (kind) or of an existing one (claim_id). After a merge the references answer the survivor; a pair that is refused or pulled apart is never proposed again. Each is logged as a Decision, which undo takes.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  omittedFields: ['proposal_id'],
  input: triageInput,
  output: Triaged,
  apply: async (given, transaction, context) => {
    refuseOthers(given)
    return { data: await decide(transaction, context, given), size: given.proposal_ids?.length ?? 1 }
  },
})

/**
 * Refuses the pairs for good, all or none, under one Decision: neither they nor their survivors are proposed again.
 * Throws `conflict` for a decided proposal, and for two claims that are already one.
 */
const refuseMerges = async (
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
