import type { Transaction } from '../../infra/postgres/port.ts'
import type { Window } from './window.ts'

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
