import { EPOCH, readWritten } from '../../../schemas/http/time.ts'
import { DATE_ORDERS, type DateOrder } from '../../../schemas/transfers/columns.ts'
import { monthOf } from './month-names.ts'

/** A date that is unambiguous, as ISO 8601, or one that can have two meanings. */
type Written =
  | { readonly iso: string }
  | { readonly numbers: readonly [first: number, second: number]; readonly year: number; readonly clock: string }

/** Zones that programs write as letters (RFC 2822), and others whose letters are unambiguous. */
const ZONES: Readonly<Record<string, string>> = {
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  AST: '-04:00',
  ADT: '-03:00',
  AKST: '-09:00',
  AKDT: '-08:00',
  HST: '-10:00',
  WET: 'Z',
  WEST: '+01:00',
  CET: '+01:00',
  CEST: '+02:00',
  MEZ: '+01:00',
  MESZ: '+02:00',
  EET: '+02:00',
  EEST: '+03:00',
  MSK: '+03:00',
  JST: '+09:00',
  KST: '+09:00',
  AEST: '+10:00',
  AEDT: '+11:00',
  NZST: '+12:00',
  NZDT: '+13:00',
}

const HALF = String.raw`[ap]\.? ?m\.?|[πμ]\.?μ\.?|öö|ös|오전|오후|上午|下午|午前|午後`
const AFTERNOON = /^(?:p|μ|ös|오후|下午|午後)/i
/** Words between a date and its time, in the languages of exports. */
const AT = 'at|um|à|às|a las|om|в|о|u|la|ob|klo|kl\\.?'
const CLOCK = String.raw`(?:,?[ T]+(?:(?:${AT}) )?(?:(?<before>${HALF}) ?)?(?<hours>\d{1,2})(?:[:.]| h )(?<minutes>\d\d)(?:[:.](?<seconds>\d\d)(?:[.,]\d{1,9})?)? ?(?<half>${HALF})?(?: Uhr)?)?`
const ZONE = String.raw`(?: ?(?<zone>Z|UTC|GMT|[+-]\d\d:?\d\d|(?:UTC|GMT)[+-]\d{1,2}(?::?\d\d)?|${Object.keys(ZONES).join('|')})(?: \([^()]{1,60}\))?)?`
const WEEKDAY = String.raw`(?:\p{L}{2,10}\.?,? )?`
const NAME = String.raw`(?<name>\p{L}{3,12})`
/** Text behind a year in some languages. */
const YEAR_ENDS = String.raw`(?:\.| г\.?| р\.?)?`
const formOf = (date: string, year = ''): RegExp => new RegExp(`^${WEEKDAY}${date}${CLOCK}${ZONE}${year}$`, 'iu')

const FORMS = [
  formOf(String.raw`(?<year>\d{4})(?:\. ?|[-/年]|년 )(?<month>\d{1,2})(?:\. ?|[-/月]|월 )(?<day>\d{1,2})(?:[.日]|일)?`),
  formOf(
    String.raw`(?<first>\d{1,2})(?:(?<dot>\. ?)|[-/])(?<second>\d{1,2})(?:\. ?|[-/])(?<year>\d{4}|\d\d)${YEAR_ENDS}`,
  ),
  formOf(
    String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?(?:\. ?|[ /-])(?:de )?(?:${NAME}|(?<month>\d{1,2})[月월])(?:\.?,?[ /-]|\.)(?:de )?(?<year>\d{4}|\d\d)${YEAR_ENDS}`,
  ),
  formOf(String.raw`${NAME}\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})`),
  formOf(String.raw`(?<year>\d{4})\. ${NAME}\.? (?<day>\d{1,2})\.?`),
  // The C library and some services write `Wed Oct 02 10:15:50 +0300 2013`.
  formOf(String.raw`(?<name>\p{L}{3}) (?<day>\d{1,2})`, String.raw` (?<year>\d{4})`),
]

/** Longer than any form of a date, and short enough to try every form. */
const MAX_CHARACTERS = 80
const THIS_CENTURY = 2000

/** A time in a text; null without one. A time without an offset is UTC. */
const readForm = (text: string): Written | null => {
  if (text.length > MAX_CHARACTERS) return null
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups
    if (parts === undefined) continue
    const { year = '', month, day, first, second, dot, name, zone = '' } = parts
    const clock = clockOf(parts)
    if (clock === null) return null
    const time = clock === '' ? '' : `${clock}${offsetOf(zone)}`
    const fullYear = Number(year) + (year.length === 2 ? THIS_CENTURY : 0)
    // Between dots the day comes first everywhere.
    if (first !== undefined && dot !== undefined) return isoOf(fullYear, Number(second), Number(first), time)
    if (first !== undefined) return { numbers: [Number(first), Number(second)], year: fullYear, clock: time }
    const number = name === undefined ? Number(month) : monthOf(name)
    return number === undefined ? null : isoOf(fullYear, number, Number(day), time)
  }
  return null
}

const clockOf = ({
  hours,
  minutes,
  seconds = '00',
  before,
  half = before,
}: Readonly<Record<string, string | undefined>>) => {
  if (hours === undefined) return ''
  const isAfternoon = half !== undefined && AFTERNOON.test(half)
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isAfternoon ? 12 : 0)
  return hour > 23 || (half !== undefined && Number(hours) > 12) ? null : `T${twoDigits(hour)}:${minutes}:${seconds}`
}

const offsetOf = (zone: string): string => {
  const [, sign, hours = '', minutes = '00'] = /([+-])(\d{1,2}?):?(\d\d)?$/.exec(zone) ?? []
  return sign === undefined ? (ZONES[zone.toUpperCase()] ?? 'Z') : `${sign}${hours.padStart(2, '0')}:${minutes}`
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** Null for a date that does not exist. */
const isoOf = (year: number, month: number, day: number, clock: string): { readonly iso: string } | null => {
  const iso = `${year}-${twoDigits(month)}-${twoDigits(day)}${clock}`
  return readWritten(iso) === null ? null : { iso }
}

const ordered = ({ numbers: [first, second], year, clock }: Exclude<Written, { iso: string }>, order: DateOrder) => {
  const [day, month] = order === 'day_first' ? [first, second] : [second, first]
  return isoOf(year, month, day, clock)?.iso ?? null
}

/** Forms that the contract accepts directly: ISO 8601 and epochs. */
const isPlain = (text: string): boolean => readWritten(text) !== null || EPOCH.test(text)

/** True when a text is a date in any order, and no number that may be one. */
export const isDate = (given: string): boolean => {
  const text = trimmed(given)
  return readWritten(text) !== null || readForm(text) !== null
}

const trimmed = (given: string): string => given.trim().replace(/\s+/g, ' ')

/**
 * A time of a spreadsheet or an export in the contract's form: ISO 8601 or an epoch. `order` decides on `3/4/2026`;
 * without it such a date is refused. Null when the text is no time.
 */
export const readDate = (given: string, order: DateOrder | undefined): string | null => {
  const text = trimmed(given)
  if (isPlain(text)) return text
  const written = readForm(text)
  if (written === null || 'iso' in written) return written?.iso ?? null
  if (order !== undefined) return ordered(written, order)
  const meant = DATE_ORDERS.flatMap(each => ordered(written, each) ?? [])
  return new Set(meant).size === 1 ? (meant[0] ?? null) : null
}

/** Possible orders of a column's dates. */
export interface GuessedDates {
  /** The orders that fit most dates, likelier first; two when nothing decides. */
  readonly orders: DateOrder[]
  /** A date that shows it. */
  readonly example: string
}

/** Orders that fit a date; none for a date without two meanings, and for other words. */
const ordersOf = (text: string): readonly DateOrder[] => {
  const written = isPlain(text) ? null : readForm(text)
  return written === null || 'iso' in written ? [] : DATE_ORDERS.filter(order => ordered(written, order) !== null)
}

/** False where each date that tells its order tells the other one. */
export const mayHaveOrder = (values: Iterable<string>, order: DateOrder): boolean => {
  const unambiguous = new Set(
    [...values]
      .map(trimmed)
      .map(ordersOf)
      .flatMap(orders => (orders.length === 1 ? orders : [])),
  )
  return unambiguous.size === 0 || unambiguous.has(order)
}

/** Guesses the order of a column's dates; null when each date is unambiguous or none is a date. */
export const guessDates = (values: Iterable<string>): GuessedDates | null => {
  const fits = { day_first: 0, month_first: 0 }
  let example: { readonly text: string; readonly tells: boolean } | null = null
  for (const value of values) {
    const text = trimmed(value)
    const fitting = ordersOf(text)
    for (const order of fitting) fits[order] += 1
    const tells = fitting.length === 1
    if (fitting.length > 0 && (example === null || (tells && !example.tells))) example = { text, tells }
  }
  if (example === null) return null
  const { text } = example
  if (fits.day_first !== fits.month_first) {
    return { orders: [fits.day_first > fits.month_first ? 'day_first' : 'month_first'], example: text }
  }
  // Between slashes the month often comes first, between hyphens the day.
  return { orders: text.includes('/') ? ['month_first', 'day_first'] : ['day_first', 'month_first'], example: text }
}
