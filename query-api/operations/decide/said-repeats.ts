import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { saidOriginalOf, sayRepeats } from '../../../model/duplicates/said-repeats.ts'
import { present } from '../parts/action-fields.ts'
import { type HeldSignal, holdSignal, lockSignals } from './held-signal.ts'
import { namesOf, setSignals } from './hold-signals.ts'
import { refuseRepeats } from './refuse-repeats.ts'
import type { SeveralChange } from './several-change.ts'
import type { SeveralInput } from './several-fields.ts'
import { changedFields } from './triage-signal.ts'

/**
 * Makes Signals occurrences of another, with the repeats that they had. Their rows stay, dismissed, so that none weighs twice and all can be
 * taken back. Throws `conflict` for an original that is dismissed.
 */
export const saidRepeats = async (
  transaction: Transaction,
  signals: readonly HeldSignal[],
  given: SeveralInput,
): Promise<SeveralChange> => {
  const original = await holdOriginal(transaction, present(given.original_signal_id))
  if (signals.some(({ id }) => id === original.id)) {
    throw new AssayError('invalid_input', `${original.reference} cannot repeat itself: leave it out.`, {
      violations: [{ pointer: '/original_signal_id', message: 'must be none of signals' }],
    })
  }
  await refuseRepeats(transaction, signals)
  const wanted = { state: 'dismissed' } as const
  await setSignals(transaction, signals, wanted)
  const changes: SeveralChange['changes'][number][] = []
  for (const signal of signals) {
    const repeats = await sayRepeats(transaction, signal.id, original.id)
    const duplicate = { of: original.id, repeats }
    changes.push({ id: signal.id, change: { triage: 'duplicate', ...changedFields(signal, wanted), duplicate } })
  }
  return {
    says: `${namesOf(signals)} ${signals.length === 1 ? 'repeats' : 'repeat'} ${original.reference}.`,
    changes,
    objects: [{ kind: 'signal', id: original.id, change: { repeated_by: signals.map(({ id }) => id) } }],
  }
}

/** What repeats another leads on to that one. */
const holdOriginal = async (transaction: Transaction, asked: string): Promise<HeldSignal> => {
  const named = await holdSignal(transaction, asked, undefined)
  const further = await saidOriginalOf(transaction, named.id)
  const original = further === undefined ? named : ((await lockSignals(transaction, [further])).get(further) ?? named)
  if (original.state !== 'dismissed') return original
  throw new AssayError(
    'conflict',
    `${original.reference} is dismissed, so nothing counts with it. Nothing was written. Accept it first, or name another original.`,
  )
}
