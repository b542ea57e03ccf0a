import { type Static, Type } from 'typebox'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { activityRows } from './activity-rows.ts'

/** What one step did with a signal, at one attempt. */
export const SignalStep = Type.Object({
  step: Type.String({ description: 'received, or the step’s name.' }),
  ordinal: Type.Integer({ description: 'Place in the pipeline, from 1; 0 for the receipt.' }),
  outcome: Type.String({ description: 'next, skip, retry or dead; received for the receipt.' }),
  reason: Type.String(),
  version: Type.String({ description: 'The model or rules that it worked with.' }),
  attempt: Type.Integer(),
  duration_ms: Type.Number(),
  elapsed_ms: Type.Number({ description: 'Since the signal was received.' }),
  received_at: Type.String({ description: 'When the signal was received.' }),
})
export type SignalStep = Static<typeof SignalStep>

const MAX_STEPS = 200

/** A signal's way through the pipeline, in order, as far as its activity has reached ClickHouse. */
export const stepsOf = (analytics: Analytics, workspaceId: WorkspaceId, signalId: string): Promise<SignalStep[]> =>
  activityRows<SignalStep>(analytics, workspaceId, {
    select: `if(kind = 'signal.received', 'received', activity.step) AS step, step_ordinal AS ordinal,
      if(kind = 'signal.received', 'received', activity.outcome) AS outcome, reason, version, attempt, duration_ms, elapsed_ms,
      formatDateTime(occurred_at, '%Y-%m-%dT%H:%i:%SZ', 'UTC') AS received_at`,
    where: [`kind IN ('signal.received', 'signal.step')`, 'subject_id = {signal: String}'],
    orderBy: 'attempt, ordinal',
    limit: MAX_STEPS,
    parameters: { signal: signalId },
  })
