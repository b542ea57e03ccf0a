import type { Transaction } from '../../infra/postgres/port.ts'
import type { DecisionId } from '../../schemas/domain/ids.ts'
import { boundSelection, type DeadLetterSelection, SELECTED_DEAD_LETTERS } from './selection.ts'

const LOCK = `select signal_id, step from dead_letters where ${SELECTED_DEAD_LETTERS} order by signal_id, step for update`

interface LockedDeadLetter {
  readonly signal_id: string
  readonly step: string
}

/** The selected letters, held until the transaction ends. */
export const lockDeadLetters = (
  transaction: Transaction,
  selection: DeadLetterSelection,
): Promise<LockedDeadLetter[]> => transaction.query<LockedDeadLetter>(LOCK, boundSelection(selection))

const DISCARD = `
  update dead_letters set state = 'discarded', next_redrive_at = null, decision_id = $1
  from unnest($2::uuid[], $3::text[]) as meant (signal_id, step)
  where dead_letters.signal_id = meant.signal_id and dead_letters.step = meant.step`

/** Gives letters up by a Decision: they are neither driven again nor replayed. */
export const discardDeadLetters = async (
  transaction: Transaction,
  decisionId: DecisionId,
  letters: readonly LockedDeadLetter[],
): Promise<void> => {
  await transaction.query(DISCARD, [
    decisionId,
    letters.map(({ signal_id }) => signal_id),
    letters.map(({ step }) => step),
  ])
}
