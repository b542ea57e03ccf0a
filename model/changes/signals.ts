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
