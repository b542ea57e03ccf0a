import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schemas/domain/durations.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { language, moments, t } from '../language/messages.ts'

const SECOND_MS = 1000

const digits = (value: number): string =>
  value.toLocaleString(language, { maximumFractionDigits: value < 9.95 ? 1 : 0, useGrouping: false })

/** A number with its unit, which no end of a line parts. */
const of = (value: number | string, unit: string): string => `${value}\u00a0${unit}`

/**
 * A duration in a fitting unit, short enough for a column: `0.4 ms`, `12 ms`, `1.3 s`, `4 min 10 s`, `2 h 5 min`, `3
 * d`.
 */
export const duration = (milliseconds: number): string => {
  if (milliseconds <= 0) return of('0', 'ms')
  if (milliseconds < 0.1) return `< ${of(digits(0.1), 'ms')}`
  if (milliseconds < 999.5) return of(digits(milliseconds), 'ms')
  if (milliseconds < MINUTE_MS - 500) return of(digits(milliseconds / SECOND_MS), 's')
  if (milliseconds < HOUR_MS) return inTwo(Math.round(milliseconds / SECOND_MS), ['min', 's'], 60)
  if (milliseconds < DAY_MS) return inTwo(Math.round(milliseconds / MINUTE_MS), ['h', 'min'], 60)
  return inTwo(Math.round(milliseconds / HOUR_MS), ['d', 'h'], 24)
}

const inTwo = (small: number, [one, other]: readonly [string, string], base: number): string =>
  small % base === 0 ? of(small / base, one) : `${of(Math.floor(small / base), one)} ${of(small % base, other)}`

/** A time, to the minute, in the reader's regional format. */
export const moment = (at: string | number | Date): string =>
  new Date(at).toLocaleString(moments, { dateStyle: 'medium', timeStyle: 'short' })

interface Happened {
  /** Never later than the receipt, whatever the sender states. */
  readonly happened: Date
  /** Null when it is unknown or close to the event. */
  readonly cameIn: Date | null
}

/** The sender's time of an event, and the time of receipt when it differs. Both are ISO 8601. */
export const happenedOf = (at: string, received: string | undefined): Happened => {
  const happened = new Date(at)
  if (received === undefined) return { happened, cameIn: null }
  const cameIn = new Date(received)
  if (happened > cameIn) return { happened: cameIn, cameIn: null }
  return { happened, cameIn: cameIn.getTime() - happened.getTime() > HOUR_MS ? cameIn : null }
}

const UNITS = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 7 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const

const relativeTime = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })

/**
 * A time in words: `3 hr. ago`, `yesterday`, `in 2 days`; below a minute `just now`. Future times round up: a week
 * minus a second is 7 days.
 */
export const relative = (date: Date, now: Date): string => {
  const difference = date.getTime() - now.getTime()
  const [unit, milliseconds] = UNITS.find(([, each]) => Math.abs(difference) >= each) ?? []
  return unit === undefined
    ? t('just now')
    : relativeTime.format((difference > 0 ? Math.round : Math.trunc)(difference / milliseconds), unit)
}

const twoPlaces = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const shares = [0, 1, 2].map(digits => new Intl.NumberFormat(language, { maximumFractionDigits: digits }))

/** A share, chance, confidence or similarity: `86 %`; a dash when unknown. */
export const percent = (value: number | null, digits: 0 | 1 | 2 = 0): string =>
  value === null ? '–' : of(shares[digits]?.format(value * 100) ?? '', '%')

/** A chance, with two decimals below 1 %. */
export const likelihood = (chance: number): string => percent(chance, chance < 0.01 ? 2 : 0)

/** An evidence priority and its terms, always with two decimals, so that columns align. */
export const priority = (value: number): string => twoPlaces.format(value)

const upToTwoPlaces = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })

/** A person's factor on an evidence priority: `×1.5`. */
export const boost = (value: number): string => `×${upToTwoPlaces.format(value)}`

/** The beginning of a text, without half of a character that takes two code units. */
const beginningOf = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')

/** The beginning of a text, at most `most` characters and an ellipsis. */
export const clip = (text: string, most: number): string => (text.length <= most ? text : `${beginningOf(text, most)}…`)

/** The longest search text that the service accepts. */
export const queryOf = (text: string): string => beginningOf(text.trim(), MAX_CHARACTERS.query)
