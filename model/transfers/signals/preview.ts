import type { CsvReading } from '../../../schemas/transfers/reading.ts'
import { csvScan } from '../records/formats.ts'
import { readRecords } from '../records/read-records.ts'
import type { Transfer } from '../transfers.ts'
import { type GuessedDates, guessDates } from './dates.ts'
import { type ImportedRecord, nextSignals } from './imported-signals.ts'
import { firstRecords, recognizeCsv } from './read-signal.ts'

/** The beginning of a file of signals, and how it is to be read. */
interface Beginning {
  readonly format: Transfer['format']
  readonly bytes: Uint8Array
  /** Null where nobody has said: a CSV file is read as its beginning suggests. */
  readonly reading: CsvReading | null
  /** Bounds the times that records may give, epoch milliseconds. */
  readonly now: number
}

export interface SignalsPreview {
  /** Null of what is no CSV. */
  readonly reading: CsvReading | null
  readonly dates: GuessedDates | null
  readonly columns: readonly { readonly name: string; readonly example: string }[]
  readonly records: readonly ImportedRecord[]
}

/** So many of its bytes are looked at: some thousand records as a rule, which tell what its dates are like. */
export const PREVIEWED_BYTES = 4 * 1024 * 1024
const MAX_DATES = 5000
/** Records of these bytes tell what a file is like. */
const BEGINNING_BYTES = 64 * 1024
const MAX_RECORDS = 20
const MAX_SHOWN_CHARACTERS = 500

/** A text of a file as it is shown. */
export const cutShown = (text: string): string =>
  text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text

/** How the beginning of a file would be read, and how else its dates may be meant. */
export const previewSignals = async ({ format, bytes, reading: given, now }: Beginning): Promise<SignalsPreview> => {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const beginning = whole.subarray(0, BEGINNING_BYTES)
  const csv = format === 'csv' ? (given ?? (await recognizeCsv(beginning))) : null
  const dates = csv === null ? null : guessDates(await datesIn(whole, csv))
  const [likeliest] = dates?.orders ?? []
  const reading = csv === null || likeliest === undefined ? csv : { dates: likeliest, ...csv }
  const { records } = await nextSignals(
    from => only(whole.subarray(from)),
    { format, reading },
    { byte: 0, line: 1 },
    { records: MAX_RECORDS, bytes: BEGINNING_BYTES },
    now,
  )
  return { reading, dates, columns: reading === null ? [] : await columnsIn(beginning, reading), records }
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const columnsIn = async (beginning: Buffer, { delimiter, header }: CsvReading): Promise<SignalsPreview['columns']> => {
  const [first = [], second = []] = await firstRecords(beginning, delimiter, 2)
  const examples = header ? second : first
  return Array.from({ length: Math.max(first.length, examples.length) }, (_, column) => ({
    name: (header && cutShown(first[column]?.trim() ?? '')) || `Column ${column + 1}`,
    example: cutShown(examples[column] ?? ''),
  }))
}

/** What the column of dates says, record by record. */
const datesIn = async (bytes: Buffer, { mapping, delimiter, header }: CsvReading): Promise<readonly string[]> => {
  const column = mapping.find(({ field }) => field === 'occurred_at')?.column
  const values: string[] = []
  if (column === undefined) return values
  for await (const { content, line } of readRecords(only(bytes), csvScan(delimiter))) {
    if (header && line === 1) continue
    if (content !== 'too_long' && content.ok) values.push(content.fields[column] ?? '')
    if (values.length >= MAX_DATES) break
  }
  return values
}
