import { Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { recordActivity } from '../../../model/activity/activity-rows.ts'
import { FILE_START, type FilePosition } from '../../../model/transfers/records/read-records.ts'
import type { Transfer } from '../../../model/transfers/transfers.ts'
import type { Row } from '../../../model/transfers/workspace/exported-rows.ts'
import {
  closeForImport,
  openEmpty,
  removeImported,
  rowsFor,
} from '../../../model/transfers/workspace/fill-workspace.ts'
import { derivedId, type EventId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { STEPS, type StepName } from '../../../schemas/domain/vocabulary.ts'
import { type ActivityKind, type ActivityRecord, activity } from '../../../schemas/events/activity.ts'
import { classifyThrown } from '../../framework/thrown.ts'
import type { InWorkspace } from '../in-workspace.ts'
import { cursorReader, type JobSlice, type SliceResult } from '../job-kind.ts'
import { FilePositionFields, fileDeleted, pieceStore, type TransferDependencies } from '../transfer-file.ts'
import { type ImportWorkspaceDependencies, NOTHING_WRITTEN, nextRows, writeRows } from './write-rows.ts'

const MAX_ROWS_A_SLICE = 1000

const CANCEL = `
  update jobs set state = 'cancelled', message = null, finished_at = now(), updated_at = now(), leased_until = null, lease_id = null
  where id = $1 and state = 'running'`

/**
 * Removes the next rows of a failed or cancelled import. With the last rows the workspace opens empty, and the job ends
 * as cancelled or failed. An error is retried for ever: the workspace stays closed until all rows are removed.
 */
const removeAgain = async (
  asTransfer: InWorkspace,
  { workspaceId, jobId }: JobSlice,
  cursor: { readonly why: string | null },
): Promise<SliceResult> => {
  const removed = await asTransfer(async transaction => {
    const rows = await removeImported(transaction, workspaceId, MAX_ROWS_A_SLICE)
    if (rows === 0) await openEmpty(transaction, workspaceId, jobId)
    if (rows === 0 && cursor.why === null) await transaction.query(CANCEL, [jobId])
    return rows
  }).catch(error => {
    const { message } = classifyThrown(error)
    throw new AssayError('unavailable', `What was written of the import cannot be removed yet: ${message}`, {
      cause: error,
    })
  })
  if (removed > 0 || cursor.why === null) return { cursor, done: 0, failed: 0 }
  throw new AssayError(
    'conflict',
    `${cursor.why} Nothing of the export is in the workspace. Upload it again to import it once more.`,
  )
}

/** Time for calls and signals that started before the workspace was closed. */
const UNTIL_STILL_MS = 3000

const PHASES = { write: 'write', record: 'record', remove: 'remove' } as const

const readCursor = cursorReader(
  Type.Object({
    ...FilePositionFields,
    phase: Type.Enum(PHASES),
    /** Reason for the removal; null when somebody cancelled the import. */
    why: Type.Union([Type.String(), Type.Null()]),
  }),
)

const CANCELLED = 'select cancelled_by from jobs where id = $1 and cancelled_by is not null'

/**
 * Imports an export so that people see all of it or nothing: the workspace is closed, the rows are written, the
 * workspace is opened, and the signals' activity is recorded. An import that fails or is cancelled before the opening
 * is removed again. After a crash any processor goes on.
 */
export const importWorkspace = async (
  dependencies: ImportWorkspaceDependencies,
  inside: InWorkspace,
  slice: JobSlice,
  transfer: Transfer,
): Promise<SliceResult> => {
  const { database } = dependencies
  const { workspaceId, jobId } = slice
  const asTransfer: InWorkspace = work => database.transaction({ role: 'assay_transfer', workspaceId }, work)
  const cursor = readCursor(slice.cursor)
  if (cursor === null) {
    const first = { ...FILE_START, phase: PHASES.write, why: null }
    await asTransfer(transaction => closeForImport(transaction, workspaceId, jobId))
    return { cursor: first, done: 0, failed: 0, pauseMs: UNTIL_STILL_MS }
  }
  if (cursor.phase === PHASES.remove) return removeAgain(asTransfer, slice, cursor)
  if (cursor.phase === PHASES.record) {
    const next = await recordSignals(dependencies, inside, asTransfer, slice, transfer, cursor)
    return { cursor: next && { ...next, phase: PHASES.record, why: null }, done: 0, failed: 0 }
  }
  const removing = (why: string | null): SliceResult => ({
    cursor: { ...FILE_START, phase: PHASES.remove, why },
    done: 0,
    failed: 0,
    message: `What was written of it is removed again${why === null ? '' : `: ${why}`}`,
  })
  const [cancelled] = await inside(transaction => transaction.query(CANCELLED, [jobId]))
  if (cancelled !== undefined) return removing(null)
  try {
    const { next, rows, total } = await writeRows(dependencies, inside, asTransfer, slice, transfer, cursor)
    const going = next === null ? { ...FILE_START, phase: PHASES.record } : { ...next, phase: PHASES.write }
    return { cursor: { ...going, why: null }, done: rows, failed: 0, total }
  } catch (error) {
    const { kind, message } = classifyThrown(error)
    if (kind !== 'data') throw error
    if (error instanceof AssayError && error.context?.[NOTHING_WRITTEN] === true) {
      await asTransfer(transaction => openEmpty(transaction, workspaceId, jobId))
      throw error
    }
    return removing(message)
  }
}

/** True when the table's rows have activity. */
const isReported = (table: string): boolean => table === 'signals' || table === 'occurrences'

/**
 * Activity of imported signals and repeats: their receipt and their end. With it the ledger balances, and figures over
 * time show them at their own time.
 */
const importedActivity = (workspaceId: WorkspaceId, table: string, rows: readonly Row[]): readonly ActivityRecord[] => {
  if (table === 'signals') return rows.flatMap(row => importedEvents(workspaceId, row, 'insert', 'next'))
  return table === 'occurrences' ? rows.flatMap(row => importedEvents(workspaceId, row, 'dedup', 'skip')) : []
}

// Ids are derived as the pipeline derives them for the same events.
const importedEvents = (
  workspaceId: WorkspaceId,
  row: Row,
  step: StepName,
  outcome: 'next' | 'skip',
): readonly ActivityRecord[] => {
  const id = String(row.id)
  const text = (name: string): string => (typeof row[name] === 'string' ? row[name] : '')
  const receivedAt = new Date(text('received_at')).getTime()
  const event = (kind: ActivityKind, parts: readonly string[], details: Partial<ActivityRecord>): ActivityRecord =>
    activity({
      event_id: derivedId<EventId>('event', id, kind, ...parts),
      workspace_id: workspaceId,
      kind,
      occurred_at: receivedAt,
      happened_at: Math.min(new Date(text('occurred_at')).getTime(), receivedAt),
      subject_id: id,
      source_id: text('source_id'),
      source: text('source'),
      channel: text('channel'),
      signal_origin: text('signal_origin'),
      actor_role: text('actor_role'),
      ...details,
    })
  return [
    event('signal.received', [], {}),
    event('signal.step', [step, '1'], {
      step,
      step_ordinal: STEPS.indexOf(step) + 1,
      outcome,
      reason: text('reason'),
      version: 'import',
      classification: text('classification'),
      node_id: text('node_id'),
    }),
  ]
}

const AS_THEY_ARE = () => ({})

/**
 * Records the activity of the next signals and repeats of an export in the workspace. Answers the next position; null
 * at the end. Event ids are derived from the signals' ids, so a repeated slice records nothing twice.
 */
const recordSignals = async (
  dependencies: TransferDependencies,
  inside: InWorkspace,
  asTransfer: InWorkspace,
  { workspaceId }: JobSlice,
  transfer: Transfer,
  from: FilePosition,
): Promise<FilePosition | null> => {
  const { parts, next } = await nextRows(pieceStore(dependencies, inside), transfer.id, from)
  const isEnd = next.byte >= transfer.bytes
  if (!isEnd && next.byte === from.byte) throw fileDeleted()
  const reported = parts.filter(({ table }) => isReported(table))
  if (reported.length > 0)
    await asTransfer(async transaction => {
      for (const part of reported) {
        const rows = await rowsFor(transaction, workspaceId, part, AS_THEY_ARE)
        await recordActivity(transaction, importedActivity(workspaceId, part.table, rows))
      }
    })
  return isEnd ? null : next
}
