import type { OutgoingRecord, StoredRecord } from '../../infra/log/port.ts'
import { createMemoryRegistry } from '../../infra/log/testing-registry.ts'
import { createCodecs } from '../../model/codecs.ts'
import { newId, type SignalId, type SourceId, type TenantId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { ActivityRecord } from '../../schemas/events/activity.ts'
import { type Content, NO_CUTS, receivedSignal, type SignalRecord } from '../../schemas/events/signal.ts'
import { ACTIVITY_TOPIC, HEADERS, signalsTopic } from '../../schemas/events/topics.ts'
import { createPace, type Pace, type PaceOptions } from './pace.ts'
import { createPipeline, type ErasedStep, type Pipeline, type PipelineRules } from './pipeline.ts'
import { processBatch, type SegmentWork } from './process-batch.ts'
import type { Observer, StepResult } from './step.ts'

/** Builds signals, steps and batches for tests, without an engine. */

/** 1 May 2026, 12:00 UTC: receipt of test signals. */
export const RECEIVED_AT = Date.UTC(2026, 4, 1, 12)

export const testSignal = (text: string, known: Partial<SignalRecord> = {}): SignalRecord => ({
  ...receivedSignal(
    {
      signal_id: newId<SignalId>(),
      tenant_id: newId<TenantId>(),
      workspace_id: newId<WorkspaceId>(),
      source_id: newId<SourceId>(),
      channel: 'webhook',
      received_at: RECEIVED_AT,
    },
    { format: 'signal', body: JSON.stringify({ text }) },
  ),
  ...known,
})

export const testContent = (text: string, known: Partial<Content> = {}): Content => ({
  text,
  text_hash: '',
  event: null,
  source: null,
  source_url: null,
  actor_name: null,
  actor_email: null,
  actor_key: null,
  signal_origin: 'customer',
  actor_role: 'user',
  occurred_at: null,
  metadata: '{}',
  ...NO_CUTS,
  ...known,
})

/** A step of which only the name and the run matter. */
export const testStep = (
  name: StepName,
  run: (batch: readonly SignalRecord[]) => Promise<readonly StepResult<Partial<SignalRecord>>[]>,
): ErasedStep => ({ name, summary: `Does ${name}.`, guarantee: 'Harmless.', version: '1', run })

export const { signalCodec, activityCodec, metricPointCodec } = createCodecs(createMemoryRegistry())

/** A record as the log delivers it. */
export const stored = async (
  value: SignalRecord | Uint8Array,
  known: Partial<StoredRecord> = {},
): Promise<StoredRecord> => ({
  topic: signalsTopic('validate'),
  partition: 0,
  offset: 0,
  timestamp: RECEIVED_AT,
  key: value instanceof Uint8Array ? null : value.signal_id,
  value: value instanceof Uint8Array ? value : await signalCodec.encode(value),
  headers: {},
  ...known,
})

export interface Note {
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
}

/** Keeps the notes and ignores the metrics. */
export const testObserver = (): Observer & { readonly notes: readonly Note[] } => {
  const notes: Note[] = []
  const ignore = () => {}
  return {
    notes,
    stepRan: ignore,
    outcome: ignore,
    retry: ignore,
    deadLetter: ignore,
    batch: ignore,
    pause: ignore,
    note: (message, facts) => notes.push({ message, facts }),
  }
}

const RULES: PipelineRules = { scrubbedBy: 'scrub', keyedBySignalThrough: 'embed', apart: [] }

export const testPipeline = (steps: readonly ErasedStep[], heads: readonly StepName[]): Pipeline =>
  createPipeline(steps, heads, RULES)

/** A segment's work in the live lane, with delays of 10 s and 1 min. Its clock stands a second after the receipt. */
export const segmentWork = (pipeline: Pipeline, head: StepName, known: Partial<SegmentWork> = {}): SegmentWork => {
  const segment = pipeline.segments.find(candidate => candidate.head === head)
  if (segment === undefined) throw new TypeError(`No segment begins at '${head}'.`)
  return {
    pipeline,
    segment,
    lane: 'live',
    delays: [
      { name: '10s', ms: 10_000 },
      { name: '1m', ms: 60_000 },
    ],
    signalCodec,
    activityCodec,
    observer: testObserver(),
    now: () => RECEIVED_AT + 1000,
    ...known,
  }
}

/** Budgets that only a test of budgets exceeds. */
export const LONG_BUDGETS: PaceOptions = { cpuBudgetMs: 10_000, batchMs: 60_000 }

/** The pace of a batch that nobody stops. */
export const testPace = (known: Partial<PaceOptions> = {}): Pace =>
  createPace({ isLost: () => false, heartbeat: async () => {} }, { ...LONG_BUDGETS, ...known })

/** Outputs of a batch that is processed to its end. */
export const outputsOf = async (
  records: readonly StoredRecord[],
  work: SegmentWork,
): Promise<readonly OutgoingRecord[]> => (await processBatch(records, work, testPace())).outputs

/** The activity among the records, decoded. */
export const eventsIn = (records: readonly OutgoingRecord[]): Promise<readonly ActivityRecord[]> =>
  Promise.all(
    records.filter(record => record.topic === ACTIVITY_TOPIC).map(record => activityCodec.decode(record.value)),
  )

/** The records without the activity. */
export const movesIn = (records: readonly OutgoingRecord[]): readonly OutgoingRecord[] =>
  records.filter(record => record.topic !== ACTIVITY_TOPIC)

export const header = (record: OutgoingRecord | undefined, name: keyof typeof HEADERS): string | undefined =>
  record?.headers?.[HEADERS[name]]
