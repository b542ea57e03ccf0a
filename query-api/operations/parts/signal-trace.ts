import type { Analytics } from '../../../infra/clickhouse/port.ts'
import { type FollowedSignal, readTrace, type TraceRow } from '../../../model/activity/activity-rows.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { untrustedText } from '../../../schemas/domain/strangers.ts'
import { type Static, Type } from '../define.ts'
import { instant } from './fields.ts'

/** One attempt of a step on a signal. */
export const SignalStep = Type.Object({
  step: Type.String({ description: 'received, or the step’s name.' }),
  ordinal: Type.Integer({ description: 'Place in the pipeline, from 1; 0 for the receipt.' }),
  outcome: Type.String({
    description:
      'received; next, skip, retry or dead, as the step said; dead_letter when that was the end, which for a retry is once its attempts are used up.',
  }),
  fault: Type.String({
    description: 'Of a dead_letter, who can end it: sender, ours, too_costly, transient or automatic; else empty.',
  }),
  reason: untrustedText(),
  version: Type.String({ description: 'The model or rules that it worked with.' }),
  attempt: Type.Integer({ description: 'From 1, anew at each head of the pipeline and in each replay.' }),
  replay: Type.Integer({ description: 'Which replay of the signal it belongs to; 0 before the first.' }),
  duration_ms: Type.Number(),
  elapsed_ms: Type.Number({ description: 'Since the signal was received.' }),
  ended_at: instant,
})

export type SignalStep = Static<typeof SignalStep>

/** Time and way of a signal's receipt. */
export const Receipt = Type.Object({
  received_at: instant,
  channel: Type.String(),
  source_id: Type.String({ description: 'Empty when an agent captured it.' }),
})

type Receipt = Static<typeof Receipt>

interface SignalTrace {
  /** Null before any activity of the signal has reached ClickHouse. */
  readonly receipt: Receipt | null
  readonly steps: SignalStep[]
}

/** A signal's steps through the pipeline in the order of time, as far as ClickHouse has them. */
export const loadTrace = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  signal: FollowedSignal,
): Promise<SignalTrace> => {
  const rows = await readTrace(analytics, workspaceId, signal)
  const [first] = rows
  return {
    receipt: first === undefined ? null : receiptOf(first),
    steps: rows.map(({ channel: _, source_id: __, received_ms, ...step }) => ({
      ...step,
      ended_at: new Date(received_ms + step.elapsed_ms).toISOString(),
    })),
  }
}

const receiptOf = ({ received_ms, channel, source_id }: TraceRow): Receipt => ({
  received_at: new Date(received_ms).toISOString(),
  channel,
  source_id,
})

/** The steps alone. */
export const stepsOf = async (...args: Parameters<typeof loadTrace>): Promise<SignalStep[]> =>
  (await loadTrace(...args)).steps
