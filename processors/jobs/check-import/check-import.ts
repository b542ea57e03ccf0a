import { Type } from 'typebox'
import type { Pseudonym } from '../../../model/erasures/marks.ts'
import { FILE_START } from '../../../model/transfers/records/read-records.ts'
import {
  newReport,
  nextSignals,
  readingOf,
  recordRecords,
  recordTexts,
  storedBytes,
} from '../../../model/transfers/signals/imported-signals.ts'
import { storeReport } from '../../../model/transfers/transfers.ts'
import { ImportReport } from '../../../schemas/transfers/reading.ts'
import { inWorkspace } from '../in-workspace.ts'
import { cursorReader, type JobDefinition } from '../job-kind.ts'
import {
  estimatedTotal,
  FilePositionFields,
  fileDeleted,
  pieceStore,
  type TransferDependencies,
  transferOf,
} from '../transfer-file.ts'

const A_SLICE = { records: 2000, bytes: 2 * 1024 * 1024 }

const Cursor = Type.Object({ ...FilePositionFields, report: ImportReport })
const readCursor = cursorReader(Cursor)

/**
 * The dry run of an import: reads the whole file as the import would, and keeps what would come of it. Nothing is sent
 * anywhere.
 */
export const createCheckImportJob = (
  dependencies: TransferDependencies & { readonly actorKey: Pseudonym },
): JobDefinition => ({
  kind: 'check_import',
  slice: async slice => {
    const inside = inWorkspace(dependencies, slice.workspaceId)
    const transfer = await transferOf(inside, slice)
    const cursor = readCursor(slice.cursor) ?? { ...FILE_START, report: newReport() }
    const file = { ...transfer, reading: readingOf(transfer) }
    const { records, next } = await nextSignals(
      storedBytes(pieceStore(dependencies, inside), transfer.id),
      file,
      cursor,
      A_SLICE,
      Date.now(),
    )
    const isEnd = next.byte >= transfer.bytes
    if (!isEnd && next.byte === cursor.byte) throw fileDeleted()
    const found = await inside(transaction => recordTexts(transaction, transfer, records, dependencies.actorKey))
    const report = recordRecords(cursor.report, records, found)
    if (isEnd) await inside(transaction => storeReport(transaction, transfer.id, report))
    return {
      cursor: isEnd ? null : { ...next, report },
      done: report.records - cursor.report.records,
      failed: report.refused - cursor.report.refused,
      total: isEnd ? report.records : estimatedTotal(transfer, next, report.records),
    }
  },
})
