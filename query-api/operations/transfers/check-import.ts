import { forgetTexts, setTransferCheck } from '../../../model/transfers/transfers.ts'
import { CsvReading } from '../../../schemas/transfers/reading.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { beginOrJoinJob } from '../jobs/job.ts'
import { uuid } from '../parts/fields.ts'
import { readTransfer, readyImport, TransferShape, transferShape } from './transfer.ts'

export const checkImport = writeOperation({
  name: 'check_import',
  title: 'Try an import without importing',
  summary:
    'Starts the dry run of an uploaded file of Signals: reads all of it as the reading says, and reports how many would be accepted, which lines would be refused and why, and how many repeat an earlier line. Nothing is sent to the pipeline. Several files of a workspace are tried in turns, by one job. list_transfers shows the progress and the report; cancel_job ends it.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'people',
  cannotBeUndone: 'It changes nothing of the workspace.',
  input: Type.Object({ id: uuid, reading: Type.Optional(CsvReading) }),
  output: TransferShape,
  apply: async ({ id, reading }, transaction, context) => {
    const transfer = await readyImport(transaction, id)
    checkReading(transfer.format, reading)
    const before = transferShape(await readTransfer(transaction, id)).check
    if (before?.state === 'running') {
      throw new AssayError('conflict', 'This file is being checked. Wait for it, or cancel it; nothing was started.')
    }
    await forgetTexts(transaction, id)
    const check = { kind: 'check_import', input: {}, total: null } as const
    const job = await beginOrJoinJob(transaction, context, check)
    if (job === null) {
      throw new AssayError('conflict', 'The check of another file has just ended. Check this one again.')
    }
    await setTransferCheck(transaction, id, { reading: reading ?? {}, job })
    return { data: transferShape(await readTransfer(transaction, id)) }
  },
})

const checkReading = (format: string, reading: CsvReading | undefined): void => {
  if (format === 'workspace') {
    throw new AssayError(
      'conflict',
      'An export of a workspace was checked when it was uploaded: start_import imports it.',
    )
  }
  if (format === 'json_lines') {
    if (reading === undefined) return
    throw wrongReading('/reading', 'is for columns: a line of JSON Lines is a Signal as it is')
  }
  if (reading === undefined) throw wrongReading('/reading', 'must say how the columns are read')
  const fields = reading.mapping.map(({ field }) => field).filter(field => field !== 'text')
  const columns = reading.mapping.flatMap(({ column }) => column ?? [])
  if (new Set(fields).size < fields.length || new Set(columns).size < columns.length) {
    throw wrongReading('/reading/mapping', 'must name each field once, but for text, and each column once')
  }
  if (reading.mapping.some(({ column, value }) => (column === undefined) === (value === undefined))) {
    throw wrongReading('/reading/mapping', 'must give each field either a column or a value')
  }
  const texts = reading.mapping.filter(({ field }) => field === 'text')
  if (texts.length === 0 || texts.some(({ column }) => column === undefined)) {
    throw wrongReading('/reading/mapping', 'must say which column is the text')
  }
}

const wrongReading = (pointer: string, message: string): AssayError =>
  new AssayError('invalid_input', `${pointer} ${message}.`, { violations: [{ pointer, message }] })
