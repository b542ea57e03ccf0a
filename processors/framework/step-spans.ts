import { parseTraceparent, type TraceContext } from '../../infra/runtime/traces.ts'
import { isTracing, recordSpan, recordStoreCalls, type StoreCall } from '../../infra/telemetry/spans.ts'
import type { Lane } from '../../schemas/events/topics.ts'
import type { BatchItem } from './batch-item.ts'
import type { Outcome } from './outcome.ts'
import type { StepRun } from './step-activity.ts'

/** The place of a signal in a trace that is recorded. */
const recordedParent = ({ delivery }: BatchItem): TraceContext | null => {
  const parent = parseTraceparent(delivery.traceparent)
  return parent?.sampled === true ? parent : null
}

/** How long each signal lay on the log before its batch began: from when the log took it. */
export const traceWaiting = (items: readonly BatchItem[], lane: Lane): void => {
  if (!isTracing()) return
  const endedAt = Date.now()
  for (const item of items) {
    const { stored } = item
    const parent = recordedParent(item)
    if (parent === null) continue
    const attributes = { 'messaging.destination.name': stored.topic, 'assay.lane': lane }
    const start = { name: 'log', kind: 'consumer', startedAt: Math.min(stored.timestamp, endedAt), attributes } as const
    recordSpan({ ...start, parent }, { endedAt })
  }
}

interface TracedStep {
  readonly run: StepRun
  readonly startedAt: number
  readonly calls: readonly StoreCall[]
}

/** A step's work on a batch, in the trace of each of its signals; what it asked of the stores it asked for all of them at once. */
export const traceStep = (
  items: readonly BatchItem[],
  outcomes: readonly Outcome[],
  { run, startedAt, calls }: TracedStep,
): void => {
  if (!isTracing()) return
  for (const [index, item] of items.entries()) {
    const { signal, delivery } = item
    const outcome = outcomes[index]
    const parent = recordedParent(item)
    if (outcome === undefined || parent === null) continue
    const attributes = {
      'assay.signal.id': signal.signal_id,
      'assay.workspace.id': signal.workspace_id,
      'assay.attempt': delivery.attempt,
      'assay.outcome': outcome.kind,
      'messaging.batch.message_count': items.length,
    }
    const failed = 'errorClass' in outcome ? outcome.errorClass : undefined
    const start = { name: `step ${run.step}`, kind: 'internal', parent, startedAt, attributes } as const
    recordStoreCalls(recordSpan(start, { endedAt: Date.now(), failed }), calls)
  }
}
