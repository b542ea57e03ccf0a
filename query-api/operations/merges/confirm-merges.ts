import { lockSurvivors } from '../../../model/claims/survivors.ts'
import { attachToDecision, type DecisionObject, storeDecision } from '../../../model/decisions/log-decision.ts'
import { learnFromDecisions } from '../../../model/merges/chance/correction.ts'
import type { DecidedBy } from '../../../model/merges/kept-apart.ts'
import { mergeClaims, planMerges } from '../../../model/merges/merge-claims.ts'
import { settleImpliedProposals, settleProposals } from '../../../model/merges/proposal.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import type { ClaimId, ProposalId } from '../../../schemas/domain/ids.ts'
import { type NamedClaim, namedClaims } from '../claims/claim.ts'
import { AssayError, actorLabel, type Caller, type Transaction, type WriteContext } from '../define.ts'
import { NO_CHANGES, type SettledMerge, type Triaged } from '../triage/triage-shape.ts'
import { lockPairs } from './merge.ts'

export interface MergeChoice {
  readonly proposalIds: readonly string[]
  readonly survivorId: string | undefined
  readonly comment: string | undefined
}

/**
 * Merges the claims of the proposals under one Decision, all or nothing. Every reference then resolves to its survivor.
 * Throws `conflict` for a decided proposal, and for claims that are kept apart.
 */
export const confirmMerges = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  { proposalIds, survivorId, comment }: MergeChoice,
): Promise<Triaged> => {
  const at = services.now()
  const pairs = await lockPairs(transaction, caller.workspaceId, proposalIds)
  const involved = involvedIn(pairs)
  const named = await namedClaims(transaction, involved)
  const wanted = survivorId === undefined ? null : await wantedOf(transaction, survivorId, involved.map(named))
  const plan = planMerges(pairs, id => named(id).number, wanted)
  const decision = await storeDecision(transaction, caller, {
    statement: comment ?? statementOf(plan.map(({ merged, survivor }) => [named(merged), named(survivor)])),
    at,
    objects: [],
  })
  const settler = { by: actorLabel(caller), reason: comment ?? 'They are the same.', at, decisionId: decision.id }
  const { merges, objects } = await settleMerges(transaction, caller, { pairs, plan }, settler)
  await attachToDecision(transaction, caller.workspaceId, decision.id, objects)
  return { ...NO_CHANGES, merges, decision }
}

type Pairs = Awaited<ReturnType<typeof lockPairs>>

const involvedIn = (pairs: Pairs): readonly ClaimId[] => [...new Set(pairs.flatMap(({ claims }) => claims))]

interface Planned {
  readonly pairs: Pairs
  readonly plan: ReturnType<typeof planMerges>
}

/**
 * Carries out the planned merges of the pairs under an existing Decision. Answers the merges and the Decision's
 * objects.
 */
export const settleMerges = async (
  transaction: Transaction,
  { workspaceId }: Caller,
  { pairs, plan }: Planned,
  settler: DecidedBy,
): Promise<{ readonly merges: SettledMerge[]; readonly objects: readonly DecisionObject[] }> => {
  const involved = involvedIn(pairs)
  const named = await namedClaims(transaction, involved)
  const objects: DecisionObject[] = []
  const merges = new Map<ProposalId, SettledMerge>(
    pairs.map(({ proposalId, claims: [, candidate] }) => [proposalId, alreadyOne(proposalId, named(candidate))]),
  )
  for (const { proposalId, merged, survivor } of plan) {
    const { by: actor, ...rest } = settler
    const moved = await mergeClaims(transaction, { ...rest, merged, survivor, mergedBy: 'member', actor, proposalId })
    objects.push(
      { kind: 'claim', id: merged, change: { merged_into: survivor, ...moved } },
      { kind: 'claim', id: survivor, change: { merged_from: merged } },
    )
    merges.set(proposalId, {
      ...alreadyOne(proposalId, named(survivor)),
      merged: shown(named(merged)),
      moved_signals: moved.signal_ids.length,
      moved_solutions: moved.solution_ids.length,
    })
  }
  await settleProposals(transaction, [...merges.keys()], 'confirmed', settler)
  for (const id of new Set((await lockSurvivors(transaction, involved)).values())) {
    await settleImpliedProposals(transaction, id, settler)
  }
  await learnFromDecisions(transaction, workspaceId)
  return { merges: [...merges.values()], objects }
}

const shown = ({ id, reference }: NamedClaim) => ({ id, reference })

const alreadyOne = (proposalId: ProposalId, survivor: NamedClaim): SettledMerge => ({
  proposal_id: proposalId,
  state: 'confirmed',
  survivor: shown(survivor),
  merged: null,
  moved_signals: 0,
  moved_solutions: 0,
})

const wantedOf = async (
  transaction: Transaction,
  requestedId: string,
  involved: readonly NamedClaim[],
): Promise<ClaimId> => {
  const { id } = await resolveOne(transaction, 'claim', requestedId)
  const found = involved.find(claim => claim.id === id)
  if (found !== undefined) return found.id
  throw new AssayError(
    'invalid_input',
    `survivor_id must be one of the claims that the proposals name: ${involved.map(({ reference }) => reference).join(', ')}.`,
    { context: { candidates: involved.map(shown) } },
  )
}

const MAX_NAMED = 20

/** Statement of a Decision without a comment: `CLM-2 is the same as CLM-1.` */
const statementOf = (merges: readonly (readonly [NamedClaim, NamedClaim])[]): string => {
  if (merges.length === 0) return 'The proposed claims are one already.'
  const requested = merges
    .slice(0, MAX_NAMED)
    .map(([merged, survivor]) => `${merged.reference} is the same as ${survivor.reference}`)
  const more = merges.length > MAX_NAMED ? `; and ${merges.length - MAX_NAMED} more` : ''
  return `${requested.join('; ')}${more}.`
}
