import { Compile } from 'typebox/compile'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { CsvReading, type ImportReport } from '../../../schemas/transfers/reading.ts'
import { textHash } from '../../signals/normalize.ts'
import { type PieceStore, readPieces } from '../pieces.ts'
import { csvScan, MAX_RECORD_BYTES, scanLine } from '../records/formats.ts'
import { type FilePosition, type RecordAt, readRecords } from '../records/read-records.ts'
import type { Transfer } from '../transfers.ts'
import { firstRecords, readCsvRecord, readJsonLine, type SignalReading } from './read-signal.ts'

const csvReading = Compile(CsvReading)

/** How a stored file is read; null when nobody has said yet. */
export const readingOf = ({ reading }: Pick<Transfer, 'reading'>): CsvReading | null =>
  csvReading.Check(reading) ? reading : null

/** A record of a file of signals, where it stands. */
export interface ImportedRecord {
  readonly line: number
  readonly reading: SignalReading
}

interface Page {
  readonly records: readonly ImportedRecord[]
  /** Where the next page begins. */
  readonly next: FilePosition
}

const TOO_LONG = `The record is longer than ${MAX_RECORD_BYTES / 1024} KB.`

type File = Pick<Transfer, 'format'> & { readonly reading: CsvReading | null }

/** The bytes of a file from one of them on. */
type BytesFrom = (byte: number) => AsyncIterable<Uint8Array>

/** Those of a stored file. */
export const storedBytes =
  (store: PieceStore, id: Transfer['id']): BytesFrom =>
  byte =>
    readPieces(store, id, byte)

/**
 * The records of a file from a place on: at most so many, and of at most so many bytes together. `now` bounds the times
 * that they may give.
 */
export const nextSignals = async (
  bytesFrom: BytesFrom,
  file: File,
  from: FilePosition,
  most: { readonly records: number; readonly bytes: number },
  now: number,
): Promise<Page> => {
  const records: ImportedRecord[] = []
  let position = from
  for await (const { line, reading, next, nextLine } of signalsFrom(bytesFrom, file, from, now)) {
    records.push({ line, reading })
    position = { byte: next, line: nextLine }
    if (records.length >= most.records || next - from.byte >= most.bytes) break
  }
  return { records, next: position }
}

type Read = ImportedRecord & { readonly next: number; readonly nextLine: number }

async function* signalsFrom(bytesFrom: BytesFrom, file: File, from: FilePosition, now: number): AsyncGenerator<Read> {
  const bytes = bytesFrom(from.byte)
  const { reading } = file
  if (file.format === 'json_lines' || reading === null) {
    for await (const record of readRecords(bytes, scanLine, from)) {
      yield { ...record, reading: ofPlaced(record, line => readJsonLine(line, now)) }
    }
    return
  }
  const names = reading.header ? await columnNames(bytesFrom, reading) : []
  let isHeader = reading.header && from.byte === 0
  for await (const record of readRecords(bytes, csvScan(reading.delimiter), from)) {
    const blank: SignalReading = { kind: 'blank' }
    yield {
      ...record,
      reading: isHeader ? blank : ofPlaced(record, record => readCsvRecord(record, reading, names, now)),
    }
    isHeader = false
  }
}

const ofPlaced = <Content>({ content }: RecordAt<Content>, read: (content: Content) => SignalReading): SignalReading =>
  content === 'too_long' ? { kind: 'refused', reason: TOO_LONG } : read(content)

const columnNames = async (bytesFrom: BytesFrom, { delimiter }: CsvReading) => {
  for await (const beginning of bytesFrom(0)) {
    const [names = []] = await firstRecords(beginning, delimiter, 1)
    return names.map(name => name.trim())
  }
  return []
}

const LINES_SHOWN = 5
/** The reasons are few: they name what is wrong, not with what. */
const MAX_REASONS = 100

export const newReport = (): ImportReport => ({
  records: 0,
  accepted: 0,
  refused: 0,
  duplicates: 0,
  duplicate_lines: [],
  reasons: [],
  earliest: null,
  latest: null,
})

/** The report with these records added; `repeated` are the lines among them that say what an earlier one says. */
export const recordRecords = (
  before: ImportReport,
  records: readonly ImportedRecord[],
  repeated: readonly number[],
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

const ADD = `
  insert into transfer_texts (workspace_id, transfer_id, hash, line)
  select $1, $2, hash, min(line) from unnest($3::bigint[], $4::integer[]) as given (hash, line) group by hash
  on conflict (transfer_id, hash) do nothing`

const REPEATED = `
  select given.line from unnest($2::bigint[], $3::integer[]) as given (hash, line)
  join transfer_texts on transfer_id = $1 and transfer_texts.hash = given.hash
  where transfer_texts.line <> given.line
  order by given.line`

/**
 * Keeps which texts these records say, and answers the lines of those that an earlier line says too. Done again, it
 * answers the same.
 */
export const recordTexts = async (
  transaction: Transaction,
  { id, workspace_id }: Pick<Transfer, 'id' | 'workspace_id'>,
  records: readonly ImportedRecord[],
): Promise<readonly number[]> => {
  const texts = records.flatMap(({ line, reading }) =>
    reading.kind === 'signal' ? [{ line, hash: shortHash(reading.body.text) }] : [],
  )
  const [hashes, lines] = [texts.map(({ hash }) => hash), texts.map(({ line }) => line)]
  await transaction.query(ADD, [workspace_id, id, hashes, lines])
  return (await transaction.query<{ line: number }>(REPEATED, [id, hashes, lines])).map(({ line }) => line)
}

/** Of a million texts, two have the same by chance once in forty million files. */
const shortHash = (text: string): string => BigInt.asIntN(64, BigInt(`0x${textHash(text).slice(0, 16)}`)).toString()
