import fc from 'fast-check'
import type { Analytics } from '../../infra/clickhouse/port.ts'
import { startTestAnalytics } from '../../infra/clickhouse/testing.ts'
import {
  FIELD_NAMES,
  FILTER_OPERATORS,
  GRANULARITY_NAMES,
  METRIC_NAMES,
} from '../../model/activity/activity-question.ts'
import { type EventId, newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { STEPS, type StepName } from '../../schemas/domain/vocabulary.ts'
import { type ActivityRecord, activity } from '../../schemas/events/activity.ts'
import { type OperationsKit, startOperations } from './testing.ts'

/** Stores activity of a workspace like the sink, by default a minute before `now`. */
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

/** The pipeline's activity of a signal that got as far as `last`. */
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

/** The operations with their own analytics engine. */
export const startOperationsWithActivity = async (): Promise<ActivityKit> => {
  const { analytics, stop } = await startTestAnalytics()
  const kit = await startOperations(analytics)
  const stopOperations = kit.stop
  // The same object, because tests move its clock.
  return Object.assign(kit, {
    record: (workspaceId: WorkspaceId, ...records: readonly Partial<ActivityRecord>[]) =>
      insertActivity(analytics, workspaceId, kit.now, records),
    stop: async () => {
      await stopOperations()
      await stop()
    },
  })
}

const HOSTILE = [
  `' OR workspace_id != '`,
  `') OR 1 = 1 --`,
  '{workspace: UUID}',
  '\\',
  "\\' OR 1 = 1 OR '",
  '\u0000',
  '%',
  '`activity`',
  '; SELECT * FROM activity',
  '\ud800',
]
const hostile = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 40 }))

/** Inputs with words of the vocabulary, changed by `wordOf`; the values of filters are always hostile. */
const inputs = (wordOf: (values: readonly string[]) => fc.Arbitrary<string>) => {
  const several = (values: readonly string[]) => fc.uniqueArray(wordOf(values), { minLength: 1, maxLength: 4 })
  const filter = fc.record({
    field: wordOf(FIELD_NAMES),
    op: wordOf(FILTER_OPERATORS),
    values: fc.array(fc.oneof(hostile, fc.constant('own')), { minLength: 1, maxLength: 3 }),
  })
  const time = fc.record(
    {
      from: wordOf(['2026-01-01', '2026-05-31T10:00:00Z']),
      to: wordOf(['2026-07-01', '2026-06-01T11:59:59Z']),
      granularity: wordOf(GRANULARITY_NAMES),
      time_zone: wordOf(['UTC', 'Europe/Berlin', 'Asia/Kolkata']),
    },
    { requiredKeys: [] },
  )
  const page = { format: wordOf(['items', 'csv']), limit: fc.constantFrom(1, 100) }
  const split = { group_by: several(FIELD_NAMES), filters: fc.array(filter, { maxLength: 2 }) }
  const optional = { requiredKeys: [] }
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record(
        { metrics: several(METRIC_NAMES), time, compare: fc.boolean(), ...split, ...page },
        optional,
      ),
    },
    { weight: 1, arbitrary: fc.record({ question: wordOf(['trending', 'latency']), ...split, ...page }) },
    { weight: 1, arbitrary: fc.record({ question: wordOf(['funnel', 'sources']), ...page }) },
    {
      weight: 1,
      arbitrary: fc.record({ order: fc.record({ by: wordOf([...METRIC_NAMES, 'period']) }), time, ...page }),
    },
    { weight: 1, arbitrary: fc.record({ cursor: hostile, ...page }) },
  )
}

/** Inputs of `analyze_activity`: valid ones except for hostile values, or hostile ones anywhere. */
export const anyActivityInput = fc.oneof(
  { weight: 3, arbitrary: inputs(values => fc.constantFrom(...values)) },
  {
    weight: 1,
    arbitrary: inputs(values =>
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: hostile }),
    ),
  },
)
