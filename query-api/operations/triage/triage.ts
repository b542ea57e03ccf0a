import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { type WriteContext, writeOperation } from '../define.ts'
import { confirmMerges } from '../merges/confirm-merges.ts'
import { proposalIdsOf } from '../merges/named-pair.ts'
import { notARepeat } from './not-a-repeat.ts'
import { type Promotion, promoteSignal } from './promote.ts'
import { refuseMerges } from './refuse-merges.ts'
import { exactlyOne, refuseOthers, required, type TriageInput, triageInput } from './triage-fields.ts'
import { Triaged } from './triage-shape.ts'
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
    return (action === 'confirm_merge' ? confirmMerges : refuseMerges)(transaction, context, choice)
  }
  const signalId = required(given.signal_id, 'signal_id', action)
  const of = { signalId, version, comment }
  if (action === 'not_a_repeat') return notARepeat(transaction, context, of)
  if (action === 'promote') return promoteSignal(transaction, context, { ...of, to: promotedTo(given) })
  if (action !== 'reclassify') return triageSignal(transaction, context, { ...of, action })
  const classification = required(given.classification, 'classification', action)
  return triageSignal(transaction, context, { ...of, action, classification })
}

/** With the id of the proposal that is meant, where a pair is named. */
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
  unlisted: ['proposal_id'],
  input: triageInput,
  output: Triaged,
  apply: async (given, transaction, context) => {
    refuseOthers(given)
    return { data: await decide(transaction, context, given), size: given.proposal_ids?.length ?? 1 }
  },
})
