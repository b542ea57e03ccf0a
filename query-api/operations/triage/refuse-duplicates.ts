import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import type { LockedSignal } from './locked-signal.ts'

const REPEATS = `
  select repeat.number, original.number as of
  from occurrences
  join signals as repeat on repeat.id = occurrences.id
  join signals as original on original.id = occurrences.signal_id
  where occurrences.id = any ($1::uuid[])
  order by repeat.number limit 1`

/** Refuses, with `conflict`, Signals that a person said repeat another: they count there, and would count twice. */
export const refuseDuplicates = async (transaction: Transaction, signals: readonly LockedSignal[]): Promise<void> => {
  const [row] = await transaction.query<{ number: number; of: number }>(REPEATS, [signals.map(({ id }) => id)])
  if (row === undefined) return
  const name = reference('signal', row.number)
  throw new AssayError(
    'conflict',
    `${name} counts as a repeat of ${reference('signal', row.of)}. Nothing was written. Undo that first (action undo, signal_id ${name}).`,
  )
}
