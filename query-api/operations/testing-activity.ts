import type { Analytics } from '../../infra/clickhouse/port.ts'
import { startTestAnalytics } from '../../infra/clickhouse/testing.ts'
import { type EventId, newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { STEPS, type StepName } from '../../schemas/domain/vocabulary.ts'
import { type ActivityRecord, activity } from '../../schemas/events/activity.ts'
import { type OperationsKit, startOperations } from './testing.ts'

/** Stores activity of a workspace, a minute before `now` unless it says otherwise, as the sink does. */
export const insertActivity = (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  now: Date,
  records: readonly Partial<ActivityRecord>[],
): Promise<void> =>
  analytics.insert(
    'activity',
    records.map(known =>
      activity({
        event_id: newId<EventId>(),
        workspace_id: workspaceId,
        kind: 'signal.step',
        occurred_at: now.getTime() - 60_000,
        ...known,
      }),
    ),
    newId(),
  )

/** What the pipeline tells of a signal that got as far as `last`. */
export const walked = (
  signalId: string,
  last: StepName,
  outcome: string,
  known: Partial<ActivityRecord> = {},
): Partial<ActivityRecord>[] => [
  { ...known, kind: 'signal.received', subject_id: signalId },
  ...STEPS.slice(0, STEPS.indexOf(last) + 1).map((step, index) => ({
    ...known,
    subject_id: signalId,
    step,
    step_ordinal: index + 1,
    outcome: step === last ? outcome : 'next',
    duration_ms: index + 1,
  })),
]

export interface ActivityKit extends OperationsKit {
  /** Stores activity of a workspace; see `insertActivity`. */
  record(workspaceId: WorkspaceId, ...records: readonly Partial<ActivityRecord>[]): Promise<void>
}

/** The operations with an analytics engine of their own, where things can have happened. */
export const startOperationsWithActivity = async (): Promise<ActivityKit> => {
  const { analytics, stop } = await startTestAnalytics()
  const kit = await startOperations(analytics)
  const stopOperations = kit.stop
  // The same object, since tests move its clock.
  return Object.assign(kit, {
    record: (workspaceId: WorkspaceId, ...records: readonly Partial<ActivityRecord>[]) =>
      insertActivity(analytics, workspaceId, kit.now, records),
    stop: async () => {
      await stopOperations()
      await stop()
    },
  })
}
