import type { Transaction } from '../../infra/postgres/port.ts'
import { type Classification, SIGNAL_STATES } from '../../schemas/domain/vocabulary.ts'
import { happenedAt } from '../signals/happened.ts'
import type { Window } from './window.ts'

const NEW_SIGNALS = `
  select classification, count(*)::integer as signals
  from signals
  where state = any ($3) and ${happenedAt()} >= $1 and ${happenedAt()} < $2
  group by classification
  order by classification`

/** How many Signals of each classification happened in the window, its beginning included and its end not, as in lists and figures. */
export const newSignals = (
  transaction: Transaction,
  { from, to }: Window,
): Promise<{ classification: Classification; signals: number }[]> =>
  transaction.query(NEW_SIGNALS, [from, to, SIGNAL_STATES])

/** Numbers rise as signals are inserted: walking back from the newest reads no more than what is new. */
const OLDER_SIGNALS = `
  with before as (
    select coalesce((select number from signals where inserted_at <= $1 order by number desc limit 1), 0) as number
  )
  select count(*)::integer as signals, min(${happenedAt()}) as first, max(${happenedAt()}) as last
  from signals, before
  where signals.number > before.number and inserted_at > $1 and inserted_at <= $2 and ${happenedAt()} < $1`

/** Signals that came in the window, of things that had happened before it: history that was imported, or what came late. */
export const olderSignals = async (
  transaction: Transaction,
  { from, to }: Window,
): Promise<{ readonly signals: number; readonly first: Date; readonly last: Date } | null> => {
  const [row] = await transaction.query<{ signals: number; first: Date; last: Date }>(OLDER_SIGNALS, [from, to])
  return row === undefined || row.signals === 0 ? null : row
}

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
