import { unfollowEvidence } from '../../../model/claims/follow-evidence.ts'
import { CLAIM_KIND } from '../../../model/claims/start-claims.ts'
import { storeDecision } from '../../../model/decisions/log-decision.ts'
import { unmarkDuplicate } from '../../../model/duplicates/occurrences.ts'
import { type RepeatRow, readRepeat } from '../../../model/duplicates/read-repeats.ts'
import { takeOut } from '../../../model/duplicates/taken-out.ts'
import { resolveItself, resolveOne } from '../../../model/references/resolve.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { lastChange, lockSignals, setSignals, type TakenOutChange } from '../../../model/triage/triage.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { startClaimOf } from '../claims/claim.ts'
import { AssayError, type Transaction, throwDeleted, type WriteContext } from '../define.ts'
import { beginJob } from '../jobs/job.ts'
import { shownSignal } from './locked-signals.ts'

import { NO_CHANGES, shownRepeat, type Triaged } from './triage-shape.ts'

/**
 * Takes a repeat out of its original. A repeat that the pipeline found goes through it again as a signal and is never
 * skipped again; a person's mark is undone. Throws `conflict` for a signal that is no repeat, and for a repeat whose
 * words were not stored.
 */
export const notARepeat = async (
  transaction: Transaction,
  context: WriteContext,
  { signalId, comment }: { readonly signalId: string; readonly comment: string | undefined },
): Promise<Triaged> => {
  const { caller } = context
  for (const what of ['signals', 'claims'] as const) await lockWorkspaces(transaction, [caller.workspaceId], what)
  const repeat = await findRepeat(transaction, signalId)
  if (repeat.reason === 'member') return standForItself(transaction, context, repeat, comment)
  const original = reference('signal', repeat.original)
  if (repeat.taken_out) {
    throw new AssayError('conflict', `It was taken out of ${original} already, and is on its way. Nothing was changed.`)
  }
  if (repeat.text === null) {
    throw new AssayError(
      'conflict',
      'It came before Assay kept the words of repeats, so there is nothing to make a Signal of. Nothing was changed.',
    )
  }
  await takeOut(transaction, repeat.id, context.services.now())
  await beginJob(transaction, context, { kind: 'take_out', input: {}, total: null })
  const statement = comment ?? `What repeated ${original} is no repeat.`
  const decision = await decide(transaction, context, repeat, { statement, marked: false })
  return { ...NO_CHANGES, repeat: shownRepeat(repeat), decision }
}

const findRepeat = async (transaction: Transaction, given: string): Promise<RepeatRow> => {
  const { id } = await resolveItself(transaction, 'signal', given)
  const repeat = await readRepeat(transaction, id)
  if (repeat !== undefined) return repeat
  const { reference: name } = await resolveOne(transaction, 'signal', id)
  throw new AssayError(
    'conflict',
    `${name} repeats nothing: it is a Signal of its own. service_lookup mode repeats, id ${name}, shows what repeats it, each with its id.`,
  )
}

/** A signal that a person marked as a repeat still has its row, which gets its earlier state back. */
const standForItself = async (
  transaction: Transaction,
  context: WriteContext,
  repeat: RepeatRow,
  comment: string | undefined,
): Promise<Triaged> => {
  const signal = (await lockSignals(transaction, [repeat.id])).get(repeat.id) ?? throwDeleted('Signal')
  const statement = comment ?? `${signal.reference} does not repeat ${reference('signal', repeat.original)}.`
  const change = (await lastChange(transaction, signal.id))?.change
  const marked = change?.triage === 'duplicate' ? change : null
  await unmarkDuplicate(transaction, signal.id, marked?.duplicate?.repeats ?? [])
  await setSignals(transaction, [signal], marked?.from ?? { state: 'triage' })
  await unfollowEvidence(transaction, marked?.followed ?? [], context.services.now())
  const kind = CLAIM_KIND[signal.speaks_as]
  // A signal that was taken out and put back before had lost its claim.
  if (marked === null && kind !== null)
    await startClaimOf(transaction, context.caller, signal, { kind, reason: statement })
  const decision = await decide(transaction, context, repeat, { statement, marked: marked !== null })
  return { ...NO_CHANGES, signal: await shownSignal(transaction, signal.id), repeat: shownRepeat(repeat), decision }
}

const decide = (
  transaction: Transaction,
  { caller, services }: WriteContext,
  repeat: RepeatRow,
  { statement, marked }: { readonly statement: string; readonly marked: boolean },
) => {
  const change: TakenOutChange = { triage: 'not_a_repeat', original: repeat.signal_id, marked }
  return storeDecision(transaction, caller, {
    statement,
    at: services.now(),
    objects: [
      { kind: 'signal', id: repeat.id, change: { ...change } },
      { kind: 'signal', id: repeat.signal_id, change: { taken_out: repeat.id } },
    ],
  })
}
