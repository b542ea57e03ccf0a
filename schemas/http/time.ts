import { DAY_MS } from '../domain/durations.ts'

const EARLIEST = Date.UTC(2000, 0, 1)
const FIRST_MILLISECONDS = 1e11

export type Instant = { readonly ok: true; readonly at: number } | { readonly ok: false; readonly message: string }

/**
 * An instant as a sender writes it, in milliseconds since the epoch. A number below 1e11 is epoch seconds, any other epoch
 * milliseconds, in digits or in a string of at least nine; other strings are ISO 8601: a date alone is its midnight, a time without an offset is UTC.
 * Before 2000 or more than a day after `now` is refused: such a time is a unit or a clock gone wrong.
 */
export const parseInstant = (sent: string | number, now: number): Instant => {
  const at = typeof sent === 'number' ? fromEpoch(sent) : fromText(sent.trim())
  if (at === null || !Number.isFinite(at)) return { ok: false, message: UNREADABLE }
  if (at < EARLIEST || at > now + DAY_MS) return { ok: false, message: IMPLAUSIBLE }
  return { ok: true, at }
}

const UNREADABLE =
  'must be an ISO 8601 date or date and time, such as 2026-01-31 or 2026-01-31T09:30:00Z, or epoch seconds or milliseconds'
const IMPLAUSIBLE = 'must not be before 2000-01-01 or more than one day in the future'

const fromEpoch = (number: number): number => Math.round(Math.abs(number) < FIRST_MILLISECONDS ? number * 1000 : number)

const EPOCH = /^\d{9,16}(\.\d+)?$/
const ISO =
  /^(?<date>(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d))([T ](?<time>\d\d:\d\d)(:(?<second>\d\d)([.,](?<fraction>\d{1,9}))?)?(?<zone>Z|[+-]\d\d(:?\d\d)?)?)?$/i

const fromText = (text: string): number | null => {
  if (EPOCH.test(text)) return fromEpoch(Number(text))
  const parts = ISO.exec(text)?.groups
  if (!parts || !isDate(Number(parts.year), Number(parts.month), Number(parts.day))) return null
  const { date, time = '00:00', second = '00', fraction = '0' } = parts
  return Date.parse(`${date}T${time}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset(parts.zone)}`)
}

/** JavaScript reads February 30 as March 1; a sender's mistake must not become another day. */
const isDate = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()

const offset = (zone: string | undefined): string => {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 'Z'
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}
