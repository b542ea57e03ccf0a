import { recordActivity } from '../../../model/activity/activity-rows.ts'
import type { FilePosition } from '../../../model/transfers/records/read-records.ts'
import type { Transfer } from '../../../model/transfers/transfers.ts'
import type { Row } from '../../../model/transfers/workspace/exported-rows.ts'
import { rowsFor } from '../../../model/transfers/workspace/fill-workspace.ts'
import { derivedId, type EventId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { STEPS, type StepName } from '../../../schemas/domain/vocabulary.ts'
import { type ActivityKind, type ActivityRecord, activity } from '../../../schemas/events/activity.ts'
import type { JobSlice } from '../job-kind.ts'
import { fileDeleted, type InWorkspace, pieceStore, type TransferDependencies } from '../transfer-file.ts'
import { nextRows } from './write-rows.ts'

/** Whether the activity has something of the rows of a table. */
const isReported = (table: string): boolean => table === 'signals' || table === 'occurrences'

/**
 * What the activity would record of imported signals and repeats: that they were received, and where they ended. The
 * ledger then balances, and figures over time have them when they happened.
 */
const importedActivity = (workspaceId: WorkspaceId, table: string, rows: readonly Row[]): readonly ActivityRecord[] => {
  if (table === 'signals') return rows.flatMap(row => importedEvents(workspaceId, row, 'insert', 'next'))
  return table === 'occurrences' ? rows.flatMap(row => importedEvents(workspaceId, row, 'dedup', 'skip')) : []
}

// The ids are those that the pipeline derives for the same events.
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
 * Records the activity of the next Signals and repeats of an export that is in the workspace. Answers where to go on;
 * null at its end. Events have ids made of the Signals', so a slice that is done again records nothing twice.
 */
export const recordSignals = async (
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
