import type { Codec } from '../../../infra/log/codec.ts'
import type { Log, OutgoingRecord } from '../../../infra/log/port.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { type ActivityRecord, activity } from '../../../schemas/events/activity.ts'
import { ACTIVITY_TOPIC } from '../../../schemas/events/topics.ts'
import { type Polling, startPolling } from '../../framework/poll.ts'
import type { Observer } from '../../framework/step.ts'

const MAX_ROWS = 500
const OLDEST = `select id, activity from outbox order by id limit ${MAX_ROWS}`
const DELETE = 'delete from outbox where id = any ($1::bigint[])'

interface Row {
  readonly id: number | string
  readonly activity: ActivityRecord
}

export interface OutboxOptions {
  readonly log: Log
  readonly database: Database
  readonly activityCodec: Codec<ActivityRecord>
  readonly observer: Observer
  /** Poll interval without a row, ms. */
  readonly intervalMs: number
}

/** Moves activity from the outbox to the log. A crash can move a row twice; its event id makes that harmless. */
export const startOutboxRelay = (options: OutboxOptions): Polling =>
  startPolling({ ...options, what: 'The outbox', work: async () => (await relayOnce(options)) === MAX_ROWS })

/** Relays the oldest rows, and answers their number. */
const relayOnce = async (options: OutboxOptions): Promise<number> => {
  const { log, database } = options
  const rows = await database.transaction({ role: 'assay_accounts', isDivisible: true }, transaction =>
    transaction.query<Row>(OLDEST),
  )
  if (rows.length === 0) return 0
  const records = await Promise.all(rows.map(row => recordOf(row, options)))
  await log.append(records.filter(record => record !== null))
  await database.transaction({ role: 'assay_accounts', isDivisible: true }, transaction =>
    transaction.query(DELETE, [rows.map(row => row.id)]),
  )
  return rows.length
}

/** Null for a row that is no activity, so that it does not block the others. */
const recordOf = async (row: Row, { activityCodec, observer }: OutboxOptions): Promise<OutgoingRecord | null> => {
  try {
    const event = activity(row.activity)
    const value = await activityCodec.encode(event)
    return { topic: ACTIVITY_TOPIC, key: event.subject_id || event.event_id, value }
  } catch (error) {
    if (!isAssayError(error) || error.code !== 'invalid_input') throw error
    observer.note('A row of the outbox is no activity and is left out', { id: row.id })
    return null
  }
}
