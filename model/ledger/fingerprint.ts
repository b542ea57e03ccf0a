import type { Analytics } from '../../infra/clickhouse/port.ts'
import { HOUR_MS } from '../../schemas/domain/durations.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

/**
 * How a signal's way through the pipeline ends: as a row, as an occurrence of another, or with a dead letter and
 * neither. One that has several counts as the first of them, as a replay makes a row of what died before.
 */
export const SIGNAL_ENDS = ['inserted', 'occurrences', 'dead'] as const
export type SignalEnd = (typeof SIGNAL_ENDS)[number]

/**
 * A set of ids as two numbers that both databases come to by themselves: how many there are, and the sum of their last
 * 32 bits, which are random in every id of a signal, modulo 2^32. Two sets that differ have the same two numbers once
 * in four thousand million times.
 */
export interface Fingerprint {
  readonly ids: number
  readonly sum: number
}

const MODULUS = 2 ** 32

export const EMPTY: Fingerprint = { ids: 0, sum: 0 }

export const isSame = (one: Fingerprint, other: Fingerprint): boolean => one.ids === other.ids && one.sum === other.sum

/** That of two sets together which have no id in common. */
export const added = (one: Fingerprint, other: Fingerprint): Fingerprint => ({
  ids: one.ids + other.ids,
  sum: (one.sum + other.sum) % MODULUS,
})

/** That of a set without some of its ids. */
export const without = (one: Fingerprint, some: Fingerprint): Fingerprint => ({
  ids: one.ids - some.ids,
  sum: (one.sum - some.sum + MODULUS) % MODULUS,
})

export const fingerprintOfId = (id: string): Fingerprint => ({ ids: 1, sum: Number.parseInt(id.slice(-8), 16) })

/** How many of an id's last digits say which part of a set it is in. */
const PART_DIGITS = 3

/** Which bytes of an id a number is made of, and by how many bits each is moved. */
const LAST_BYTES = [
  [12, 24],
  [13, 16],
  [14, 8],
  [15, 0],
] as const

/**
 * Expressions of Postgres over a column of ids. The sum is of signed numbers, which Postgres adds as such and not as
 * decimals of any length; modulo 2^32 it is that of unsigned ones.
 */
export const POSTGRES = {
  sum: (id: string): string => {
    const last = LAST_BYTES.map(([byte, bits]) => `(get_byte(uuid_send(${id}), ${byte}) << ${bits})`).join(' | ')
    return `((coalesce(sum(${last}), 0) % ${MODULUS} + ${MODULUS}) % ${MODULUS})`
  },
  part: (id: string): string => `right(${id}::text, ${PART_DIGITS})`,
}

/** The same of ClickHouse, which keeps the ids of signals as text. */
export const CLICKHOUSE = {
  sumIf: (id: string, condition: string): string =>
    `sumIf(reinterpretAsUInt32(reverse(unhex(right(${id}, 8)))), ${condition}) % ${MODULUS}`,
  part: (id: string): string => `right(${id}, ${PART_DIGITS})`,
}

/** The fingerprints of all ends as columns of one row. */
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

/** A span of time that ClickHouse counts in one go: from one hour to before another. */
interface Window {
  readonly from: Date
  readonly to: Date
}

/** About what an aggregation holds some tens of megabytes for. */
const EVENTS_A_WINDOW = 500_000

const HOURS = `
  SELECT toUnixTimestamp(toStartOfHour(occurred_at)) AS hour, count() AS events
  FROM activity
  WHERE workspace_id IN {workspace_ids: Array(UUID)}
  GROUP BY hour
  ORDER BY hour`

interface Hour {
  /** When it begins, in seconds since the epoch. */
  readonly hour: number
  readonly events: number
}

/** Hours, in their order, gathered into windows of at most so many events; an hour with more is a window by itself. */
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
 * The time of the workspaces' activity in windows. All events of a signal carry the time of its receipt, so that a
 * window has all of a signal or nothing, and what windows count adds up.
 */
export const readWindows = async (
  analytics: Analytics,
  workspaceIds: readonly WorkspaceId[],
): Promise<readonly Window[]> =>
  mergeWindows(await analytics.query<Hour>(HOURS, { workspace_ids: workspaceIds }), EVENTS_A_WINDOW)
