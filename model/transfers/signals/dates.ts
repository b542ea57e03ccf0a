import { EPOCH, readWritten } from '../../../schemas/http/time.ts'
import { DATE_ORDERS, type DateOrder } from '../../../schemas/transfers/reading.ts'

/**
 * What a spreadsheet writes for a time that says its order by itself, as ISO 8601; or a date that may be meant in two.
 */
type Written =
  | { readonly iso: string }
  | { readonly numbers: readonly [first: number, second: number]; readonly year: number; readonly clock: string }

/** The names of the months in the languages of the app, by their first three letters. */
const MONTHS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ['jan', 'jän'],
    ['feb'],
    ['mar', 'mär', 'mrz'],
    ['apr'],
    ['may', 'mai'],
    ['jun'],
    ['jul'],
    ['aug'],
    ['sep'],
    ['oct', 'okt'],
    ['nov'],
    ['dec', 'dez'],
  ].flatMap((names, place) => names.map(name => [name, place + 1])),
)

const CLOCK = String.raw`(?:,?[ T]+(?:at |um )?(?<hours>\d{1,2})[:.](?<minutes>\d\d)(?:[:.](?<seconds>\d\d)(?:[.,]\d{1,9})?)? ?(?<half>[ap]\.?m\.?)?(?: Uhr)?)?`
const ZONE = String.raw`(?: ?(?<zone>Z|UTC|GMT|[+-]\d\d:?\d\d|(?:UTC|GMT)[+-]\d\d:?\d\d)(?: \([^()]{1,60}\))?)?`
const WEEKDAY = String.raw`(?:\p{L}{2,10}\.?,? )?`
const formOf = (date: string): RegExp => new RegExp(`^${WEEKDAY}${date}${CLOCK}${ZONE}$`, 'iu')

const FORMS = [
  formOf(String.raw`(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})`),
  formOf(String.raw`(?<first>\d{1,2})(?:\. ?|[-/])(?<second>\d{1,2})(?:\. ?|[-/])(?<year>\d{4}|\d\d)`),
  formOf(String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?(?:\. ?|[ -])(?<name>\p{L}{3,9})\.?,?[ -](?<year>\d{4}|\d\d)`),
  formOf(String.raw`(?<name>\p{L}{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})`),
]

/** Longer than any form of a date, and short enough to try all forms on. */
const MAX_CHARACTERS = 80
const THIS_CENTURY = 2000

/** What a text says of a time; null where it is none. A time without an offset is UTC. */
const readForm = (text: string): Written | null => {
  if (text.length > MAX_CHARACTERS) return null
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups
    if (parts === undefined) continue
    const { year = '', month, day, first, second, name, zone = '' } = parts
    const clock = clockOf(parts)
    if (clock === null) return null
    const time = clock === '' ? '' : `${clock}${offsetOf(zone)}`
    const fullYear = Number(year) + (year.length === 2 ? THIS_CENTURY : 0)
    if (first !== undefined) return { numbers: [Number(first), Number(second)], year: fullYear, clock: time }
    const number = name === undefined ? Number(month) : MONTHS[name.slice(0, 3).toLowerCase()]
    return number === undefined ? null : isoOf(fullYear, number, Number(day), time)
  }
  return null
}

const clockOf = ({ hours, minutes, seconds = '00', half }: Readonly<Record<string, string | undefined>>) => {
  if (hours === undefined) return ''
  const isAfternoon = half?.toLowerCase().startsWith('p')
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isAfternoon ? 12 : 0)
  return hour > 23 || (half !== undefined && Number(hours) > 12) ? null : `T${twoDigits(hour)}:${minutes}:${seconds}`
}

const offsetOf = (zone: string): string => {
  const digits = /[+-]\d\d:?\d\d$/.exec(zone)?.[0]
  return digits === undefined ? 'Z' : `${digits.slice(0, 3)}:${digits.slice(-2)}`
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** Null for a date that no calendar has. */
const isoOf = (year: number, month: number, day: number, clock: string): { readonly iso: string } | null => {
  const iso = `${year}-${twoDigits(month)}-${twoDigits(day)}${clock}`
  return readWritten(iso) === null ? null : { iso }
}

const ordered = ({ numbers: [first, second], year, clock }: Exclude<Written, { iso: string }>, order: DateOrder) => {
  const [day, month] = order === 'day_first' ? [first, second] : [second, first]
  return isoOf(year, month, day, clock)?.iso ?? null
}

/** What the contract takes as it is: ISO 8601, and epochs. */
const isPlain = (text: string): boolean => readWritten(text) !== null || EPOCH.test(text)

const trimmed = (given: string): string => given.trim().replace(/\s+/g, ' ')

/**
 * A time as spreadsheets and exports write it, as the contract takes it: ISO 8601, or an epoch. `order` says what
 * `3/4/2026` means; without one, that is refused. Null where it is none.
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

/** In which orders the dates of a column may be meant. */
export interface GuessedDates {
  /** Those that fit most of them, the likelier first: two where nothing tells. */
  readonly orders: DateOrder[]
  /** One that shows it. */
  readonly example: string
}

/** Guesses from the values of a column; null where each says its order by itself, or is no date. */
export const guessDates = (values: Iterable<string>): GuessedDates | null => {
  const fits = { day_first: 0, month_first: 0 }
  let example: { readonly text: string; readonly tells: boolean } | null = null
  for (const value of values) {
    const text = trimmed(value)
    const written = isPlain(text) ? null : readForm(text)
    if (written === null || 'iso' in written) continue
    const fitting = DATE_ORDERS.filter(order => ordered(written, order) !== null)
    for (const order of fitting) fits[order] += 1
    const tells = fitting.length === 1
    if (fitting.length > 0 && (example === null || (tells && !example.tells))) example = { text, tells }
  }
  if (example === null) return null
  const { text } = example
  if (fits.day_first !== fits.month_first) {
    return { orders: [fits.day_first > fits.month_first ? 'day_first' : 'month_first'], example: text }
  }
  // Between slashes the month often comes first, between dots and hyphens the day.
  return { orders: text.includes('/') ? ['month_first', 'day_first'] : ['day_first', 'month_first'], example: text }
}
