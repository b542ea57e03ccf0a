import type { Row } from '../../../model/transfers/workspace/masked-row.ts'
import { derivedId, type EventId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { STEPS, type StepName } from '../../../schemas/domain/vocabulary.ts'
import { type ActivityKind, type ActivityRecord, activity } from '../../../schemas/events/activity.ts'

/** Whether the activity has something of the rows of a table. */
export const isReported = (table: string): boolean => table === 'signals' || table === 'occurrences'

/**
 * What the activity would tell of imported signals and repeats: that they were received, and where they ended. The ledger then balances, and
 * figures over time have them at the time of their receipt.
 */
export const importedActivity = (
  workspaceId: WorkspaceId,
  table: string,
  rows: readonly Row[],
): readonly ActivityRecord[] => {
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
  const event = (kind: ActivityKind, parts: readonly string[], details: Partial<ActivityRecord>): ActivityRecord =>
    activity({
      event_id: derivedId<EventId>('event', id, kind, ...parts),
      workspace_id: workspaceId,
      kind,
      occurred_at: new Date(text('received_at')).getTime(),
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
