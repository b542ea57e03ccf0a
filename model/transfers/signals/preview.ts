import type { DateOrder } from '../../../schemas/transfers/columns.ts'
import type { CsvReading } from '../../../schemas/transfers/reading.ts'
import { csvScan } from '../records/formats.ts'
import { readElements } from '../records/json-elements.ts'
import { FILE_START, readRecords } from '../records/read-records.ts'
import type { Transfer } from '../transfers.ts'
import { type BytesFrom, type Columns, csvColumns, heldBytes, jsonColumns } from './columns.ts'
import { type GuessedDates, guessDates, mayHaveOrder } from './dates.ts'
import { type ImportedRecord, nextSignals } from './imported-signals.ts'
import { elementValues, isReadable } from './read-signal.ts'
import { knownExport, recognizeCsv, recognizeJson } from './recognize.ts'
import { hashOfColumns, type RememberedReading } from './remembered.ts'
import { csvRow, jsonRow, type Row } from './rows.ts'

/** The beginning of a file of signals with its reading. */
interface Beginning {
  readonly format: Transfer['format']
  readonly bytes: Uint8Array
  /** Null before somebody has chosen: the file is read as its beginning suggests. */
  readonly reading: CsvReading | null
  /** How files with known columns were read before, the newest first. None where `reading` is given. */
  readonly remembered: readonly RememberedReading[]
  /** Limits the times of records; milliseconds since the epoch. */
  readonly now: number
}

/** Unreadable dates in the column of times. */
interface UnreadDates {
  readonly count: number
  /** Number of dates that were looked at. */
  readonly looked_at: number
  readonly examples: readonly string[]
}

export interface SignalsPreview {
  /** Null for files whose fields name themselves. */
  readonly reading: CsvReading | null
  /** Tool of the export, if it was recognized. */
  readonly tool: string | null
  /** Name of the earlier file that it is read like. */
  readonly readLike: string | null
  readonly dates: GuessedDates | null
  readonly unread_dates: UnreadDates | null
  readonly columns: readonly { readonly name: string; readonly example: string }[]
  readonly records: readonly ImportedRecord[]
}

/** Bytes for the dates: some thousand records, which show their form. */
export const PREVIEWED_BYTES = 4 * 1024 * 1024
const MAX_DATES = 5000
/** Bytes that show what a file is like. */
const BEGINNING_BYTES = 64 * 1024
const MAX_RECORDS = 20
const MAX_SHOWN_CHARACTERS = 500
const EXAMPLES = 3

/** A text of a file, cut for showing. */
export const cutShown = (text: string): string =>
  text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text

/** Reads the beginning of a file, with the possible orders of its dates. */
export const previewSignals = async ({
  format,
  bytes,
  reading: given,
  remembered,
  now,
}: Beginning): Promise<SignalsPreview> => {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const bytesFrom = heldBytes(whole)
  const guessed = format === 'json_lines' ? null : (given ?? (await recognized(format, whole)))
  const read = (reading: CsvReading | null) =>
    nextSignals(bytesFrom, { format, reading }, FILE_START, { records: MAX_RECORDS, bytes: BEGINNING_BYTES }, now)
  if (guessed === null) {
    const { records } = await read(null)
    return { reading: null, tool: null, readLike: null, dates: null, unread_dates: null, columns: [], records }
  }
  const columns = await (format === 'json'
    ? jsonColumns(bytesFrom, guessed.begins ?? 0)
    : csvColumns(bytesFrom, guessed))
  const hash = hashOfColumns(columns.names)
  const known = remembered.find(({ columns_hash }) => columns_hash === hash)
  const meant = known === undefined ? guessed : asBefore(known.reading, guessed)
  const values = await datesIn(rowsOf(bytesFrom, format, meant, columns), meant)
  const dates = guessDates(values)
  const reading = withDates(meant, dates, order => known === undefined || mayHaveOrder(values, order))
  return {
    reading,
    tool: knownExport(columns.names)?.tool ?? null,
    readLike: known?.name ?? null,
    dates,
    unread_dates: unreadIn(values, reading, now),
    columns: shownColumns(columns),
    records: (await read(reading)).records,
  }
}

/** What an earlier file's columns became, where this file's records begin. */
const asBefore = (before: CsvReading, { begins }: CsvReading): CsvReading =>
  begins === undefined ? before : { ...before, begins }

/** With the likeliest order of dates, unless a person said one that may be. */
const withDates = (
  reading: CsvReading,
  dates: GuessedDates | null,
  mayBe: (order: DateOrder) => boolean,
): CsvReading => {
  const [likeliest] = dates?.orders ?? []
  if (likeliest === undefined) return reading
  return reading.dates !== undefined && mayBe(reading.dates) ? reading : { ...reading, dates: likeliest }
}

const recognized = (format: Transfer['format'], bytes: Buffer): Promise<CsvReading> =>
  format === 'json' ? recognizeJson(bytes) : recognizeCsv(bytes.subarray(0, BEGINNING_BYTES))

const shownColumns = ({ names, rows }: Columns): SignalsPreview['columns'] => {
  const exampleOf = (column: number): string =>
    rows.map(row => row.valueAt(column) ?? '').find(value => value.trim() !== '') ?? ''
  let count = names.length
  while (rows.some(row => row.valueAt(count) !== undefined)) count += 1
  return Array.from({ length: count }, (_, column) => ({
    name: cutShown(names[column] ?? '') || `Column ${column + 1}`,
    example: cutShown(exampleOf(column)),
  }))
}

async function* rowsOf(
  bytesFrom: BytesFrom,
  format: Transfer['format'],
  { delimiter }: CsvReading,
  { names, from }: Columns,
): AsyncGenerator<Row> {
  const rest = bytesFrom(from.byte)
  if (format === 'json') {
    for await (const { content } of readElements(rest, from)) {
      const read = content === 'too_long' ? null : elementValues(content)
      if (read?.kind === 'values') yield jsonRow(read.values, names)
    }
    return
  }
  for await (const { content } of readRecords(rest, csvScan(delimiter), from)) {
    const row = content !== 'too_long' && content.ok ? csvRow(content.fields, names) : null
    if (row !== null) yield row
  }
}

/** Values in the column of dates. */
const datesIn = async (rows: AsyncIterable<Row>, { mapping }: CsvReading): Promise<readonly string[]> => {
  const column = mapping.find(({ field }) => field === 'occurred_at')?.column
  const values: string[] = []
  if (column === undefined) return values
  for await (const row of rows) {
    const value = row.valueAt(column)?.trim()
    if (value) values.push(value)
    if (values.length >= MAX_DATES) break
  }
  return values
}

const unreadIn = (values: readonly string[], { dates }: CsvReading, now: number): UnreadDates | null => {
  const unread = values.filter(value => !isReadable(value, dates, now))
  if (unread.length === 0) return null
  const examples = [...new Set(unread)].slice(0, EXAMPLES).map(cutShown)
  return { count: unread.length, looked_at: values.length, examples }
}
