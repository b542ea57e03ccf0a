import { type Claim, findClaim } from '../../../model/claims/claims.ts'
import { attachmentsOf, claimsOf } from '../../../model/claims/read-evidence.ts'
import { solutionMadeBy } from '../../../model/decisions/read-decisions.ts'
import { readRepeat } from '../../../model/duplicates/read-repeats.ts'
import { lockProposals, proposalsRefusedBy } from '../../../model/merges/proposal.ts'
import { mergeOfClaim, mergeOfProposal, mergesOfDecision, newestMergedInto } from '../../../model/merges/undo-merge.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import {
  type ActiveChange,
  changesOfDecision,
  type LockedSignal,
  lastChange,
  lockSignals,
} from '../../../model/triage/triage.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { resolveClaim } from '../claims/claim.ts'
import { AssayError, type Transaction, throwDeleted, type WriteContext } from '../define.ts'
import { lockSignal, lockSignalItself } from './locked-signals.ts'
import { exactlyOne, type Triaged, type TriageInput } from './triage-shape.ts'
import { detachEvidence } from './undo-signal.ts'
import { type UndoneTogether, undoTogether } from './undo-together.ts'

const NOTHING = { changes: [], putBack: [], merges: [], refused: [] }

/**
 * Undoes a Decision made in Triage, or the last decision on a signal, a merged claim or a proposal; logged as a new
 * Decision. Throws `conflict`, with nothing written, when later work depends on it.
 */
export const undo = async (transaction: Transaction, context: WriteContext, given: TriageInput): Promise<Triaged> => {
  // Undoing a repeat changes the set of signals.
  for (const what of ['signals', 'claims'] as const)
    await lockWorkspaces(transaction, [context.caller.workspaceId], what)
  const { signal_id, claim_id, proposal_id, decision_id, version, comment } = given
  if (signal_id !== undefined && claim_id !== undefined && proposal_id === undefined && decision_id === undefined) {
    return pullOutOf(transaction, context, await lockSignal(transaction, signal_id, version), claim_id, comment)
  }
  exactlyOne(given, ['decision_id', 'signal_id', 'claim_id', 'proposal_id'])
  if (signal_id !== undefined) return undoLast(transaction, context, signal_id, given)
  const found =
    claim_id !== undefined
      ? await ofClaim(transaction, claim_id, version)
      : proposal_id !== undefined
        ? await ofProposal(transaction, proposal_id)
        : await ofDecision(transaction, decision_id ?? '')
  return undoTogether(transaction, context, found, comment)
}

/** The latest of a person's decision and the judge's attachment. */
const undoLast = async (
  transaction: Transaction,
  context: WriteContext,
  signalId: string,
  { version, comment }: TriageInput,
): Promise<Triaged> => {
  const taken = await takenOutOnItsWay(transaction, signalId)
  if (taken !== undefined) {
    const statement = `${reference('decision', taken.decision)} on a repeat`
    return undoTogether(transaction, context, { ...NOTHING, statement, putBack: [taken] }, comment)
  }
  const signal = await lockSignalItself(transaction, signalId, version)
  const change = await lastChange(transaction, signal.id)
  const judged = (await attachmentsOf(transaction, signal.id)).find(({ attached_by }) => attached_by === 'judge')
  if (judged !== undefined && (change === undefined || judged.attached_at > change.made_at)) {
    return detachEvidence(transaction, context, signal, judged, comment)
  }
  if (change === undefined) {
    throw new AssayError('conflict', `Nobody decided about ${signal.reference}, so there is nothing to undo.`)
  }
  const statement = `${reference('decision', change.decision)} on ${signal.reference}`
  return undoTogether(transaction, context, { ...NOTHING, statement, changes: [{ ...change, signal }] }, comment)
}

/** A repeat without a row has only its id, and this is the only decision on it. */
const takenOutOnItsWay = async (transaction: Transaction, given: string): Promise<ActiveChange | undefined> => {
  const repeat = isUuid(given) ? await readRepeat(transaction, given) : undefined
  return repeat?.taken_out ? lastChange(transaction, repeat.id) : undefined
}

const pullOutOf = async (
  transaction: Transaction,
  context: WriteContext,
  signal: LockedSignal,
  claimId: string,
  comment: string | undefined,
): Promise<Triaged> => {
  const { id } = await resolveClaim(transaction, claimId)
  const attachment = (await attachmentsOf(transaction, signal.id)).find(({ claim_id }) => claim_id === id)
  if (attachment !== undefined) return detachEvidence(transaction, context, signal, attachment, comment)
  const claims = await claimsOf(transaction, signal.id)
  const where = claims.length === 0 ? 'no claim' : claims.map(claim => claim.reference).join(', ')
  throw new AssayError(
    'conflict',
    `${signal.reference} is no evidence of "${claimId.slice(0, 80)}"; it is evidence of ${where}.`,
    { context: { claims } },
  )
}

const ofClaim = async (
  transaction: Transaction,
  given: string,
  version: number | undefined,
): Promise<UndoneTogether> => {
  const claim = await findClaim(transaction, given)
  const name = reference('claim', claim.number)
  if (version !== undefined && version !== claim.version) {
    throw new AssayError(
      'conflict',
      `${name} has changed: you read version ${version}, it is at ${claim.version}. Nothing was written.`,
      { context: { current: { id: claim.id, reference: name, version: claim.version } } },
    )
  }
  const merge = await mergeOfClaim(transaction, claim.id)
  if (merge !== undefined) return { ...NOTHING, statement: `The merge of ${name}`, merges: [merge] }
  throw await notMerged(transaction, claim, name)
}

const notMerged = async (transaction: Transaction, claim: Claim, name: string): Promise<AssayError> => {
  if (claim.merged_into !== null) {
    return new AssayError('conflict', `${name} was merged before merges were kept, so it cannot be pulled apart.`)
  }
  const merged = (await newestMergedInto(transaction, claim.id)).map(number => reference('claim', number))
  const next =
    merged.length === 0
      ? 'Nothing is merged into it either.'
      : `Merged into it: ${merged.join(', ')}; undo takes the claim_id of one of these.`
  return new AssayError('conflict', `${name} is not merged into another claim. ${next}`, { context: { merged } })
}

const ofProposal = async (transaction: Transaction, id: string): Promise<UndoneTogether> => {
  const proposals = await lockProposals(transaction, [id])
  const [proposal] = proposals
  if (proposal?.state === 'refused') return { ...NOTHING, statement: 'The refusal to merge', refused: proposals }
  const merge = proposal?.state === 'confirmed' ? await mergeOfProposal(transaction, id) : undefined
  if (merge !== undefined) return { ...NOTHING, statement: 'The merge', merges: [merge] }
  if (proposal?.state === 'waiting') {
    throw new AssayError('conflict', `The proposal ${id} waits: nothing was decided about it that could be undone.`)
  }
  const by = proposal?.decision ? ` (${reference('decision', proposal.decision)})` : ''
  throw new AssayError(
    'conflict',
    `The claims of proposal ${id} became one by another merge${by}: undo that, with its decision_id or with the claim_id of the claim that was merged.`,
  )
}

const ofDecision = async (transaction: Transaction, given: string): Promise<UndoneTogether> => {
  const decision = await resolveOne(transaction, 'decision', given)
  const merges = await mergesOfDecision(transaction, decision.id)
  const refused = await lockProposals(transaction, await proposalsRefusedBy(transaction, decision.id))
  const changed = await changesOfDecision(transaction, decision.id)
  const locked = await lockSignals(
    transaction,
    changed.map(({ signal_id }) => signal_id),
  )
  const putBack: ActiveChange[] = []
  const changes: UndoneTogether['changes'][number][] = []
  for (const change of changed) {
    const signal = locked.get(change.signal_id)
    if (signal !== undefined) changes.push({ ...change, signal })
    else if ((await takenOutOnItsWay(transaction, change.signal_id))?.decision_id === change.decision_id)
      putBack.push(change)
    else if (change.change.triage !== 'not_a_repeat') throwDeleted('Signal')
  }
  if (merges.length + refused.length + changes.length + putBack.length > 0) {
    const made = await solutionMadeBy(transaction, decision.id)
    if (made !== undefined) {
      throw new AssayError(
        'conflict',
        `${decision.reference} made ${reference('solution', made)}, too; nothing was changed. service_decide mode undo with the change_id of that call takes all of it back (service_orient mode my_changes has it, in the app the list of changes).`,
      )
    }
    return { statement: `${decision.reference}`, changes, putBack, merges, refused, decisionId: decision.id }
  }
  throw new AssayError(
    'conflict',
    `${decision.reference} decided nothing in Triage that still stands: it was undone already, or is about something else. What it changed of a Solution is changed back with service_decide mode update_solution or prioritize.`,
  )
}
