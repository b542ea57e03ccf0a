import { readPieces } from '../../../model/transfers/pieces.ts'
import { csvScan } from '../../../model/transfers/records/formats.ts'
import { readRecords } from '../../../model/transfers/records/read-records.ts'
import { guessDates } from '../../../model/transfers/signals/dates.ts'
import { nextSignals, readingOf } from '../../../model/transfers/signals/imported-signals.ts'
import { firstRecords, recognizeCsv } from '../../../model/transfers/signals/read-signal.ts'
import { SignalBody } from '../../../schemas/http/signal.ts'
import { CsvReading, DATE_ORDERS } from '../../../schemas/transfers/reading.ts'
import { AssayError, readOperation, Type } from '../define.ts'
import { nullable, oneOf, uuid } from '../parts/fields.ts'
import { readyImport } from './transfer.ts'

const SHOWN = 5
const MAX_SHOWN_CHARACTERS = 500
/** Records of these bytes tell what a file is like. */
const BEGINNING_BYTES = 64 * 1024

const Sample = Type.Object({
  line: Type.Integer(),
  signal: nullable(
    Type.Object({ ...SignalBody.properties, metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())) }),
  ),
  refused: nullable(Type.String({ description: 'Why it would be refused.' })),
})

export const previewImport = readOperation({
  name: 'preview_import',
  title: 'How the beginning of an uploaded file is read',
  summary:
    'Reads the first records of an uploaded file of Signals, as the given reading says, or as its beginning suggests. Shows the file as it is, personal data included: nothing of it is kept.',
  units: 1,
  role: 'member',
  audience: 'people',
  input: Type.Object({ id: uuid, reading: Type.Optional(CsvReading) }),
  output: Type.Object({
    reading: nullable(CsvReading),
    columns: Type.Array(Type.Object({ name: Type.String(), example: Type.String() })),
    dates: nullable(
      Type.Object(
        { orders: Type.Array(oneOf(DATE_ORDERS)), example: Type.String() },
        {
          description:
            'The orders that the dates of occurred_at may be meant in, the likelier first, with one of them. Null where each says its order by itself.',
        },
      ),
    ),
    sample: Type.Array(Sample),
  }),
  run: async (input, { read, services }) => {
    const transfer = await read(transaction => readyImport(transaction, input.id))
    if (transfer.format === 'workspace') {
      throw new AssayError(
        'conflict',
        'The file is an export of a workspace, not of Signals: start_import imports it as it is.',
      )
    }
    const store = { sealer: services, read }
    const isCsv = transfer.format === 'csv'
    const beginning = isCsv ? await beginningOf(readPieces(store, transfer.id)) : Buffer.alloc(0)
    const given = isCsv ? (input.reading ?? readingOf(transfer) ?? (await recognizeCsv(beginning))) : null
    const dates = given === null ? null : guessDates(await datesOf(readPieces(store, transfer.id), given))
    const [likeliest] = dates?.orders ?? []
    const reading = given === null || likeliest === undefined ? given : { dates: likeliest, ...given }
    const most = { records: SHOWN * 4, bytes: BEGINNING_BYTES }
    const { records } = await nextSignals(
      store,
      { ...transfer, reading },
      { byte: 0, line: 1 },
      most,
      services.now().getTime(),
    )
    return {
      data: {
        reading,
        dates,
        columns: reading === null ? [] : await columnsOf(beginning, reading),
        sample: records
          .filter(record => record.reading.kind !== 'blank')
          .slice(0, SHOWN)
          .map(sampleOf),
      },
    }
  },
})

const beginningOf = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => {
  for await (const piece of pieces) return piece.subarray(0, BEGINNING_BYTES)
  return Buffer.alloc(0)
}

const columnsOf = async (beginning: Buffer, { delimiter, header }: CsvReading) => {
  const [first = [], second = []] = await firstRecords(beginning, delimiter, 2)
  const examples = header ? second : first
  return Array.from({ length: Math.max(first.length, examples.length) }, (_, column) => ({
    name: (header && first[column]?.trim()) || `Column ${column + 1}`,
    example: cut(examples[column] ?? ''),
  }))
}

/** So far a file is read for what its dates are like: a year of feedback as a rule. */
const MOST_DATES = 5000

/** What the column of dates says, record by record. */
const datesOf = async (
  pieces: AsyncIterable<Buffer>,
  { mapping, delimiter, header }: CsvReading,
): Promise<readonly string[]> => {
  const column = mapping.find(({ field }) => field === 'occurred_at')?.column
  const values: string[] = []
  if (column === undefined) return values
  for await (const { content, line } of readRecords(pieces, csvScan(delimiter))) {
    if (header && line === 1) continue
    if (content !== 'too_long' && content.ok) values.push(content.fields[column] ?? '')
    if (values.length >= MOST_DATES) break
  }
  return values
}

const cut = (text: string): string =>
  text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text

type Read = Awaited<ReturnType<typeof nextSignals>>['records'][number]

const sampleOf = ({ line, reading }: Read) => {
  if (reading.kind !== 'signal')
    return { line, signal: null, refused: reading.kind === 'refused' ? reading.reason : null }
  return { line, signal: { ...reading.body, text: cut(reading.body.text) }, refused: null }
}
