import { type Static, Type } from 'typebox'
import type { Pseudonym } from '../../../model/erasures/tombstones.ts'
import { FILE_START } from '../../../model/transfers/records/read-records.ts'
import {
  newReport,
  nextSignals,
  readingOf,
  recordRecords,
  recordTexts,
  storedBytes,
} from '../../../model/transfers/signals/imported-signals.ts'
import { rememberColumns } from '../../../model/transfers/signals/remembered.ts'
import { endCheck, filesBeingChecked, storeReport, type Transfer } from '../../../model/transfers/transfers.ts'
import { ImportReport } from '../../../schemas/transfers/reading.ts'
import { classifyThrown } from '../../framework/thrown.ts'
import { type InWorkspace, inWorkspace } from '../in-workspace.ts'
import { cursorReader, type JobDefinition, type SliceResult } from '../job-kind.ts'
import {
  estimatedTotal,
  FilePositionFields,
  fileDeleted,
  pieceStore,
  type TransferDependencies,
} from '../transfer-file.ts'

const A_SLICE = { records: 2000, bytes: 2 * 1024 * 1024 }

/** Progress in a file. `reading` is the column mapping as JSON: with another mapping the check starts over. */
const CheckedFile = Type.Object({
  ...FilePositionFields,
  report: ImportReport,
  total: Type.Integer(),
  reading: Type.String(),
})
type CheckedFile = Static<typeof CheckedFile>

const Cursor = Type.Object({
  files: Type.Record(Type.String(), CheckedFile),
  /** Id of the last checked file. */
  last: Type.String(),
  /** Records of the finished files. */
  over: Type.Integer(),
})
const readCursor = cursorReader(Cursor)

type CheckDependencies = TransferDependencies & { readonly actorKey: Pseudonym }

/**
 * The dry run of imports: reads whole files as the import would, and stores a report of each. Nothing is sent. A
 * workspace has one such job. The job takes its files in turns of one slice, so that a long file does not block the
 * others, nor other workspaces.
 */
export const createCheckImportJob = (dependencies: CheckDependencies): JobDefinition => ({
  kind: 'check_import',
  slice: async ({ workspaceId, jobId, cursor: stored }) => {
    const inside = inWorkspace(dependencies, workspaceId)
    const { files: before, last, over } = readCursor(stored) ?? { files: {}, last: '', over: 0 }
    const waiting = await inside(transaction => filesBeingChecked(transaction, jobId))
    const transfer = waiting.find(({ id }) => id > last) ?? waiting[0]
    if (transfer === undefined) return { cursor: null, done: 0, failed: 0 }
    const from = before[transfer.id]
    const checked = await nextPart(dependencies, inside, transfer, from).catch(async (error: unknown) => {
      // The check of this file ends, and the other files go on.
      if (waiting.length === 1 || classifyThrown(error).kind !== 'data') throw error
      await inside(transaction => endCheck(transaction, transfer.id))
      return null
    })
    const isOver = checked === null || checked.byte >= transfer.bytes
    const ids = new Set(waiting.map(({ id }) => id))
    const begun = Object.entries(before).filter(([id]) => ids.has(id as Transfer['id']) && id !== transfer.id)
    const files = Object.fromEntries(isOver ? begun : [...begun, [transfer.id, checked]])
    const records = checked?.report.records ?? 0
    const next = { files, last: transfer.id, over: over + (isOver ? records : 0) }
    return {
      cursor: isOver && waiting.length === 1 ? null : next,
      ...progressOf(from?.report ?? null, checked?.report ?? null),
      total: next.over + Object.values(files).reduce((sum, { total }) => sum + total, 0),
    }
  },
})

/** Reads the next part of a file, and stores the report after the last part. */
const nextPart = async (
  dependencies: CheckDependencies,
  inside: InWorkspace,
  transfer: Transfer,
  known: CheckedFile | undefined,
): Promise<CheckedFile> => {
  const reading = JSON.stringify(transfer.reading)
  const from = known?.reading === reading ? known : { ...FILE_START, report: newReport() }
  const file = { ...transfer, reading: readingOf(transfer) }
  const bytes = storedBytes(pieceStore(dependencies, inside), transfer.id)
  const { records, names, next } = await nextSignals(bytes, file, from, A_SLICE, Date.now())
  const isEnd = next.byte >= transfer.bytes
  if (!isEnd && next.byte === from.byte) throw fileDeleted()
  const found = await inside(async transaction => {
    if (from.byte === 0) await rememberColumns(transaction, transfer.id, names)
    return recordTexts(transaction, transfer, records, dependencies.actorKey)
  })
  const report = recordRecords(from.report, records, found)
  if (isEnd) await inside(transaction => storeReport(transaction, transfer.id, report))
  return { ...next, report, reading, total: isEnd ? report.records : estimatedTotal(transfer, next, report.records) }
}

const progressOf = (before: ImportReport | null, after: ImportReport | null): Pick<SliceResult, 'done' | 'failed'> =>
  after === null
    ? { done: 0, failed: 0 }
    : {
        done: Math.max(0, after.records - (before?.records ?? 0)),
        failed: Math.max(0, after.refused - (before?.refused ?? 0)),
      }
