import { DAY_MS } from '../domain/durations.ts'

const EARLIEST = Date.UTC(2000, 0, 1)
const FIRST_MILLISECONDS = 1e11

export type Instant = { readonly ok: true; readonly at: number } | { readonly ok: false; readonly message: string }

/**
 * Parses a sender's time; the result is in milliseconds since the epoch. A number below 1e11 is epoch seconds, a larger
 * one epoch milliseconds; as a string it needs nine digits. Other strings are ISO 8601, extended or basic
 * (`20260131T093000Z`), with calendar, week or ordinal dates. A date alone means midnight; without an offset UTC
 * counts. Refuses times before 2000 or more than a day after `now`, which show a wrong unit or clock.
 */
export const parseInstant = (sent: string | number, now: number): Instant => {
  const at = typeof sent === 'number' ? fromEpoch(sent) : fromText(sent.trim())
  if (at === null || !Number.isFinite(at)) return { ok: false, message: UNREADABLE }
  if (at < EARLIEST || at > now + DAY_MS) return { ok: false, message: IMPLAUSIBLE }
  return { ok: true, at }
}

/** A fault of a time, with its JSON pointer. */
interface TimeViolation {
  readonly pointer: string
  readonly message: string
}

/**
 * The fault of a time at a JSON pointer; null for a valid time, and for a value that is neither text nor number, which
 * the schema reports.
 */
export const timeViolation = (pointer: string, sent: unknown, now: number): TimeViolation | null => {
  if (typeof sent !== 'string' && typeof sent !== 'number') return null
  const instant = parseInstant(sent, now)
  return instant.ok ? null : { pointer, message: instant.message }
}

/** The same for a body's time, in the first of these fields that is present. */
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

/** Milliseconds since the epoch, in UTC without an offset; NaN for an impossible time of day. */
export const epochOf = ({ day, clock, offset }: WrittenTime): number =>
  Date.parse(`${day}${clock ?? 'T00:00'}${offset ?? 'Z'}`)

/** A written time in parts that JavaScript can parse. */
export interface WrittenTime {
  /** The calendar date, such as `2026-01-31`. */
  readonly day: string
  /** Such as `T09:30:00.000`, perhaps an impossible time; null for a date alone. */
  readonly clock: string | null
  /** Such as `Z` or `+02:00`; null without one. */
  readonly offset: string | null
}

/** The parts of an ISO 8601 date, or date and time, in any form; null for anything else and for a nonexistent date. */
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

/** The calendar date, such as `2026-01-31`, of an ISO 8601 calendar, week or ordinal date; null for any other text. */
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

/** Week 1 contains January 4; a year has 52 or 53 weeks (ISO 8601). */
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

/** JavaScript parses February 30 as March 1; a sender's mistake must not become another day. */
const isDate = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()

const offset = (zone: string): string => {
  if (zone.toUpperCase() === 'Z') return 'Z'
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}
