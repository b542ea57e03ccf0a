import { DAY_MS } from '../domain/durations.ts'

const EARLIEST = Date.UTC(2000, 0, 1)
const FIRST_MILLISECONDS = 1e11

export type Instant = { readonly ok: true; readonly at: number } | { readonly ok: false; readonly message: string }

/**
 * An instant as a sender writes it, in milliseconds since the epoch. A number below 1e11 is epoch seconds, any other
 * epoch milliseconds, in digits or in a string of at least nine; other strings are ISO 8601, extended or basic
 * (`20260131T093000Z`), with the date of the calendar, of the week or of the year: a date alone is its midnight, a time
 * without an offset is UTC. Before 2000 or more than a day after `now` is refused: such a time is a unit or a clock
 * gone wrong.
 */
export const parseInstant = (sent: string | number, now: number): Instant => {
  const at = typeof sent === 'number' ? fromEpoch(sent) : fromText(sent.trim())
  if (at === null || !Number.isFinite(at)) return { ok: false, message: UNREADABLE }
  if (at < EARLIEST || at > now + DAY_MS) return { ok: false, message: IMPLAUSIBLE }
  return { ok: true, at }
}

/** What is wrong with a time, and where it stands. */
interface TimeViolation {
  readonly pointer: string
  readonly message: string
}

/**
 * What is wrong with a time that a sender wrote at a JSON pointer; null for what is no text and no number, of which the
 * body's schema tells.
 */
export const timeViolation = (pointer: string, sent: unknown, now: number): TimeViolation | null => {
  if (typeof sent !== 'string' && typeof sent !== 'number') return null
  const instant = parseInstant(sent, now)
  return instant.ok ? null : { pointer, message: instant.message }
}

/** The same of the time of a body, which is in the first of these fields that is there. */
export const wrongTime = (body: unknown, fields: readonly string[], now: number): TimeViolation | null => {
  if (typeof body !== 'object' || body === null) return null
  for (const field of fields) {
    const sent: unknown = Object.hasOwn(body, field) ? Reflect.get(body, field) : undefined
    if (sent !== undefined) return timeViolation(`/${field}`, sent, now)
  }
  return null
}

const UNREADABLE =
  'must be an ISO 8601 date or date and time, such as 2026-01-31 or 2026-01-31T09:30:00Z, or epoch seconds or milliseconds'
const IMPLAUSIBLE = 'must not be before 2000-01-01 or more than one day in the future'

const fromEpoch = (number: number): number => Math.round(Math.abs(number) < FIRST_MILLISECONDS ? number * 1000 : number)

/** Epoch seconds or milliseconds in digits. */
export const EPOCH = /^\d{9,16}(\.\d+)?$/
const DATE =
  /^(?<year>\d{4})(-(?<month>\d\d)-(?<day>\d\d)|(?<basicMonth>\d\d)(?<basicDay>\d\d)|-?W(?<week>\d\d)-?(?<weekday>[1-7])|-?(?<ordinal>\d{3}))$/i
const TIME =
  /^((?<hours>\d\d):(?<minutes>\d\d)(:(?<seconds>\d\d))?|(?<basicHours>\d\d)(?<basicMinutes>\d\d)(?<basicSeconds>\d\d)?)([.,](?<fraction>\d{1,9}))?(?<zone>Z|[+-]\d\d(:?\d\d)?)?$/i

const fromText = (text: string): number | null => {
  if (EPOCH.test(text)) return fromEpoch(Number(text))
  const written = readWritten(text)
  return written && epochOf(written)
}

/** Milliseconds since the epoch, in UTC where no offset is written; not a number for a time that no day has. */
export const epochOf = ({ day, clock, offset }: WrittenTime): number =>
  Date.parse(`${day}${clock ?? 'T00:00'}${offset ?? 'Z'}`)

/** A time as it is written, in parts that JavaScript reads. */
export interface WrittenTime {
  /** The calendar date, such as `2026-01-31`. */
  readonly day: string
  /** Such as `T09:30:00.000`, which may be no time of a day; null for a date alone. */
  readonly clock: string | null
  /** Such as `Z` or `+02:00`; null where none is written. */
  readonly offset: string | null
}

/**
 * The parts of a date or a date and time of ISO 8601, in any of its forms; null for anything else and for a date that
 * does not exist.
 */
export const readWritten = (text: string): WrittenTime | null => {
  const [, date = '', time] = /^([\dW-]+?)(?:[T ](\S+))?$/i.exec(text) ?? []
  const day = dayOf(date)
  if (day === null) return null
  if (time === undefined) return { day, clock: null, offset: null }
  const parts = TIME.exec(time)?.groups
  if (!parts) return null
  const { seconds, basicSeconds, fraction = '0', zone } = parts
  const minute = `${parts.hours ?? parts.basicHours}:${parts.minutes ?? parts.basicMinutes}`
  const second = `${seconds ?? basicSeconds ?? '00'}.${fraction.slice(0, 3).padEnd(3, '0')}`
  return { day, clock: `T${minute}:${second}`, offset: zone === undefined ? null : offset(zone) }
}

/**
 * The calendar date, `2026-01-31`, of a date in any form of ISO 8601: of the calendar, of the week or of the year; null
 * for none.
 */
const dayOf = (date: string): string | null => {
  const parts = DATE.exec(date)?.groups
  if (!parts) return null
  const year = Number(parts.year)
  if (parts.week !== undefined) return ofWeek(year, Number(parts.week), Number(parts.weekday))
  if (parts.ordinal !== undefined) return ofYear(year, Number(parts.ordinal))
  const month = Number(parts.month ?? parts.basicMonth)
  const day = Number(parts.day ?? parts.basicDay)
  return isDate(year, month, day)
    ? [parts.year, parts.month ?? parts.basicMonth, parts.day ?? parts.basicDay].join('-')
    : null
}

/** Week 1 is the one that has January 4; a year has 52 or 53. */
const ofWeek = (year: number, week: number, weekday: number): string | null => {
  const firstMonday = (of: number) => {
    const fourth = Date.UTC(of, 0, 4)
    return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS
  }
  const at = firstMonday(year) + ((week - 1) * 7 + weekday - 1) * DAY_MS
  return week >= 1 && at < firstMonday(year + 1) ? calendarDate(at) : null
}

const ofYear = (year: number, day: number): string | null => {
  const at = Date.UTC(year, 0, day)
  return day >= 1 && new Date(at).getUTCFullYear() === year ? calendarDate(at) : null
}

const calendarDate = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** JavaScript reads February 30 as March 1; a sender's mistake must not become another day. */
const isDate = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()

const offset = (zone: string): string => {
  if (zone.toUpperCase() === 'Z') return 'Z'
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}
