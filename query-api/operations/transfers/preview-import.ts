import { readPieces } from '../../../model/transfers/pieces.ts'
import { type ImportedRecord, readingOf } from '../../../model/transfers/signals/imported-signals.ts'
import { cutShown, PREVIEWED_BYTES } from '../../../model/transfers/signals/preview.ts'
import { rememberedReadings } from '../../../model/transfers/signals/remembered.ts'
import { FILE_ENCODINGS } from '../../../schemas/domain/vocabulary.ts'
import { SignalBody } from '../../../schemas/http/signal.ts'
import { DATE_ORDERS } from '../../../schemas/transfers/columns.ts'
import { CsvReading } from '../../../schemas/transfers/reading.ts'
import { AssayError, readOperation, Type } from '../define.ts'
import { nullable, oneOf, uuid } from '../parts/fields.ts'
import { readyImport } from './transfer.ts'

const SHOWN = 5

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
    'Reads the first records of an uploaded file of Signals, as the given reading says, as the last file with the same columns was imported, or as its beginning suggests. Shows the file as it is, personal data included: nothing of it is kept.',
  units: 1,
  role: 'member',
  audience: 'people',
  input: Type.Object({ id: uuid, reading: Type.Optional(CsvReading) }),
  output: Type.Object({
    reading: nullable(CsvReading),
    looks_like: nullable(
      Type.String({ description: 'The tool whose export the file looks like, by the names of its columns.' }),
    ),
    read_like: nullable(
      Type.String({ description: 'The imported file with the same columns whose reading is taken over.' }),
    ),
    encoding: oneOf(FILE_ENCODINGS, { description: 'What the file was written in when it was uploaded.' }),
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
    unread_dates: nullable(
      Type.Object(
        { count: Type.Integer(), looked_at: Type.Integer(), examples: Type.Array(Type.String(), { maxItems: 3 }) },
        {
          description:
            'Dates in the column of occurred_at that cannot be read. Their lines are refused, unless the reading leaves unread dates.',
        },
      ),
    ),
    sample: Type.Array(Sample),
  }),
  run: async (input, { caller, read, services }) => {
    const { transfer, reading, remembered } = await read(async transaction => {
      const ready = await readyImport(transaction, input.id)
      const said = input.reading ?? readingOf(ready)
      return { transfer: ready, reading: said, remembered: said === null ? await rememberedReadings(transaction) : [] }
    })
    if (transfer.format === 'workspace') {
      throw new AssayError(
        'conflict',
        'The file is an export of a workspace, not of Signals: start_import imports it as it is.',
      )
    }
    const bytes = await beginningOf(readPieces({ sealer: services, read }, transfer.id))
    const preview = await services.worker.run(caller.tenantId, 'preview', {
      format: transfer.format,
      bytes,
      reading,
      remembered,
      now: services.now().getTime(),
    })
    return {
      data: {
        reading: preview.reading,
        looks_like: preview.tool,
        read_like: preview.readLike,
        encoding: transfer.encoding,
        dates: preview.dates,
        unread_dates: preview.unread_dates && {
          ...preview.unread_dates,
          examples: [...preview.unread_dates.examples],
        },
        columns: [...preview.columns],
        sample: preview.records
          .filter(record => record.reading.kind !== 'blank')
          .slice(0, SHOWN)
          .map(sampleOf),
      },
    }
  },
})

const beginningOf = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => {
  const read: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    read.push(piece)
    length += piece.length
    if (length >= PREVIEWED_BYTES) break
  }
  return Buffer.concat(read)
}

const sampleOf = ({ line, reading }: ImportedRecord) => {
  if (reading.kind !== 'signal')
    return { line, signal: null, refused: reading.kind === 'refused' ? reading.reason : null }
  return { line, signal: { ...reading.body, text: cutShown(reading.body.text) }, refused: null }
}
