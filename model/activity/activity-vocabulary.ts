import { keysOf } from '../keys-of.ts'

/**
 * What `analyze_activity` may name, and the column that each field stands for. Nothing else reaches a statement's text.
 */

export const METRIC_NAMES = [
  'count',
  'distinct_signals',
  'distinct_actors',
  'p50_duration_ms',
  'p95_duration_ms',
  'p50_elapsed_ms',
  'p95_elapsed_ms',
  'work_units',
  'acceptance_rate',
] as const
export type Metric = (typeof METRIC_NAMES)[number]

export const FIELDS = {
  kind: 'kind',
  source: 'source',
  channel: 'channel',
  signal_origin: 'signal_origin',
  actor_role: 'actor_role',
  actor: 'actor',
  classification: 'classification',
  node: 'node_id',
  claim: 'claim_id',
  tool: 'tool',
  mode: 'mode',
  step: 'step',
  outcome: 'outcome',
  reason: 'reason',
} as const
export type Field = keyof typeof FIELDS
export const FIELD_NAMES = keysOf(FIELDS)

/** Filters by one of these say themselves which events to count. */
export const SAYS_WHAT: ReadonlySet<Field> = new Set<Field>(['kind', 'step', 'outcome', 'tool', 'mode'])

export const GRANULARITY_NAMES = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Granularity = (typeof GRANULARITY_NAMES)[number]

/** The time that a question is about, cut into periods. */
export interface TimeRange {
  readonly from: Date
  readonly to: Date
  /** Null: one figure for the whole time. */
  readonly granularity: Granularity | null
  readonly timeZone: string
}

export const FILTER_OPERATORS = ['in', 'not_in', 'contains'] as const
export type FilterOperator = (typeof FILTER_OPERATORS)[number]
