import type { Analytics } from '../../infra/clickhouse/port.ts'
import { HOUR_MS } from '../../schemas/domain/durations.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

/**
 * Ends of a signal: a row, an occurrence, or a dead letter alone. A signal with several ends counts with the first,
 * because a replay makes a row of a dead letter.
 */
export const SIGNAL_ENDS = ['inserted', 'occurrences', 'dead'] as const
export type SignalEnd = (typeof SIGNAL_ENDS)[number]

/**
 * A set of ids as two numbers that both databases compute: the number of ids, and the sum of their last 32 bits modulo
 * 2^32. These bits are random in every signal's id, so two different sets have equal numbers once in four thousand
 * million times.
 */
export interface Fingerprint {
  readonly ids: number
  readonly sum: number
}

const MODULUS = 2 ** 32

export const EMPTY: Fingerprint = { ids: 0, sum: 0 }

export const isSame = (one: Fingerprint, other: Fingerprint): boolean => one.ids === other.ids && one.sum === other.sum

/** The fingerprint of two sets without a common id. */
export const added = (one: Fingerprint, other: Fingerprint): Fingerprint => ({
  ids: one.ids + other.ids,
  sum: (one.sum + other.sum) % MODULUS,
})

/** The fingerprint of a set without some of its ids. */
export const without = (one: Fingerprint, some: Fingerprint): Fingerprint => ({
  ids: one.ids - some.ids,
  sum: (one.sum - some.sum + MODULUS) % MODULUS,
})

export const fingerprintOfId = (id: string): Fingerprint => ({ ids: 1, sum: Number.parseInt(id.slice(-8), 16) })

/** Last digits of an id that give its part of a set. */
const PART_DIGITS = 3

/** Bytes of an id that form a number, with the shift of each in bits. */
const LAST_BYTES = [
  [12, 24],
  [13, 16],
  [14, 8],
  [15, 0],
] as const

/**
 * Postgres expressions over a column of ids. Signed numbers are summed, because Postgres sums unsigned ones as
 * decimals; the result modulo 2^32 is the same.
 */
export const POSTGRES = {
  sum: (id: string): string => {
    const last = LAST_BYTES.map(([byte, bits]) => `(get_byte(uuid_send(${id}), ${byte}) << ${bits})`).join(' | ')
    return `((coalesce(sum(${last}), 0) % ${MODULUS} + ${MODULUS}) % ${MODULUS})`
  },
  part: (id: string): string => `right(${id}::text, ${PART_DIGITS})`,
}

/** The same in ClickHouse, which has signals' ids as text. */
export const CLICKHOUSE = {
  sumIf: (id: string, condition: string): string =>
    `sumIf(reinterpretAsUInt32(reverse(unhex(right(${id}, 8)))), ${condition}) % ${MODULUS}`,
  part: (id: string): string => `right(${id}, ${PART_DIGITS})`,
}

/** Fingerprints of all ends as columns of one row. */
export interface EndColumns {
  readonly inserted_ids: number
  readonly inserted_sum: number
  readonly occurrences_ids: number
  readonly occurrences_sum: number
  readonly dead_ids: number
  readonly dead_sum: number
}

export const fingerprintsOf = (row: EndColumns): Readonly<Record<SignalEnd, Fingerprint>> => ({
  inserted: { ids: row.inserted_ids, sum: row.inserted_sum },
  occurrences: { ids: row.occurrences_ids, sum: row.occurrences_sum },
  dead: { ids: row.dead_ids, sum: row.dead_sum },
})

/** Hours that ClickHouse counts in one query: [from, to). */
interface Window {
  readonly from: Date
  readonly to: Date
}

/** Events of one query, which take an aggregation some tens of megabytes. */
const EVENTS_A_WINDOW = 500_000

const HOURS = `
  SELECT toUnixTimestamp(toStartOfHour(occurred_at)) AS hour, count() AS events
  FROM activity
  WHERE workspace_id IN {workspace_ids: Array(UUID)}
  GROUP BY hour
  ORDER BY hour`

interface Hour {
  /** Beginning of the hour, seconds since the epoch. */
  readonly hour: number
  readonly events: number
}

/** Joins consecutive hours into windows of at most `atMost` events. A larger hour is a window of its own. */
export const mergeWindows = (hours: readonly Hour[], atMost: number): readonly Window[] => {
  const windows: (Window & { readonly events: number })[] = []
  for (const { hour, events } of hours) {
    const last = windows.at(-1)
    const to = new Date(hour * 1000 + HOUR_MS)
    if (last === undefined || last.events + events > atMost) {
      windows.push({ from: new Date(hour * 1000), to, events })
    } else {
      windows.splice(-1, 1, { from: last.from, to, events: last.events + events })
    }
  }
  return windows.map(({ from, to }) => ({ from, to }))
}

/**
 * The workspaces' activity as windows of time. All events of a signal have the time of its receipt, so each window has
 * a signal completely or not at all, and the windows' counts can be added.
 */
export const readWindows = async (
  analytics: Analytics,
  workspaceIds: readonly WorkspaceId[],
): Promise<readonly Window[]> =>
  mergeWindows(await analytics.query<Hour>(HOURS, { workspace_ids: workspaceIds }), EVENTS_A_WINDOW)
