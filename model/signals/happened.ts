/**
 * When a signal happened: when its sender says, but never after it was received. A row of `signals` or `occurrences`,
 * by the name that the statement gives it. The indexes of signals have it in these words.
 */
export const happenedAt = (row = 'signals'): string => `least(${row}.occurred_at, ${row}.received_at)`

/** The newest first: what was imported stands where it happened. */
export const NEWEST_FIRST = `${happenedAt()} desc, signals.number desc`

/** Of a list in that order, what comes after the signal of the number that is bound to `place`; all where that is 0. */
export const afterSignal = (place: string): string =>
  `(${place} = 0 or (${happenedAt()}, signals.number) <
     ((select ${happenedAt('last')} from signals last where last.number = ${place}), ${place}))`

/** The newest of occurrences first. */
export const newestRepeatFirst = (row: string): string => `${happenedAt(row)} desc, ${row}.id desc`

/** Which time figures count by. */
export const CLOCKS = ['occurred', 'received'] as const
export type Clock = (typeof CLOCKS)[number]

/** The time of a row of `signals` or `occurrences` by a clock. */
export const TIME_OF: Readonly<Record<Clock, (row?: string) => string>> = {
  occurred: happenedAt,
  received: (row = 'signals') => `${row}.received_at`,
}
