/**
 * Time at which a signal happened: the sender's time, but never after the receipt. `row` is the statement's name for a
 * row of `signals` or `occurrences`. The signals' indexes contain this expression literally.
 */
export const happenedAt = (row = 'signals'): string => `least(${row}.occurred_at, ${row}.received_at)`

/** Newest first. Imported signals stand at the time at which they happened. */
export const NEWEST_FIRST = `${happenedAt()} desc, signals.number desc`

/** Ids of the newest signals of each state in `states`, at most `limit` each, by the index on the state. */
export const newestOfEach = (states: string, where: string, limit: string): string => `
  select newest.id from unnest(${states}::text[]) as requested (state) cross join lateral (
    select signals.id from signals where signals.state = requested.state and ${where} order by ${NEWEST_FIRST} limit ${limit}
  ) as newest`

/** Condition: behind the signal whose number is bound to `place` in that order; 0 for all. */
export const afterSignal = (place: string): string =>
  `(${place} = 0 or (${happenedAt()}, signals.number) <
     ((select ${happenedAt('last')} from signals last where last.number = ${place}), ${place}))`

/** Newest occurrence first. */
export const newestRepeatFirst = (row: string): string => `${happenedAt(row)} desc, ${row}.id desc`

/** Clocks of figures. */
export const CLOCKS = ['occurred', 'received'] as const
export type Clock = (typeof CLOCKS)[number]

/** Time of a row of `signals` or `occurrences` by a clock. */
export const TIME_OF: Readonly<Record<Clock, (row?: string) => string>> = {
  occurred: happenedAt,
  received: (row = 'signals') => `${row}.received_at`,
}
