import type { Delimiter } from '../../../schemas/transfers/columns.ts'
import type { CsvReading } from '../../../schemas/transfers/reading.ts'
import { csvScan } from '../records/formats.ts'
import { readElements } from '../records/json-elements.ts'
import { FILE_START, type FilePosition, readRecords } from '../records/read-records.ts'
import { elementValues } from './read-signal.ts'
import { csvRow, jsonRow, type Row } from './rows.ts'

/** Columns of a file, and the beginning of its records. */
export interface Columns {
  readonly names: readonly string[]
  /** First records of the file. */
  readonly rows: readonly Row[]
  /** Position of the first record. */
  readonly from: FilePosition
}

export type BytesFrom = (byte: number) => AsyncIterable<Uint8Array>

export const heldBytes = (bytes: Uint8Array): BytesFrom =>
  async function* (from) {
    yield bytes.subarray(from)
  }

const LOOKED_AT = 30

/** First line in which spreadsheets name the delimiter. */
const SEPARATOR_LINE = /^\ufeff?"?sep=([,;|\t])"?[\r\n]/i

/** The delimiter that a file names; null without one. */
export const saidDelimiter = (beginning: Buffer): string | null =>
  SEPARATOR_LINE.exec(beginning.toString('utf8', 0, 16))?.[1] ?? null

/** A CSV record with something in its fields. */
interface FirstRecord {
  readonly fields: readonly string[]
  readonly begins: FilePosition
  /** Position of the record behind it. */
  readonly ends: FilePosition
}

/** First records of a CSV file, behind the line with the delimiter, without malformed ones. */
export const firstRecords = async (
  bytes: AsyncIterable<Uint8Array>,
  delimiter: Delimiter,
  most = LOOKED_AT,
): Promise<readonly FirstRecord[]> => {
  const records: FirstRecord[] = []
  let begins = FILE_START
  for await (const { content, line, next, nextLine } of readRecords(bytes, csvScan(delimiter))) {
    const fields = content !== 'too_long' && content.ok ? content.fields : []
    const isSeparator = line === 1 && /^sep=/i.test(fields[0] ?? '')
    const ends = { byte: next, line: nextLine }
    if (!isSeparator && fields.some(field => field !== '')) records.push({ fields, begins, ends })
    begins = ends
    if (records.length === most) break
  }
  return records
}

/** Columns of a CSV file: the first record names them, and the second may continue the names. */
export const csvColumns = async (
  bytesFrom: BytesFrom,
  { delimiter, header, second_header }: Pick<CsvReading, 'delimiter' | 'header' | 'second_header'>,
  most = LOOKED_AT,
): Promise<Columns> => {
  const headers = header ? (second_header ? 2 : 1) : 0
  const records = await firstRecords(bytesFrom(0), delimiter, headers + most)
  const [first, second] = records.slice(0, headers).map(({ fields }) => fields.map(name => name.trim()))
  const names = second === undefined ? (first ?? []) : joinedNames(first ?? [], second)
  const rows = records.slice(headers).flatMap(({ fields }) => csvRow(fields, names) ?? [])
  const from = headers === 0 ? records[0]?.begins : records[headers - 1]?.ends
  return { names, rows, from: from ?? FILE_START }
}

/** Second name of a survey's question with one column. */
const PLAIN_ANSWER = /^(?:open-ended )?response$/i

/** A question is named above the first of its columns alone; the second line names the answer of each column. */
const joinedNames = (first: readonly string[], second: readonly string[]): readonly string[] => {
  let question = ''
  return Array.from({ length: Math.max(first.length, second.length) }, (_, column) => {
    question = first[column] || question
    const answer = second[column] ?? ''
    return answer === '' || PLAIN_ANSWER.test(answer) ? question : `${question}: ${answer}`
  })
}

const MAX_COLUMNS = 500
/** Bytes whose records show the columns. */
const LOOKED_AT_BYTES = 256 * 1024
const MAX_EMPTY = 1000

/** Columns of a JSON file: the fields of its first elements, in their order. */
export const jsonColumns = async (bytesFrom: BytesFrom, begins: number): Promise<Columns> => {
  const records: ReadonlyMap<string, unknown>[] = []
  const names = new Set<string>()
  for await (const { content, next, line } of readElements(bytesFrom(begins), { byte: begins, line: 1 })) {
    const read = content === 'too_long' ? null : elementValues(content)
    if (read?.kind === 'values') {
      records.push(read.values)
      for (const name of read.values.keys()) if (names.size < MAX_COLUMNS) names.add(name)
    }
    if (records.length === LOOKED_AT || next - begins > LOOKED_AT_BYTES || line > MAX_EMPTY) break
  }
  const all = [...names]
  return { names: all, rows: records.map(values => jsonRow(values, all)), from: { byte: begins, line: 1 } }
}
