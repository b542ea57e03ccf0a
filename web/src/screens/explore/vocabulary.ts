import { ACTOR_ROLES, CHANNELS, CLASSIFICATIONS, SIGNAL_ORIGINS, STEPS } from '../../../../schemas/domain/vocabulary.ts'
import type { ActivityKind } from '../../../../schemas/events/activity.ts'
import type { Input } from '../../api/client.ts'

export type ActivityQuery = Input<'analyze_activity'>
export type Metric = NonNullable<ActivityQuery['metrics']>[number]
export type Field = NonNullable<ActivityQuery['group_by']>[number]
export type Filter = NonNullable<ActivityQuery['filters']>[number]
export type Operator = Filter['op']
export type Granularity = NonNullable<NonNullable<ActivityQuery['time']>['granularity']>
type NamedQuestion = NonNullable<ActivityQuery['question']>

/** `figures`: metrics that the person picks. */
export type Question = NamedQuestion | 'figures'

/** What each question is for, and what it takes beside its time. */
export const QUESTIONS: Readonly<
  Record<Question, { readonly label: string; readonly takes: ReadonlySet<keyof ActivityQuery | 'granularity'> }>
> = {
  figures: {
    label: 'Figures',
    takes: new Set(['metrics', 'group_by', 'granularity', 'filters', 'clock', 'compare', 'order']),
  },
  funnel: { label: 'Funnel', takes: new Set(['clock', 'compare']) },
  trending: { label: 'Trending', takes: new Set(['group_by', 'filters', 'clock']) },
  latency: { label: 'Latency', takes: new Set(['group_by', 'granularity', 'filters', 'compare', 'order']) },
  sources: { label: 'Sources', takes: new Set([]) },
}

/** How the figures of an answer are called and read. A name that is not here is shown as it is, as a number. */
export const METRICS: Readonly<Record<Metric, string>> = {
  count: 'Count',
  distinct_signals: 'Distinct Signals',
  distinct_actors: 'Distinct actors',
  p50_duration_ms: 'Duration, median',
  p95_duration_ms: 'Duration, 95th percentile',
  p50_elapsed_ms: 'Since receipt, median',
  p95_elapsed_ms: 'Since receipt, 95th percentile',
  work_units: 'Work units',
  acceptance_rate: 'Acceptance rate',
}

const OF_QUESTIONS: Readonly<Record<string, string>> = {
  share_of_received: 'Share of received',
  share_of_previous_stage: 'Share of the previous stage',
  expected: 'Expected',
  chance: 'By chance',
  accepted: 'Accepted',
  refused: 'Refused',
  minutes_since_last: 'Minutes since the last request',
}

export const metricLabel = (name: string): string =>
  (({ ...OF_QUESTIONS, ...METRICS }) as Readonly<Record<string, string>>)[name] ?? name

export const FIELDS: Readonly<Record<Field, string>> = {
  kind: 'Kind',
  source: 'Source',
  channel: 'Channel',
  signal_origin: 'Origin',
  actor_role: 'Actor role',
  actor: 'Actor',
  classification: 'Classification',
  node: 'Map node',
  claim: 'Claim',
  tool: 'Tool',
  mode: 'Tool mode',
  step: 'Step',
  outcome: 'Outcome',
  reason: 'Reason',
}

const OTHER_COLUMNS: Readonly<Record<string, string>> = {
  stage: 'Stage',
  health: 'Health',
  source_kind: 'Source kind',
  refused_for: 'Refusal reason',
}

export const fieldLabel = (name: string): string =>
  (({ ...OTHER_COLUMNS, ...FIELDS }) as Readonly<Record<string, string>>)[name] ?? name

export const OPERATORS: Readonly<Record<Operator, string>> = { in: 'is', not_in: 'is not', contains: 'contains' }

export const GRANULARITIES: Readonly<Record<Granularity, string>> = {
  minute: 'Minute',
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
}

const KINDS: Readonly<Record<ActivityKind, true>> = {
  'signal.received': true,
  'signal.step': true,
  'signal.dead_letter': true,
  'source.refused': true,
  'code_host.event': true,
  'metric.received': true,
  'tool.call': true,
  'decision.made': true,
}

/** What a field can be, where that is known; others are proposed nothing. */
export const VALUES: Readonly<Partial<Record<Field, readonly string[]>>> = {
  kind: Object.keys(KINDS),
  channel: CHANNELS,
  signal_origin: SIGNAL_ORIGINS,
  actor_role: ACTOR_ROLES,
  classification: CLASSIFICATIONS,
  step: STEPS,
  outcome: ['next', 'skip', 'retry', 'dead', 'ok'],
}

/** The entries of a record as choices, in its order. */
export const choicesOf = <Name extends string>(labels: Readonly<Record<Name, string>>) =>
  // The keys of a record of names are those names.
  (Object.entries(labels) as [Name, string][]).map(([value, label]) => ({ value, label }))
