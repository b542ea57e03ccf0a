/**
 * How a signal's way through the pipeline ends: as a row, as an occurrence of another, or with a dead letter and neither. One that has
 * several counts as the first of them, as a replay makes a row of what died before.
 */
export const SIGNAL_ENDS = ['inserted', 'occurrences', 'dead'] as const
export type SignalEnd = (typeof SIGNAL_ENDS)[number]

/**
 * A set of ids as two numbers that both databases come to by themselves: how many there are, and the sum of their last 32 bits, which
 * are random in every id of a signal, modulo 2^32. Two sets that differ have the same two numbers once in four thousand million times.
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

/** How many of an id's last digits say which part of a set it is in. */
const PART_DIGITS = 3

/** Expressions of Postgres over a column of ids. */
export const POSTGRES = {
  sum: (id: string): string =>
    `(coalesce(sum(('x' || right(${id}::text, 8))::bit(32)::bigint), 0) % ${MODULUS})::bigint`,
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
