import { type Codec, SchemaUnknown } from '../../infra/log/codec.ts'
import type { OutgoingRecord, StoredRecord } from '../../infra/log/port.ts'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { withStoreCalls } from '../../infra/telemetry/spans.ts'
import type { TenantId } from '../../schemas/domain/ids.ts'
import type { Fault } from '../../schemas/domain/vocabulary.ts'
import type { ActivityRecord } from '../../schemas/events/activity.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { type Lane, signalsTopic } from '../../schemas/events/topics.ts'
import {
  type BatchItem,
  createOutputs,
  deadLetterRecord,
  deliveryOf,
  type FailureNote,
  forwardedHeaders,
  type Outputs,
  retryRecord,
} from './outputs.ts'
import type { Pace } from './pace.ts'
import type { Pipeline, Segment } from './pipeline.ts'
import { runStep } from './run-step.ts'
import type { Failure, Observer, Outcome } from './step.ts'
import { deadLetterEvent, receivedEvent, type StepRun, stepEvent, traceStep, traceWaiting } from './step-activity.ts'
import { classifyThrown, framesOf } from './thrown.ts'
import { partitionKey, type RetryDelay } from './topics.ts'

type Failed = Failure & { readonly reason: string }

export interface SegmentWork {
  readonly pipeline: Pipeline
  readonly segment: Segment
  readonly lane: Lane
  readonly delays: readonly RetryDelay[]
  readonly signalCodec: Codec<SignalRecord>
  readonly activityCodec: Codec<ActivityRecord>
  readonly observer: Observer
  readonly now: () => number
  /** Called with the tenants of a batch once the records are decoded. */
  readonly onTenants?: (tenants: ReadonlySet<TenantId>) => void
}

export interface Processed {
  /** Records to append: survivors for the next head, retries, dead letters and activity. */
  readonly outputs: readonly OutgoingRecord[]
  /** Number of finished records from the first one. There was no time for the rest. */
  readonly done: number
}

/**
 * Runs a segment's steps over a batch in memory, one after the other. The records may come from several partitions,
 * each partition's together and in order. Appends nothing. Rejects when a dependency is away or a partition is lost;
 * then nothing counts as tried.
 */
export const processBatch = async (
  records: readonly StoredRecord[],
  work: SegmentWork,
  pace: Pace,
): Promise<Processed> => {
  const outputs = createOutputs()
  const decoded = await decodeBatch(records, work, outputs, pace)
  let { items, done } = decoded
  traceWaiting(items, work.lane)
  work.onTenants?.(new Set(items.map(({ signal }) => signal.tenant_id)))

  for (const step of work.segment.steps) {
    if (items.length === 0) break
    const started = performance.now()
    const startedAt = Date.now()
    const signals = items.map(item => item.signal)
    const { result: outcomes, calls } = await withStoreCalls(() => runStep(step, signals, pace))
    const firstUnprocessed = items[outcomes.length]
    if (firstUnprocessed !== undefined) done = firstUnprocessed.place
    items = items.slice(0, outcomes.length)
    const durationMs = (performance.now() - started) / items.length
    work.observer.stepRan(step.name, work.lane, durationMs * items.length, items.length)
    const ordinal = work.pipeline.ordinalOf(step.name)
    const run: StepRun = { step: step.name, ordinal, version: step.version, durationMs, endedAt: work.now() }
    traceStep(items, outcomes, { run, startedAt, calls })

    const survivors: BatchItem[] = []
    for (const [index, item] of items.entries()) {
      const outcome = outcomes[index]
      if (outcome === undefined) continue
      const survivor = applyOutcome(item, run, outcome, work, outputs)
      if (survivor !== null) survivors.push(survivor)
    }
    items = survivors
  }

  for (const item of items) {
    await pace.checkpoint()
    await handOver(item, work, outputs)
  }
  return { outputs: await outputs.ofFirst(done, work.activityCodec), done }
}

interface Decoded {
  readonly items: readonly BatchItem[]
  /** Number of records up to the first one that cannot be decoded yet. */
  readonly done: number
}

/**
 * The bytes are no record, or do not fit the schema. Any other failure of a codec comes from the registry and passes.
 */
const isInvalid = (error: unknown): boolean => isAssayError(error) && error.code === 'invalid_input'

/**
 * Decodes the batch up to the first record that cannot be read until the registry is back. A record that is no signal
 * becomes a dead letter unchanged.
 */
const decodeBatch = async (
  records: readonly StoredRecord[],
  { segment, lane, pipeline, signalCodec, observer, now }: SegmentWork,
  outputs: Outputs,
  pace: Pace,
): Promise<Decoded> => {
  const items: BatchItem[] = []
  for (const [place, stored] of records.entries()) {
    await pace.checkpoint()
    try {
      items.push({ place, stored, delivery: deliveryOf(stored), signal: await signalCodec.decode(stored.value) })
    } catch (error) {
      if (error instanceof SchemaUnknown && place > 0) return { items, done: place }
      if (!isInvalid(error)) throw error
      const message = `This is not a signal record (${stored.topic}, partition ${stored.partition}, offset ${stored.offset}).`
      const failure = { step: segment.head, errorClass: 'undecodable', message, at: now() }
      outputs.move(place, deadLetterRecord(stored, stored.key, failure, 'ours', pipeline.isPersonal(segment.head)))
      observer.deadLetter(segment.head, lane, 'ours')
    }
  }
  return { items, done: records.length }
}

/** Records an activity event of a signal. Tests have none: no figure and no ledger counts them. */
const recordEvent = (outputs: Outputs, { signal, place }: BatchItem, event: () => ActivityRecord): void => {
  if (!signal.is_test) outputs.record(place, event())
}

/** Acts on a step's outcome. Answers the signal for the next step, or null when the signal ends here. */
const applyOutcome = (
  item: BatchItem,
  run: StepRun,
  outcome: Outcome,
  work: SegmentWork,
  outputs: Outputs,
): BatchItem | null => {
  const { pipeline, lane, delays, observer } = work
  const after = outcome.kind === 'next' ? { ...item, signal: { ...item.signal, ...outcome.adds } } : item
  recordEvent(outputs, after, () => stepEvent(after, run, outcome))
  observer.outcome(run.step, lane, outcome.kind, Math.max(0, run.endedAt - item.signal.received_at))
  if (outcome.kind === 'next') {
    if (run.step === pipeline.rules.scrubbedBy) recordEvent(outputs, after, () => receivedEvent(after))
    return after
  }
  if (outcome.kind === 'skip' || outcome.kind === 'erased') return null

  const delay = outcome.kind === 'retry' ? delays[item.delivery.attempt - 1] : undefined
  if (delay === undefined) {
    die(item, run, outcome, outcome.kind === 'dead' ? outcome.fault : 'transient', work, outputs)
  } else {
    outputs.move(item.place, retryRecord(item.stored, failureOf(run, outcome), delay))
    observer.retry(run.step, lane)
  }
  return null
}

const failureOf = (run: StepRun, { errorClass, reason }: Failed): FailureNote => ({
  step: run.step,
  errorClass,
  message: reason,
  at: run.endedAt,
})

/** Writes a dead letter and its activity event. */
const die = (
  item: BatchItem,
  run: StepRun,
  failed: Failed,
  fault: Fault,
  { pipeline, segment, lane, observer }: SegmentWork,
  outputs: Outputs,
): void => {
  const { signal_id } = item.signal
  // A failed test is no dead letter: its missing arrival is the test's result.
  if (item.signal.is_test) {
    observer.note('A test ended', { step: run.step, signal_id, errorClass: failed.errorClass })
    return
  }
  const personal = pipeline.isPersonal(segment.head)
  outputs.move(item.place, deadLetterRecord(item.stored, signal_id, failureOf(run, failed), fault, personal))
  if (pipeline.isPersonal(run.step)) recordEvent(outputs, item, () => receivedEvent(item))
  recordEvent(outputs, item, () => deadLetterEvent(item, run, fault, failed.reason))
  observer.deadLetter(run.step, lane, fault)
  if (failed.cause !== undefined) {
    const { errorClass } = failed
    observer.note('A step threw on a signal', { step: run.step, signal_id, errorClass, frames: framesOf(failed.cause) })
  }
}

/** Moves a survivor to the next head, in its own lane. Nothing follows the last segment. */
const handOver = async (item: BatchItem, work: SegmentWork, outputs: Outputs): Promise<void> => {
  const { pipeline, segment, lane, signalCodec, now } = work
  const { signal, delivery } = item
  if (segment.nextHead === null) return
  try {
    outputs.move(item.place, {
      topic: signalsTopic(segment.nextHead, lane),
      key: partitionKey(signal, pipeline.spreadOf(segment.nextHead)),
      value: await signalCodec.encode(signal),
      headers: forwardedHeaders(delivery),
    })
  } catch (error) {
    if (!isInvalid(error)) throw error
    const last = segment.steps.at(-1)
    if (last === undefined) throw error
    const ordinal = pipeline.ordinalOf(last.name)
    const run: StepRun = { step: last.name, ordinal, version: last.version, durationMs: 0, endedAt: now() }
    const { errorClass, message } = classifyThrown(error)
    die(item, run, { errorClass, reason: message }, 'ours', work, outputs)
  }
}
