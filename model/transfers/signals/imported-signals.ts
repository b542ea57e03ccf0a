import { Compile } from 'typebox/compile'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { CsvReading, type ImportReport } from '../../../schemas/transfers/reading.ts'
import type { Pseudonym } from '../../erasures/tombstones.ts'
import { type PieceStore, readPieces } from '../pieces.ts'
import { csvScan, MAX_RECORD_BYTES, scanLine } from '../records/formats.ts'
import { readElements } from '../records/json-elements.ts'
import { type FilePosition, type RecordAt, readRecords } from '../records/read-records.ts'
import type { Transfer } from '../transfers.ts'
import { type BytesFrom, csvColumns, jsonColumns } from './columns.ts'
import { findRows, type ImportedRow, linesAgain, shortHash } from './known-rows.ts'
import { readCsvRecord, readJsonElement, readJsonLine, type SignalReading } from './read-signal.ts'

const csvReading = Compile(CsvReading)

/** The column mapping of a stored file; null before somebody has chosen one. */
export const readingOf = ({ reading }: Pick<Transfer, 'reading'>): CsvReading | null =>
  csvReading.Check(reading) ? reading : null

/** A record of a file of signals with its line. */
export interface ImportedRecord {
  readonly line: number
  readonly reading: SignalReading
}

interface Page {
  readonly records: readonly ImportedRecord[]
  /** Names of the file's columns; none where it has no header, and where its fields name themselves. */
  readonly names: readonly string[]
  /** Start of the next page. */
  readonly next: FilePosition
}

const TOO_LONG = `The record is longer than ${MAX_RECORD_BYTES / 1024} KB.`

type File = Pick<Transfer, 'format'> & { readonly reading: CsvReading | null }

/** Bytes of a stored file. */
export const storedBytes =
  (store: PieceStore, id: Transfer['id']): BytesFrom =>
  byte =>
    readPieces(store, id, byte)

/** Records of a file from a position, limited by their number and bytes. `now` limits the times that they may have. */
export const nextSignals = async (
  bytesFrom: BytesFrom,
  file: File,
  from: FilePosition,
  most: { readonly records: number; readonly bytes: number },
  now: number,
): Promise<Page> => {
  const records: ImportedRecord[] = []
  const { start, names, signals } = await signalsFrom(bytesFrom, file, from, now)
  let position = start
  for await (const { line, reading, next, nextLine } of signals) {
    records.push({ line, reading })
    position = { byte: next, line: nextLine }
    if (records.length >= most.records || next - start.byte >= most.bytes) break
  }
  return { records, names, next: position }
}

type Read = ImportedRecord & { readonly next: number; readonly nextLine: number }

interface Signals {
  /** Position of the first record: behind the column names when the file is read from its beginning. */
  readonly start: FilePosition
  readonly names: readonly string[]
  readonly signals: AsyncIterable<Read>
}

const signalsFrom = async (bytesFrom: BytesFrom, file: File, from: FilePosition, now: number): Promise<Signals> => {
  const { reading, format } = file
  if (format === 'json_lines' || reading === null) {
    const lines = readRecords(bytesFrom(from.byte), scanLine, from)
    return { start: from, names: [], signals: placed(lines, line => readJsonLine(line, now)) }
  }
  const isJson = format === 'json'
  const columns = await (isJson ? jsonColumns(bytesFrom, reading.begins ?? 0) : csvColumns(bytesFrom, reading, 1))
  const start = from.byte === 0 ? columns.from : from
  const bytes = bytesFrom(start.byte)
  const signals = isJson
    ? placed(readElements(bytes, start), element => readJsonElement(element, reading, columns.names, now))
    : placed(readRecords(bytes, csvScan(reading.delimiter), start), record =>
        readCsvRecord(record, reading, columns.names, now),
      )
  return { start, names: columns.names, signals }
}

async function* placed<Content>(
  records: AsyncIterable<RecordAt<Content>>,
  read: (content: Content) => SignalReading,
): AsyncGenerator<Read> {
  for await (const record of records) {
    const { content } = record
    yield { ...record, reading: content === 'too_long' ? { kind: 'refused', reason: TOO_LONG } : read(content) }
  }
}

const LINES_SHOWN = 5
const CHANGED_SHOWN = 3
/** Distinct reasons in a report. They are few, because they name the fault without the value. */
const MAX_REASONS = 100

export const newReport = (): ImportReport => ({
  records: 0,
  accepted: 0,
  refused: 0,
  known: 0,
  changed: 0,
  reworded: 0,
  changed_rows: [],
  duplicates: 0,
  duplicate_lines: [],
  reasons: [],
  earliest: null,
  latest: null,
})

/** The report with these records and the state of their rows added. */
export const recordRecords = (
  before: ImportReport,
  records: readonly ImportedRecord[],
  { rows, repeated }: FoundRows,
): ImportReport => {
  const report = structuredClone(before)
  for (const { line, reading } of records) {
    if (reading.kind === 'blank') continue
    report.records += 1
    if (reading.kind === 'refused') {
      report.refused += 1
      noteReason(report, reading.reason, line)
      continue
    }
    report.accepted += 1
    if (reading.occurredAt === null) continue
    const at = new Date(reading.occurredAt).toISOString()
    if (report.earliest === null || at < report.earliest) report.earliest = at
    if (report.latest === null || at > report.latest) report.latest = at
  }
  const changed = rows.filter(({ is }) => is === 'changed')
  const reworded = changed.filter(({ isReworded }) => isReworded)
  report.known += rows.filter(({ is }) => is !== 'new').length
  report.changed += changed.length
  report.reworded += reworded.length
  const examples = changed.map(({ line, number, isReworded: is_reworded }) => ({
    line,
    signal: number === null ? null : reference('signal', number),
    is_reworded,
  }))
  report.changed_rows = [...report.changed_rows, ...examples]
    .toSorted((one, other) => Number(other.is_reworded) - Number(one.is_reworded))
    .slice(0, CHANGED_SHOWN)
  report.duplicates += repeated.length
  report.duplicate_lines = [...report.duplicate_lines, ...repeated].slice(0, LINES_SHOWN)
  return report
}

const noteReason = ({ reasons }: ImportReport, reason: string, line: number): void => {
  const known = reasons.find(each => each.reason === reason)
  if (known === undefined) {
    if (reasons.length < MAX_REASONS) reasons.push({ reason, count: 1, lines: [line] })
    return
  }
  known.count += 1
  if (known.lines.length < LINES_SHOWN) known.lines.push(line)
}

/** The rows of some records, and the lines that repeat an earlier line of the file. */
interface FoundRows {
  readonly rows: readonly ImportedRow[]
  readonly repeated: readonly number[]
}

/** Stores hashes of the records' rows and texts, and answers their state. A repetition answers the same. */
export const recordTexts = async (
  transaction: Transaction,
  transfer: Pick<Transfer, 'id' | 'workspace_id'>,
  records: readonly ImportedRecord[],
  pseudonym: Pseudonym,
): Promise<FoundRows> => {
  const rows = await findRows(transaction, transfer, records, pseudonym)
  const texts = rows.map(({ line, body }) => ({ line, hash: shortHash(body.text) }))
  const added = new Set(rows.flatMap(({ line, is }) => (is === 'new' ? [line] : [])))
  const repeated = (await linesAgain(transaction, transfer, texts)).filter(line => added.has(line))
  return { rows, repeated }
}
