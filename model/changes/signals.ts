import type { Transaction } from '../../infra/postgres/port.ts'
import type { Classification } from '../../schemas/domain/vocabulary.ts'
import type { Window } from './window.ts'

/** Numbers rise as signals are inserted: walking back from the newest reads no more than what is new. */
const NEW_SIGNALS = `
  with before as (
    select coalesce((select number from signals where inserted_at <= $1 order by number desc limit 1), 0) as number
  )
  select classification, count(*)::integer as signals
  from signals, before
  where signals.number > before.number and inserted_at > $1 and inserted_at <= $2
  group by classification
  order by classification`

/** How many Signals of each classification came in. */
export const newSignals = (
  transaction: Transaction,
  { from, to }: Window,
): Promise<{ classification: Classification; signals: number }[]> => transaction.query(NEW_SIGNALS, [from, to])

/** Signals that died at one step for one reason and wait for somebody. */
export interface DeadLetterGroup {
  readonly step: string
  readonly error_class: string
  readonly waiting: number
  readonly at: Date
}

const DIED = `
  select step, error_class, count(*)::integer as waiting, max(last_failed_at) as at
  from dead_letters
  where state = 'waiting' and last_failed_at > $1 and last_failed_at <= $2
  group by step, error_class
  order by waiting desc, step, error_class`

/** What died in the window and still waits, by step and reason, the most first. */
export const deadLetterGroups = (transaction: Transaction, { from, to }: Window): Promise<DeadLetterGroup[]> =>
  transaction.query<DeadLetterGroup>(DIED, [from, to])
