import { createHash } from 'node:crypto'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'

const FIRST_RECEIPTS = `
  SELECT signal_id, toUnixTimestamp64Milli(min(received_at)) AS received_at
  FROM first_receipts
  WHERE workspace_id IN {workspace_ids: Array(UUID)} AND signal_id IN {signal_ids: Array(UUID)}
  GROUP BY signal_id`

/** An id takes 39 bytes, and ClickHouse accepts 128 KiB as one value (`http_max_field_value_size`). */
const IDS_PER_QUERY = 3000

/** UUID version 5: a derived id, equal for a sender's retry. */
const isDerived = (id: string): boolean => id[14] === '5'

/**
 * Gives the events of each signal the time of its first receipt. A sender that repeats a request under its idempotency
 * key makes a second, later record of the same signal, whose events have the same ids. With the same time the events
 * are found and left out.
 */
const atFirstReceipt = async (
  analytics: Analytics,
  events: readonly ActivityRecord[],
): Promise<readonly ActivityRecord[]> => {
  const first = new Map<string, number>()
  const repeatable = events.filter(({ kind, subject_id }) => kind.startsWith('signal.') && isDerived(subject_id))
  for (const { subject_id, occurred_at } of repeatable) {
    first.set(subject_id, Math.min(occurred_at, first.get(subject_id) ?? occurred_at))
  }
  if (first.size === 0) return events
  const ids = [...first.keys()]
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const rows = await analytics.query<{ readonly signal_id: string; readonly received_at: number }>(FIRST_RECEIPTS, {
      workspace_ids: [...new Set(repeatable.map(event => event.workspace_id))],
      signal_ids: ids.slice(start, start + IDS_PER_QUERY),
    })
    for (const { signal_id, received_at } of rows) first.set(signal_id, received_at)
  }
  return events.map(event => ({ ...event, occurred_at: first.get(event.subject_id) ?? event.occurred_at }))
}

/**
 * The range of the primary key limits the look-up to the block's parts of the table. Ids are compared by their last
 * bits as numbers, because the driver copies a text sign by sign. The caller tells apart ids with equal endings.
 */
const EXISTING = `
  SELECT event_id
  FROM activity
  WHERE workspace_id IN {workspace_ids: Array(UUID)}
    AND occurred_at BETWEEN fromUnixTimestamp64Milli({earliest: Int64}, 'UTC') AND fromUnixTimestamp64Milli({latest: Int64}, 'UTC')
    AND bitAnd(toUInt64(toUInt128(event_id)), 0xFFFFFFFFFFFF) IN {last_bits: Array(UInt64)}
    AND block != {block: UInt64}`

/** The last 48 bits of an id. */
const lastBits = (id: string): number => Number.parseInt(id.slice(24), 16)

/** A code host repeats a delivery under its id on request, at most a week later. */
const REDELIVERED_WITHIN_MS = 8 * DAY_MS

/** Ids of events that other blocks have stored. Rarely also ids with the same ending. */
const existing = async (
  analytics: Analytics,
  events: readonly ActivityRecord[],
  block: string,
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  for (let start = 0; start < events.length; start += IDS_PER_QUERY) {
    const part = events.slice(start, start + IDS_PER_QUERY)
    const times = part.map(
      ({ kind, occurred_at }) => occurred_at - (kind === 'code_host.event' ? REDELIVERED_WITHIN_MS : 0),
    )
    const rows = await analytics.query<{ event_id: string }>(EXISTING, {
      workspace_ids: [...new Set(part.map(event => event.workspace_id))],
      earliest: Math.min(...times),
      latest: Math.max(...part.map(({ occurred_at }) => occurred_at)),
      last_bits: part.map(event => lastBits(event.event_id)),
      block,
    })
    for (const { event_id } of rows) found.add(event_id)
  }
  return found
}

/** The token as the number in the rows. */
const blockOf = (token: string): string => createHash('sha256').update(token).digest().readBigUInt64BE().toString()

/**
 * Inserts new events as one block under its token. The look-up leaves out events of other blocks; the token covers a
 * repeated send. A repeated block is sent whole, even where its rows exist, because the rollups may lack it. Events of
 * one id are in one partition of the log, so no other processor inserts them meanwhile.
 */
export const storeEvents = async (
  analytics: Analytics,
  events: readonly ActivityRecord[],
  token: string,
): Promise<void> => {
  const block = blockOf(token)
  const timed = await atFirstReceipt(analytics, events)
  const known = await existing(analytics, timed, block)
  const rows = timed.filter(event => !known.has(event.event_id.toLowerCase())).map(event => rowOf(event, block))
  if (rows.length > 0) await analytics.insert('activity', rows, token)
}

/**
 * Omits empty fields, which most fields are: the columns' defaults have the same value, and rows get a third as long.
 * JSON omits `undefined`; a row that is built field by field takes ten times as much memory.
 */
const rowOf = (event: ActivityRecord, block: string): Readonly<Record<string, unknown>> => {
  const row: Record<string, unknown> = {
    ...event,
    block,
    occurred_at: new Date(event.occurred_at).toISOString(),
    happened_at: new Date(Math.min(event.happened_at || event.occurred_at, event.occurred_at)).toISOString(),
  }
  for (const column in row) if (row[column] === '' || row[column] === 0) row[column] = undefined
  return row
}
