import { exceededLimit } from '../../../schemas/http/json-limits.ts'
import { withoutNulls } from '../../../schemas/http/json-values.ts'
import { knownFields, SignalBody, signalBody } from '../../../schemas/http/signal.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import { errorsIn, violationsOf } from '../../../schemas/http/violations.ts'
import { type ColumnField, FACT_FIELDS, type FactField } from '../../../schemas/transfers/columns.ts'
import type { CsvReading } from '../../../schemas/transfers/reading.ts'
import { type CsvRecord, NOT_UTF8 } from '../records/formats.ts'
import { readDate } from './dates.ts'
import { csvRow, isObject, jsonRow, jsonValues, MAX_IN_A_RECORD, objectIn, type Row } from './rows.ts'

/** A record as a signal's body, or the reason why it is none, without its values. `nothing` is an empty line. */
export type SignalReading =
  | {
      readonly kind: 'signal'
      readonly body: SignalBody
      readonly occurredAt: number | null
      /** The row's id in the file's tool; null without such a column. */
      readonly rowId: string | null
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'blank' }

type Refused = Extract<SignalReading, { kind: 'refused' }>

const refused = (reason: string): Refused => ({ kind: 'refused', reason })

/** Checks a body as the edge does: the webhook's refusals apply, in the same words. */
const checked = (record: unknown, now: number, rowId: string | null = null): SignalReading => {
  const value = withoutNulls(SignalBody, record)
  if (!signalBody.Check(value)) {
    const [first] = violationsOf(errorsIn(signalBody, value))
    return refused(first === undefined ? 'It is no signal.' : inWords(first))
  }
  if (value.occurred_at === undefined) return { kind: 'signal', body: knownFields(value), occurredAt: null, rowId }
  const instant = parseInstant(value.occurred_at, now)
  if (!instant.ok) return refused(inWords({ pointer: '/occurred_at', message: instant.message }))
  return { kind: 'signal', body: knownFields(value), occurredAt: instant.at, rowId }
}

/** Names below a known field are the sender's own and are left out. */
const inWords = ({ pointer, message }: { readonly pointer: string; readonly message: string }): string => {
  const [, name = ''] = pointer.split('/')
  return name === '' ? `The record ${message}.` : `${name} ${message}.`
}

const decoder = new TextDecoder('utf-8', { fatal: true })

const TOO_MUCH = `The line holds more than ${MAX_IN_A_RECORD.values} values, or nests deeper than ${MAX_IN_A_RECORD.depth} levels.`

type JsonReading = { readonly kind: 'value'; readonly value: unknown } | Refused | { readonly kind: 'blank' }

const readJson = (bytes: Uint8Array, notJson: string): JsonReading => {
  let text: string
  try {
    text = decoder.decode(bytes).trim()
  } catch {
    return refused(NOT_UTF8)
  }
  if (text === '') return { kind: 'blank' }
  if (exceededLimit(text, MAX_IN_A_RECORD) !== null) return refused(TOO_MUCH)
  try {
    return { kind: 'value', value: JSON.parse(text) }
  } catch {
    return refused(notJson)
  }
}

/** A line of JSON Lines: the body of the signal webhook, and the row's id if it has one. */
export const readJsonLine = (line: Uint8Array, now: number): SignalReading => {
  const read = readJson(line, 'The line is not JSON.')
  if (read.kind !== 'value') return read
  const rowId = rowIdIn(read.value)
  return checked(rowId === null ? read.value : withDetail(read.value, rowId), now, rowId)
}

const rowIdIn = (value: unknown): string | null => {
  const named = isObject(value) ? value.row_id : null
  const isName = typeof named === 'string' || typeof named === 'number'
  return isName ? String(named).trim() || null : null
}

/** The row's id in the metadata as well, because people know a ticket by its number. */
const withDetail = (value: unknown, rowId: string): unknown => {
  if (!isObject(value)) return value
  const { metadata = null } = value
  return metadata === null || isObject(metadata) ? { ...value, metadata: { row_id: rowId, ...metadata } } : value
}

/** Values of a JSON element, or the reason why it has none. */
export const elementValues = (element: Uint8Array) => {
  const read = readJson(element, 'The element is not JSON.')
  if (read.kind !== 'value') return read
  if (typeof read.value !== 'object' || read.value === null) return refused('The element is no object.')
  const values = jsonValues(read.value)
  return values === null ? ({ kind: 'blank' } as const) : ({ kind: 'values', values } as const)
}

/** A JSON element as a signal. `names` are the column names. */
export const readJsonElement = (
  element: Uint8Array,
  reading: CsvReading,
  names: readonly string[],
  now: number,
): SignalReading => {
  const read = elementValues(element)
  return read.kind === 'values' ? readRow(jsonRow(read.values, names), reading, now) : read
}

/** A CSV record as a signal. `names` are the column names, under which other columns become metadata. */
export const readCsvRecord = (
  record: CsvRecord,
  reading: CsvReading,
  names: readonly string[],
  now: number,
): SignalReading => {
  if (!record.ok) return refused(record.reason)
  const row = csvRow(record.fields, names)
  return row === null ? { kind: 'blank' } : readRow(row, reading, now)
}

const NO_DATE =
  'occurred_at must be a date, such as 2026-01-31, 31.01.2026, 1/31/2026 or Jan 31, 2026, with or without a time, in the order that is chosen for the file.'

/** True when a signal may have a column's date, or when it is empty. */
export const isReadable = (date: string, dates: CsvReading['dates'], now: number): boolean => {
  const at = readDate(date, dates)
  return at !== null && parseInstant(at, now).ok
}

const isFact = (field: ColumnField): field is FactField => FACT_FIELDS.some(each => each === field)

const readRow = (row: Row, reading: CsvReading, now: number): SignalReading => {
  const { mapping, keep_other_columns, leave_unread_dates, dates } = reading
  const body: Record<string, unknown> = {}
  const taken = new Set<number>()
  const facts: Record<string, string> = {}
  let rowId: string | null = null
  for (const { field, column, value } of mapping) {
    const given = column === undefined ? value : row.valueAt(column)
    // The row's id stays in the metadata, because people know a ticket by its number.
    if (column !== undefined && field !== 'row_id') taken.add(column)
    if (given === undefined || given.trim() === '') continue
    if (field === 'row_id') rowId = given.trim()
    else if (isFact(field)) facts[field] = given.trim()
    else if (field === 'occurred_at' && column !== undefined && leave_unread_dates && !isReadable(given, dates, now)) {
      taken.delete(column)
    } else if (field === 'text' && body.text !== undefined) body.text = `${body.text}\n\n${given}`
    else body[field] = field === 'signal_origin' || field === 'actor_role' ? given.trim().toLowerCase() : given
  }
  if (typeof body.occurred_at === 'string') {
    const at = readDate(body.occurred_at, dates)
    if (at === null) return refused(NO_DATE)
    body.occurred_at = at
  }
  if (typeof body.metadata === 'string') {
    const metadata = objectIn(body.metadata)
    if (metadata === null) return refused('metadata must be a JSON object.')
    body.metadata = metadata
  }
  if (keep_other_columns) {
    const rest = listedByName(row.others(taken))
    if (rest.size > 0) body.metadata = { ...Object.fromEntries(rest), ...(body.metadata as object | undefined) }
  }
  if (Object.keys(facts).length > 0) body.metadata = { ...(body.metadata as object | undefined), ...facts }
  return checked(body, now, rowId)
}

/** Values by name: a list for a name that occurs more than once, such as tags. */
const listedByName = (values: ReturnType<Row['others']>): ReadonlyMap<string, unknown> => {
  const listed = new Map<string, unknown[]>()
  for (const [name, value] of values) {
    const before = listed.get(name)
    if (before === undefined) listed.set(name, [value])
    else before.push(value)
  }
  return new Map([...listed].map(([name, all]) => [name, all.length === 1 ? all[0] : all]))
}
