import type { EventId, WorkspaceId } from '../domain/ids.ts'
import type { AvroRecord } from './avro.ts'

/**
 * The kinds of activity. `signal.step` is a step's outcome. `source.refused` counts the requests of a few seconds that
 * a source refused for one `reason` (`times`; `occurred_at` is the last one's time). All other kinds record one event.
 */
export const ACTIVITY_KINDS = [
  'signal.received',
  'signal.step',
  'signal.dead_letter',
  'source.refused',
  'code_host.event',
  'metric.received',
  'tool.call',
  'decision.made',
] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

/**
 * A record of the `activity` topic, and a row of ClickHouse's `activity` table. `event_id` and `occurred_at` are
 * derived from the event, never from the writer's clock: a redelivery makes the same row.
 */
export interface ActivityRecord {
  readonly event_id: EventId
  readonly workspace_id: WorkspaceId
  readonly kind: ActivityKind
  /** Milliseconds since the epoch. For events of a signal and of a code host: when it was received. */
  readonly occurred_at: number
  /** When it happened, never after `occurred_at`. For received events: the time that the sender gives. */
  readonly happened_at: number
  /** The signal, claim, solution or decision that it is about; empty when there is none. */
  readonly subject_id: string
  readonly source_id: string
  readonly source: string
  readonly channel: string
  readonly signal_origin: string
  readonly actor_role: string
  readonly actor: string
  readonly classification: string
  readonly node_id: string
  readonly claim_id: string
  readonly tool: string
  readonly mode: string
  readonly step: string
  /** Position of the step in the pipeline, from 1; 0 without a step. */
  readonly step_ordinal: number
  /** A step's `next`, `skip`, `retry` or `dead`; a tool call's `ok` or error code; a code host's event name. */
  readonly outcome: string
  readonly reason: string
  /** The version of the step's model or rules. */
  readonly version: string
  readonly attempt: number
  /** Number of the signal's replay; 0 before the first. */
  readonly replay: number
  /** Duration of the step or call, ms; a step in a batch has its share. */
  readonly duration_ms: number
  /** Time from the signal's receipt to the end of the step, ms. */
  readonly elapsed_ms: number
  readonly work_units: number
  /** Number of events: 1, unless the kind counts equal events together. */
  readonly times: number
  readonly trace_id: string
}

/** An activity whose other fields are empty. */
export const activity = (
  known: Pick<ActivityRecord, 'event_id' | 'workspace_id' | 'kind' | 'occurred_at'> & Partial<ActivityRecord>,
): ActivityRecord => ({
  subject_id: '',
  source_id: '',
  source: '',
  channel: '',
  signal_origin: '',
  actor_role: '',
  actor: '',
  classification: '',
  node_id: '',
  claim_id: '',
  tool: '',
  mode: '',
  step: '',
  step_ordinal: 0,
  outcome: '',
  reason: '',
  version: '',
  attempt: 1,
  replay: 0,
  duration_ms: 0,
  elapsed_ms: 0,
  work_units: 0,
  times: 1,
  trace_id: '',
  happened_at: known.occurred_at,
  ...known,
})

/**
 * `ActivityRecord` in Avro. A new field needs a default, so that records of older programs stay readable. Vocabulary
 * words are plain strings, since rows must outlive the vocabulary of their time.
 */
export const activitySchema = {
  type: 'record',
  name: 'Activity',
  namespace: 'assay.events',
  doc: 'Something that happened.',
  fields: [
    { name: 'event_id', type: 'string', doc: 'UUID, derived from what happened: said twice, it is the same event.' },
    { name: 'workspace_id', type: 'string', doc: 'UUID of the workspace that it happened in.' },
    { name: 'kind', type: 'string', doc: 'What happened, one of `ACTIVITY_KINDS`.' },
    { name: 'occurred_at', type: 'long', doc: 'Milliseconds since the epoch. For a signal: when it was received.' },
    {
      name: 'happened_at',
      type: 'long',
      default: 0,
      doc: 'When it happened, in milliseconds since the epoch, never after occurred_at; 0 where that is not told apart.',
    },
    {
      name: 'subject_id',
      type: 'string',
      default: '',
      doc: 'The signal, claim, solution or decision that it is about.',
    },
    { name: 'source_id', type: 'string', default: '', doc: 'UUID of the source.' },
    { name: 'source', type: 'string', default: '', doc: "The sender's label." },
    { name: 'channel', type: 'string', default: '', doc: 'The kind of door that the signal came in through.' },
    { name: 'signal_origin', type: 'string', default: '', doc: 'Where the signal has its origin.' },
    { name: 'actor_role', type: 'string', default: '', doc: 'What the actor is to the product.' },
    { name: 'actor', type: 'string', default: '', doc: 'Who did it, by an id or a key that names no person.' },
    { name: 'classification', type: 'string', default: '', doc: 'The kind of evidence.' },
    { name: 'node_id', type: 'string', default: '', doc: 'UUID of the node of the product map.' },
    { name: 'claim_id', type: 'string', default: '', doc: 'UUID of the claim.' },
    { name: 'tool', type: 'string', default: '', doc: 'The tool that was called.' },
    { name: 'mode', type: 'string', default: '', doc: "The tool's mode." },
    { name: 'step', type: 'string', default: '', doc: 'The step of the pipeline.' },
    { name: 'step_ordinal', type: 'int', default: 0, doc: 'Position of the step, from 1; 0 where there is no step.' },
    { name: 'outcome', type: 'string', default: '', doc: 'How it ended.' },
    { name: 'reason', type: 'string', default: '', doc: 'Why it ended so.' },
    { name: 'version', type: 'string', default: '', doc: 'The model or rule version that a step worked with.' },
    { name: 'attempt', type: 'int', default: 1, doc: 'Which attempt it was, from 1.' },
    { name: 'replay', type: 'int', default: 0, doc: 'Which replay of the signal it belongs to; 0 before the first.' },
    { name: 'duration_ms', type: 'double', default: 0, doc: 'How long it took; a step in a batch counts its share.' },
    { name: 'elapsed_ms', type: 'double', default: 0, doc: "From the signal's receipt to the end of the step." },
    { name: 'work_units', type: 'long', default: 0, doc: 'What the call cost of the metered units.' },
    {
      name: 'times',
      type: 'int',
      default: 1,
      doc: 'How often it happened; 1 unless like events are counted together.',
    },
    { name: 'trace_id', type: 'string', default: '', doc: 'Of the W3C trace that it is part of.' },
  ],
} as const satisfies AvroRecord
