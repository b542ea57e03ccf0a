import { exceededLimit, type JsonLimits } from '../../../schemas/http/json-limits.ts'
import { withoutNulls } from '../../../schemas/http/json-values.ts'
import { knownFields, SignalBody, signalBody } from '../../../schemas/http/signal.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import { errorsIn, violationsOf } from '../../../schemas/http/violations.ts'
import {
  type CsvReading,
  DELIMITERS,
  type Delimiter,
  MAPPED_FIELDS,
  type MappedField,
} from '../../../schemas/transfers/reading.ts'
import { type CsvRecord, csvScan, NOT_UTF8 } from '../records/formats.ts'
import { readRecords } from '../records/read-records.ts'
import { readDate } from './dates.ts'

const LOOKED_AT = 30

/** What senders and other tools call the fields. */
const OTHER_NAMES: Readonly<Record<MappedField, readonly string[]>> = {
  text: ['feedback', 'comment', 'message', 'body', 'content', 'description', 'review', 'note', 'verbatim'],
  source: ['channel', 'origin system', 'product'],
  source_url: ['url', 'link', 'permalink'],
  occurred_at: ['date', 'time', 'timestamp', 'created', 'created at', 'submitted at', 'received at'],
  actor_name: ['name', 'customer', 'author', 'user', 'reporter', 'from'],
  actor_email: ['email', 'e mail', 'mail', 'customer email', 'user email', 'author email'],
  signal_origin: ['origin'],
  actor_role: ['role'],
  event: ['type', 'category', 'kind'],
  metadata: ['meta', 'properties'],
}

const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_.-]+/g, ' ')

/** The first records of a file, with their fields; `bytes` are its beginning. Those that are none are left out. */
export const firstRecords = async (
  bytes: Uint8Array,
  delimiter: Delimiter,
  most = LOOKED_AT,
): Promise<readonly (readonly string[])[]> => {
  const records: (readonly string[])[] = []
  for await (const { content } of readRecords(only(bytes), csvScan(delimiter))) {
    if (content !== 'too_long' && content.ok && content.fields.some(field => field !== '')) records.push(content.fields)
    if (records.length === most) break
  }
  return records
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/**
 * How a CSV file is likely meant, by its beginning: its delimiter, whether its first line names columns, and which
 * fields they are.
 */
export const recognizeCsv = async (beginning: Uint8Array): Promise<CsvReading> => {
  let best: { readonly delimiter: Delimiter; readonly score: number; readonly first: readonly string[] } | null = null
  for (const delimiter of DELIMITERS) {
    const records = await firstRecords(beginning, delimiter)
    const [first = []] = records
    // Columns that hold in every record count, and more of them are better.
    const alike = records.filter(record => record.length === first.length).length
    const score = first.length < 2 ? 0 : (alike / records.length) * (1 + Math.log(first.length))
    if (best === null || score > best.score) best = { delimiter, score, first }
  }
  const { delimiter = ',', first = [] } = best ?? {}
  const mapping = suggestMapping(first)
  const header = mapping.length > 0 || looksLikeNames(first)
  // One column without a name that is known can only be what was said.
  const text =
    mapping.some(({ field }) => field === 'text') || first.length !== 1 ? [] : [{ field: 'text' as const, column: 0 }]
  return { delimiter, header, mapping: header ? [...mapping, ...text] : text, keep_other_columns: true }
}

/** Short, not empty, each another, and no figures, addresses or times. */
const looksLikeNames = (fields: readonly string[]): boolean =>
  fields.length > 1 &&
  new Set(fields.map(plain)).size === fields.length &&
  fields.every(field => /^[^\d@:/]{1,40}$/u.test(field.trim()) && field.trim().split(/\s+/).length <= 4)

/** The fields that columns of these names are: by the field's own name first, then by others that are usual. */
const suggestMapping = (names: readonly string[]): CsvReading['mapping'] => {
  const columns = names.map(plain)
  const mapping: CsvReading['mapping'] = []
  for (const wanted of ['own', 'other'] as const) {
    for (const field of MAPPED_FIELDS) {
      if (mapping.some(mapped => mapped.field === field)) continue
      const known = wanted === 'own' ? [plain(field)] : OTHER_NAMES[field]
      const column = columns.findIndex(
        (name, at) => known.includes(name) && !mapping.some(mapped => mapped.column === at),
      )
      if (column !== -1) mapping.push({ field, column })
    }
  }
  return mapping.toSorted((one, other) => MAPPED_FIELDS.indexOf(one.field) - MAPPED_FIELDS.indexOf(other.field))
}

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

/** A signal has some ten fields, and a thousand values of metadata; what else a line has is dropped. */
const MAX_IN_A_LINE: JsonLimits = { values: 20_000, depth: 1000 }
const TOO_MUCH = `The line holds more than ${MAX_IN_A_LINE.values} values, or nests deeper than ${MAX_IN_A_LINE.depth} levels.`

/** A line of JSON Lines: the body of the signal webhook. */
export const readJsonLine = (line: Uint8Array, now: number): SignalReading => {
  let text: string
  try {
    text = decoder.decode(line).trim()
  } catch {
    return refused(NOT_UTF8)
  }
  if (text === '') return { kind: 'blank' }
  if (exceededLimit(text, MAX_IN_A_LINE) !== null) return refused(TOO_MUCH)
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
  if (exceededLimit(text, MAX_IN_A_LINE) !== null) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
