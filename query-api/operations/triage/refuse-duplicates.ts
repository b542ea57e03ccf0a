import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { firstMarkedDuplicate } from '../../../model/duplicates/marked-duplicates.ts'
import type { LockedSignal } from '../../../model/triage/triage.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'

/** Refuses, with `conflict`, Signals that a person said repeat another: they count there, and would count twice. */
export const refuseDuplicates = async (transaction: Transaction, signals: readonly LockedSignal[]): Promise<void> => {
  const row = await firstMarkedDuplicate(
    transaction,
    signals.map(({ id }) => id),
  )
  if (row === undefined) return
  const name = reference('signal', row.number)
  throw new AssayError(
    'conflict',
    `${name} counts as a repeat of ${reference('signal', row.of)}. Nothing was written. Undo that first (action undo, signal_id ${name}).`,
  )
}
