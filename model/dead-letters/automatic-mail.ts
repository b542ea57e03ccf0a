import type { Transaction } from '../../infra/postgres/port.ts'
import type { SourceId } from '../../schemas/domain/ids.ts'

/** A source's automatic mail that was neither replayed nor discarded. */
const HELD = `from dead_letters where state = 'waiting' and fault = 'automatic' and source_id = $1`

interface AutomaticMailCount {
  readonly kind: string
  readonly mails: number
}

const COUNT = `
  select error_class as kind, count(*)::integer as mails ${HELD}
  group by error_class order by mails desc, kind`

/** Number of a source's automatic mails by kind, most first. */
export const countAutomaticMail = (transaction: Transaction, source: SourceId): Promise<AutomaticMailCount[]> =>
  transaction.query<AutomaticMailCount>(COUNT, [source])

export interface AutomaticMail {
  readonly signal_id: string
  readonly at: Date
  readonly kind: string
  /** Null while sealed, as the record is. */
  readonly reason: string | null
  readonly record: Uint8Array | null
}

const LIST = `
  select signal_id, last_failed_at as at, error_class as kind, case when not sealed then message end as reason,
    case when not sealed then record end as record ${HELD}
  order by last_failed_at desc, signal_id limit $2`

/** The newest mails with their records. */
export const listAutomaticMail = (
  transaction: Transaction,
  source: SourceId,
  limit: number,
): Promise<AutomaticMail[]> => transaction.query<AutomaticMail>(LIST, [source, limit])
