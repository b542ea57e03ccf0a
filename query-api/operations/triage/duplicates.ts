import { findMarkedOriginal, markDuplicate } from '../../../model/duplicates/marked-duplicates.ts'
import { type LockedSignal, lockSignals, setSignals } from '../../../model/triage/triage.ts'
import { AssayError, type Transaction } from '../define.ts'
import { requireField } from '../parts/fields.ts'
import type { BatchChange, BatchTriageInput } from './batch-triage.ts'
import { lockSignal, namesOf, refuseDuplicates } from './locked-signals.ts'
import { changedFields } from './triage-signal.ts'

/**
 * Makes Signals occurrences of another, with the repeats that they had. Their rows stay, dismissed, so that none weighs twice and all can be
 * taken back. Throws `conflict` for an original that is dismissed.
 */
export const markDuplicates = async (
  transaction: Transaction,
  signals: readonly LockedSignal[],
  given: BatchTriageInput,
): Promise<BatchChange> => {
  const original = await lockOriginal(transaction, requireField(given.original_signal_id))
  if (signals.some(({ id }) => id === original.id)) {
    throw new AssayError('invalid_input', `${original.reference} cannot repeat itself: leave it out.`, {
      violations: [{ pointer: '/original_signal_id', message: 'must be none of signals' }],
    })
  }
  await refuseDuplicates(transaction, signals)
  const wanted = { state: 'dismissed' } as const
  await setSignals(transaction, signals, wanted)
  const changes: BatchChange['changes'][number][] = []
  for (const signal of signals) {
    const repeats = await markDuplicate(transaction, signal.id, original.id)
    const duplicate = { of: original.id, repeats }
    changes.push({ id: signal.id, change: { triage: 'duplicate', ...changedFields(signal, wanted), duplicate } })
  }
  return {
    statement: `${namesOf(signals)} ${signals.length === 1 ? 'repeats' : 'repeat'} ${original.reference}.`,
    changes,
    objects: [{ kind: 'signal', id: original.id, change: { repeated_by: signals.map(({ id }) => id) } }],
  }
}

/** What repeats another leads on to that one. Throws `conflict` for one that is dismissed. */
export const lockOriginal = async (transaction: Transaction, requestedId: string): Promise<LockedSignal> => {
  const named = await lockSignal(transaction, requestedId, undefined)
  const further = await findMarkedOriginal(transaction, named.id)
  const original = further === undefined ? named : ((await lockSignals(transaction, [further])).get(further) ?? named)
  if (original.state !== 'dismissed') return original
  throw new AssayError(
    'conflict',
    `${original.reference} is dismissed, so nothing counts with it. Nothing was written. Accept it first, or name another original.`,
  )
}
