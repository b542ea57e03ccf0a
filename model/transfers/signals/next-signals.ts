import { Compile } from 'typebox/compile'
import { CsvReading } from '../../../schemas/transfers/reading.ts'
import { type PieceStore, readPieces } from '../pieces.ts'
import { csvScan, MAX_RECORD_BYTES, scanLine } from '../records/formats.ts'
import { type FilePosition, type RecordAt, readRecords } from '../records/read-records.ts'
import type { Transfer } from '../transfers.ts'
import { readCsvRecord, readJsonLine, type SignalReading } from './read-signal.ts'
import { firstRecords } from './recognize.ts'

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

type File = Pick<Transfer, 'id' | 'format'> & { readonly reading: CsvReading | null }

/** The records of a file from a place on: at most so many, and of at most so many bytes together. `now` bounds the times that they may give. */
export const nextSignals = async (
  store: PieceStore,
  file: File,
  from: FilePosition,
  most: { readonly records: number; readonly bytes: number },
  now: number,
): Promise<Page> => {
  const records: ImportedRecord[] = []
  let position = from
  for await (const { line, reading, next, nextLine } of signalsFrom(store, file, from, now)) {
    records.push({ line, reading })
    position = { byte: next, line: nextLine }
    if (records.length >= most.records || next - from.byte >= most.bytes) break
  }
  return { records, next: position }
}

type Read = ImportedRecord & { readonly next: number; readonly nextLine: number }

async function* signalsFrom(store: PieceStore, file: File, from: FilePosition, now: number): AsyncGenerator<Read> {
  const bytes = readPieces(store, file.id, from.byte)
  const { reading } = file
  if (file.format === 'json_lines' || reading === null) {
    for await (const record of readRecords(bytes, scanLine, from)) {
      yield { ...record, reading: ofPlaced(record, line => readJsonLine(line, now)) }
    }
    return
  }
  const names = reading.header ? await columnNames(store, file.id, reading) : []
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

const columnNames = async (store: PieceStore, id: Transfer['id'], { delimiter }: CsvReading) => {
  for await (const beginning of readPieces(store, id)) {
    const [names = []] = await firstRecords(beginning, delimiter, 1)
    return names.map(name => name.trim())
  }
  return []
}
