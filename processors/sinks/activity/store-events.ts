import { createHash } from 'node:crypto'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'

const FIRST_RECEIPTS = `
  SELECT signal_id, toUnixTimestamp64Milli(min(received_at)) AS received_at
  FROM first_receipts
  WHERE workspace_id IN {workspace_ids: Array(UUID)} AND signal_id IN {signal_ids: Array(UUID)}
  GROUP BY signal_id`

/** 39 bytes each, and ClickHouse takes 128 KiB as one value (`http_max_field_value_size`). */
const IDS_PER_QUERY = 3000

/** The version of ids that are derived, and so the same for a sender's retry. */
const isDerived = (id: string): boolean => id[14] === '5'

/**
 * The events with each signal's at the time of its first receipt. A sender that repeats a request under its key makes a
 * second record of the same signal, received later, whose events have the ids of the first one's: with its time, too,
 * they are found and left out.
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
 * The range of the primary key keeps this cheap: it looks at no more than the parts of the table that the block falls
 * into. Events are asked for by the last bits of their ids, as numbers: the driver copies each sign of a text by
 * itself. Ids that end alike are told apart by the caller.
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

/** A code host sends a delivery again under its id when somebody asks for it, at most a week later. */
const REDELIVERED_WITHIN_MS = 8 * DAY_MS

/** The ids of the events that other blocks have brought, and, if ever, of some that end alike. */
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

/** The token as the number that rows carry. */
const blockOf = (token: string): string => createHash('sha256').update(token).digest().readBigUInt64BE().toString()

/**
 * Inserts the events that are not there yet, as one block under its token. The look beforehand leaves out what other
 * blocks brought, the token what is sent twice: a block is sent whole again, even where its rows are there, since the
 * rollups may not have got it. Events of one id are in one partition of the log, so nobody else inserts them meanwhile.
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
 * Without what is empty, which most fields of most events are: the columns' defaults say the same, and rows are a third
 * as long. JSON leaves out what is undefined; put together field by field, a row takes ten times as much memory.
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
