import type { Transaction } from '../../../infra/postgres/port.ts'
import type { DeadLetter } from './dead-letter.ts'

/**
 * A letter that is there already stays as it is, with its state, unless a later replay of the signal died. One of the fault `transient`
 * is due again after the next of the delays in `$2` (milliseconds); after the last of them never.
 */
const STORE = `
  insert into dead_letters
    (signal_id, step, workspace_id, topic, fault, error_class, message, attempts, first_failed_at, last_failed_at,
     trace_id, sealed, record, replay, next_redrive_at)
  select signal_id, step, workspace_id, topic, fault, error_class, message, attempts, first_failed_at, last_failed_at,
     trace_id, sealed, decode(record, 'base64'), replay,
     case when fault = 'transient' then last_failed_at + ($2::bigint[])[1] * interval '1 millisecond' end
  from jsonb_to_recordset($1::jsonb) as letter
    (signal_id uuid, step text, workspace_id uuid, topic text, fault text, error_class text, message text,
     attempts integer, first_failed_at timestamptz, last_failed_at timestamptz, trace_id text, sealed boolean,
     record text, replay integer)
  on conflict (signal_id, step) do update set
    topic = excluded.topic,
    fault = excluded.fault,
    error_class = excluded.error_class,
    message = excluded.message,
    attempts = excluded.attempts,
    last_failed_at = excluded.last_failed_at,
    trace_id = excluded.trace_id,
    sealed = excluded.sealed,
    record = excluded.record,
    replay = excluded.replay,
    state = 'waiting',
    decision_id = null,
    deaths = dead_letters.deaths + 1,
    next_redrive_at = case when excluded.fault = 'transient' then
      excluded.last_failed_at
        + ($2::bigint[])[dead_letters.deaths + 1 - dead_letters.earlier_deaths] * interval '1 millisecond' end
  where excluded.replay > dead_letters.replay`

/** Letters in rounds that hold each signal and step once: one statement cannot update a row twice. Rounds keep the order. */
const rounds = (deadLetters: readonly DeadLetter[]): readonly DeadLetter[][] => {
  const made: DeadLetter[][] = []
  const seen = new Map<string, number>()
  for (const deadLetter of deadLetters) {
    const key = `${deadLetter.signal_id} ${deadLetter.step}`
    const round = seen.get(key) ?? 0
    seen.set(key, round + 1)
    made[round] = [...(made[round] ?? []), deadLetter]
  }
  return made
}

export const storeDeadLetters = async (
  transaction: Transaction,
  deadLetters: readonly DeadLetter[],
  redriveDelaysMs: readonly number[],
): Promise<void> => {
  for (const round of rounds(deadLetters)) await transaction.query(STORE, [JSON.stringify(round), redriveDelaysMs])
}
