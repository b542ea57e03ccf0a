/** What `analyze_activity` may name, and the expression that each name stands for. Nothing else reaches a statement's text. */

export const METRICS = {
  count: 'count()',
  distinct_signals: `uniqExactIf(subject_id, kind IN ('signal.received', 'signal.step', 'signal.dead_letter'))`,
  distinct_actors: `uniqExactIf(actor, actor != '')`,
  p50_duration_ms: 'quantileExact(0.5)(duration_ms)',
  p95_duration_ms: 'quantileExact(0.95)(duration_ms)',
  work_units: 'sum(work_units)',
} as const
export type Metric = keyof typeof METRICS

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
} as const
export type Field = keyof typeof FIELDS

/** Each cuts time in the zone that is asked for, and answers the start of the interval. */
export const GRANULARITIES = {
  minute: 'toStartOfMinute(toDateTime(occurred_at, {zone: String}))',
  hour: 'toStartOfHour(toDateTime(occurred_at, {zone: String}))',
  day: 'toStartOfDay(occurred_at, {zone: String})',
  week: 'toDateTime(toStartOfWeek(occurred_at, 1, {zone: String}), {zone: String})',
  month: 'toDateTime(toStartOfMonth(occurred_at, {zone: String}), {zone: String})',
} as const
export type Granularity = keyof typeof GRANULARITIES

export const FILTER_OPERATORS = ['in', 'not_in', 'contains'] as const
export type FilterOperator = (typeof FILTER_OPERATORS)[number]

/** The keys of a record in its own order and type, which `Object.keys` forgets. */
const keys = <Key extends string>(record: Readonly<Record<Key, string>>) => Object.keys(record) as [Key, ...Key[]]

export const METRIC_NAMES = keys(METRICS)
export const FIELD_NAMES = keys(FIELDS)
export const GRANULARITY_NAMES = keys(GRANULARITIES)
