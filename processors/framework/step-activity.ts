import { derivedId, type EventId } from '../../schemas/domain/ids.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import { type ActivityKind, type ActivityRecord, activity } from '../../schemas/events/activity.ts'
import type { BatchItem } from './batch-item.ts'
import type { Outcome } from './outcome.ts'

export interface StepRun {
  readonly step: StepName
  readonly ordinal: number
  readonly version: string
  /** A signal's share of the batch's duration. */
  readonly durationMs: number
  readonly endedAt: number
}

/**
 * An event of a signal. Its id comes from what happened and its time from the signal, so that a redelivery makes the same event;
 * a replay makes events of its own.
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
    // A sender's words are personal data until they are scrubbed.
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

/** What a step said about a signal. */
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

/** Said once for a signal, when its origin and role are known, or when it ends before they are. A replay is not received again. */
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
