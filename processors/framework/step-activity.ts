import { recordedParent } from '../../infra/runtime/traces.ts'
import { isTracing, recordSpan, recordStoreCalls, type StoreCall } from '../../infra/telemetry/spans.ts'
import { derivedId, type EventId } from '../../schemas/domain/ids.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import { type ActivityKind, type ActivityRecord, activity } from '../../schemas/events/activity.ts'
import type { Lane } from '../../schemas/events/topics.ts'
import type { BatchItem } from './outputs.ts'
import type { Outcome } from './step.ts'

export interface StepRun {
  readonly step: StepName
  readonly ordinal: number
  readonly version: string
  /** The signal's part of the batch's duration. */
  readonly durationMs: number
  readonly endedAt: number
}

/**
 * An activity event of a signal. Its id comes from what happened and its time from the signal, so a redelivery makes
 * the same event. A replay makes new events.
 */
const signalEvent = (
  { signal, delivery }: BatchItem,
  kind: ActivityKind,
  identity: readonly string[],
  details: Partial<ActivityRecord>,
): ActivityRecord => {
  const replay = delivery.replay === 0 ? [] : [`replay ${delivery.replay}`]
  return activity({
    event_id: derivedId<EventId>('event', signal.signal_id, kind, ...identity, ...replay),
    workspace_id: signal.workspace_id,
    kind,
    occurred_at: signal.received_at,
    happened_at: Math.min(signal.content?.occurred_at ?? signal.received_at, signal.received_at),
    subject_id: signal.signal_id,
    source_id: signal.source_id ?? '',
    // `source` is a sender's text: personal data until it is scrubbed.
    source: signal.scrubbed === null ? '' : (signal.content?.source ?? ''),
    channel: signal.channel,
    signal_origin: signal.content?.signal_origin ?? '',
    actor_role: signal.content?.actor_role ?? '',
    classification: signal.classification?.label ?? '',
    node_id: signal.anchor?.node_id ?? '',
    replay: delivery.replay,
    trace_id: delivery.traceId,
    ...details,
  })
}

/** The event for a step's outcome. */
export const stepEvent = (item: BatchItem, run: StepRun, outcome: Outcome): ActivityRecord => {
  const { attempt } = item.delivery
  return signalEvent(item, 'signal.step', [run.step, String(attempt)], {
    step: run.step,
    step_ordinal: run.ordinal,
    outcome: outcome.kind,
    reason: outcome.kind === 'next' ? (outcome.note ?? '') : outcome.reason,
    claim_id: (outcome.kind === 'next' && outcome.claimId) || '',
    version: run.version,
    attempt,
    duration_ms: run.durationMs,
    elapsed_ms: Math.max(0, run.endedAt - item.signal.received_at),
  })
}

/**
 * Recorded once for a signal: when its origin and role are known, or when it ends earlier. A replay is not received
 * again.
 */
export const receivedEvent = (item: BatchItem): ActivityRecord =>
  signalEvent({ ...item, delivery: { ...item.delivery, replay: 0 } }, 'signal.received', [], {})

export const deadLetterEvent = (item: BatchItem, run: StepRun, fault: string, reason: string): ActivityRecord =>
  signalEvent(item, 'signal.dead_letter', [run.step], {
    step: run.step,
    step_ordinal: run.ordinal,
    outcome: fault,
    reason,
    version: run.version,
    attempt: item.delivery.attempt,
    elapsed_ms: Math.max(0, run.endedAt - item.signal.received_at),
  })

/** Traces each signal's time on the log, from its append to the start of its batch. */
export const traceWaiting = (items: readonly BatchItem[], lane: Lane): void => {
  if (!isTracing()) return
  const endedAt = Date.now()
  for (const { stored, delivery } of items) {
    const parent = recordedParent(delivery.traceparent)
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

/** Traces a step's work on a batch for each of its signals. Each trace shows all store calls of the batch. */
export const traceStep = (
  items: readonly BatchItem[],
  outcomes: readonly Outcome[],
  { run, startedAt, calls }: TracedStep,
): void => {
  if (!isTracing()) return
  for (const [index, item] of items.entries()) {
    const { signal, delivery } = item
    const outcome = outcomes[index]
    const parent = recordedParent(delivery.traceparent)
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
