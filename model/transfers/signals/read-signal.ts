import { withoutNulls } from '../../../schemas/http/json-values.ts'
import { knownFields, SignalBody, signalBody } from '../../../schemas/http/signal.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import { errorsIn, violationsOf } from '../../../schemas/http/violations.ts'
import type { CsvReading } from '../../../schemas/transfers/reading.ts'
import { type CsvRecord, NOT_UTF8 } from '../records/formats.ts'
import { readDate } from './dates.ts'

/** A record as a signal's body, or why it is none, without anything that stands in it. An empty line is nothing. */
export type SignalReading =
  | { readonly kind: 'signal'; readonly body: SignalBody; readonly occurredAt: number | null }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'blank' }

const refused = (reason: string): SignalReading => ({ kind: 'refused', reason })

/** Checks a body as the edge does: what the webhook refuses is refused here, in the same words. */
const checked = (record: unknown, now: number): SignalReading => {
  const value = withoutNulls(SignalBody, record)
  if (!signalBody.Check(value)) {
    const [first] = violationsOf(errorsIn(signalBody, value))
    return refused(first === undefined ? 'It is no signal.' : inWords(first))
  }
  if (value.occurred_at === undefined) return { kind: 'signal', body: knownFields(value), occurredAt: null }
  const instant = parseInstant(value.occurred_at, now)
  if (!instant.ok) return refused(inWords({ pointer: '/occurred_at', message: instant.message }))
  return { kind: 'signal', body: knownFields(value), occurredAt: instant.at }
}

/** The names below a known field are the sender’s own, and stay out. */
const inWords = ({ pointer, message }: { readonly pointer: string; readonly message: string }): string => {
  const [, name = ''] = pointer.split('/')
  return name === '' ? `The record ${message}.` : `${name} ${message}.`
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** A line of JSON Lines: the body of the signal webhook. */
export const readJsonLine = (line: Uint8Array, now: number): SignalReading => {
  let text: string
  try {
    text = decoder.decode(line).trim()
  } catch {
    return refused(NOT_UTF8)
  }
  if (text === '') return { kind: 'blank' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refused('The line is not JSON.')
  }
  return checked(value, now)
}

const NO_DATE =
  'occurred_at must be a date, such as 2026-01-31, 31.01.2026, 1/31/2026 or Jan 31, 2026, with or without a time, in the order that is chosen for the file.'

/** A record of CSV. `names` are those of its columns, by which what is no field is kept. */
export const readCsvRecord = (
  record: CsvRecord,
  { mapping, keep_other_columns, dates }: CsvReading,
  names: readonly string[],
  now: number,
): SignalReading => {
  if (!record.ok) return refused(record.reason)
  const { fields } = record
  if (fields.every(field => field.trim() === '')) return { kind: 'blank' }
  const body: Record<string, unknown> = {}
  for (const { field, column, value } of mapping) {
    const givenValue = column === undefined ? value : fields[column]
    if (givenValue === undefined || givenValue.trim() === '') continue
    body[field] = field === 'signal_origin' || field === 'actor_role' ? givenValue.trim().toLowerCase() : givenValue
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
    const taken = new Set(mapping.flatMap(({ column }) => column ?? []))
    const rest = fields.flatMap((field, column) =>
      taken.has(column) || field.trim() === '' ? [] : [[names[column] || `column ${column + 1}`, field] as const],
    )
    if (rest.length > 0) body.metadata = { ...Object.fromEntries(rest), ...(body.metadata as object | undefined) }
  }
  return checked(body, now)
}

const objectIn = (text: string): object | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
