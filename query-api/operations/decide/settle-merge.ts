import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { lockSurvivors } from '../../../model/claims/survivors.ts'
import { logDecision } from '../../../model/decisions/log-decision.ts'
import { mergeClaims } from '../../../model/merges/merge-claims.ts'
import { lockProposal, settleProposals } from '../../../model/merges/proposal.ts'
import { type Candidate, resolveOne } from '../../../model/references/resolve.ts'
import type { ClaimId } from '../../../schemas/domain/ids.ts'
import type { WriteContext } from '../define.ts'
import { nullable, oneOf, uuid } from '../parts/fields.ts'

export const SettledMerge = Type.Object({
  state: oneOf(['confirmed', 'refused']),
  survivor: nullable(Type.Object({ id: uuid, reference: nullable(Type.String()) })),
  merged: nullable(Type.Object({ id: uuid, reference: nullable(Type.String()) })),
  moved_signals: Type.Integer(),
  moved_solutions: Type.Integer(),
  decision: Type.Object({ id: uuid, reference: Type.String() }),
})
type SettledMerge = Static<typeof SettledMerge>

export interface MergeChoice {
  readonly proposal_id: string
  readonly survivor_id?: string
  readonly comment?: string
}

/** Who decides, for the evidence and the proposal: the member, and the key that they work through. */
const byline = ({ userName, through }: WriteContext['caller']): string =>
  through.kind === 'app' ? userName : `${userName}, through the key "${through.label}"`

const named = ({ id, reference }: Candidate) => ({ id, reference })

/** Refuses a pair for good: it is never proposed again. */
export const refuseMerge = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  choice: MergeChoice,
): Promise<SettledMerge> => {
  const at = services.now()
  const proposal = await lockProposal(transaction, choice.proposal_id)
  const claim = await resolveOne(transaction, 'claim', proposal.claim_id)
  const candidate = await resolveOne(transaction, 'claim', proposal.candidate_claim_id)
  await settleProposals(transaction, [proposal.id], 'refused', at, byline(caller))
  const decision = await logDecision(transaction, caller, {
    statement: choice.comment ?? `${claim.reference} and ${candidate.reference} are different problems.`,
    at,
    objects: [
      { kind: 'claim', id: claim.id, change: { refused_merge_with: candidate.id } },
      { kind: 'claim', id: candidate.id, change: { refused_merge_with: claim.id } },
    ],
  })
  return { state: 'refused', survivor: null, merged: null, moved_signals: 0, moved_solutions: 0, decision }
}

/** Which of the pair lives on: the one asked for, else the candidate, which was there before the new claim. */
const survivorOf = async (
  transaction: Transaction,
  [claim, candidate]: readonly [Candidate, Candidate],
  asked: string | undefined,
): Promise<{ survivor: Candidate; merged: Candidate }> => {
  if (asked === undefined) return { survivor: candidate, merged: claim }
  const { id } = await resolveOne(transaction, 'claim', asked)
  if (id === candidate.id) return { survivor: candidate, merged: claim }
  if (id === claim.id) return { survivor: claim, merged: candidate }
  throw new AssayError(
    'invalid_input',
    `survivor_id must be one of the proposal's two claims: ${claim.reference} or ${candidate.reference}.`,
    { context: { candidates: [claim, candidate] } },
  )
}

/** Merges the pair. The references of both resolve to the survivor from now on. */
export const confirmMerge = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  choice: MergeChoice,
): Promise<SettledMerge> => {
  const at = services.now()
  const proposal = await lockProposal(transaction, choice.proposal_id)
  const held = await lockSurvivors(transaction, [proposal.claim_id, proposal.candidate_claim_id])
  const pair = [
    await resolveOne(transaction, 'claim', held.get(proposal.claim_id) ?? proposal.claim_id),
    await resolveOne(transaction, 'claim', held.get(proposal.candidate_claim_id) ?? proposal.candidate_claim_id),
  ] as const
  const { survivor, merged } = await survivorOf(transaction, pair, choice.survivor_id)
  await settleProposals(transaction, [proposal.id], 'confirmed', at, byline(caller))
  const together = survivor.id === merged.id
  const moved = together
    ? { signal_ids: [], solution_ids: [] }
    : await mergeClaims(transaction, {
        // Resolved as claims just above.
        merged: merged.id as ClaimId,
        survivor: survivor.id as ClaimId,
        note: `(Came with ${merged.reference}, merged by ${byline(caller)}${choice.comment === undefined ? '' : `: ${choice.comment}`}.)`,
        at,
      })
  const decision = await logDecision(transaction, caller, {
    statement: choice.comment ?? `${merged.reference} is the same problem as ${survivor.reference}.`,
    at,
    objects: [
      { kind: 'claim', id: merged.id, change: { merged_into: survivor.id, ...moved } },
      { kind: 'claim', id: survivor.id, change: { merged_from: merged.id } },
    ],
  })
  return {
    state: 'confirmed',
    survivor: named(survivor),
    merged: named(merged),
    moved_signals: moved.signal_ids.length,
    moved_solutions: moved.solution_ids.length,
    decision,
  }
}
