import { ACTIVITY_KINDS, type ActivityKind } from '../../schemas/events/activity.ts'
import { type ActivityQuestion, FIELD_NAMES, type Field, type Filter, type Metric } from './activity-question.ts'

/** What is known of a signal from its receipt on. Claims, nodes and actors are those that the database has now. */
const OF_SIGNALS = ['source', 'channel', 'signal_origin', 'actor_role', 'actor', 'node', 'claim'] as const
const OF_STEPS = ['classification', 'step', 'outcome', 'reason'] as const

/** The fields that events of a kind have, beside `kind`. */
const FIELDS_OF_KINDS: Readonly<Record<ActivityKind, readonly Field[]>> = {
  'signal.received': OF_SIGNALS,
  'signal.step': [...OF_SIGNALS, ...OF_STEPS],
  'signal.dead_letter': [...OF_SIGNALS, ...OF_STEPS],
  'source.refused': ['source', 'reason'],
  'code_host.event': [...OF_SIGNALS, 'outcome', 'reason'],
  'metric.received': ['source', 'channel', 'outcome'],
  'tool.call': ['source', 'channel', 'actor', 'tool', 'mode', 'outcome'],
  'decision.made': ['actor'],
}

/** The kinds whose events have a field. */
export const kindsWithField = (field: Field): readonly ActivityKind[] =>
  ACTIVITY_KINDS.filter(kind => field === 'kind' || FIELDS_OF_KINDS[kind].includes(field))

const OF_EVERY_SIGNAL: readonly ActivityKind[] = ['signal.received', 'signal.step']

/** The kinds whose events a metric measures. */
export const KINDS_OF_METRICS: Readonly<Record<Metric, readonly ActivityKind[]>> = {
  count: ACTIVITY_KINDS,
  distinct_signals: OF_EVERY_SIGNAL,
  distinct_signals_and_repeats: OF_EVERY_SIGNAL,
  distinct_actors: kindsWithField('actor'),
  p50_duration_ms: ['signal.step', 'tool.call'],
  p95_duration_ms: ['signal.step', 'tool.call'],
  p50_elapsed_ms: ['signal.step'],
  p95_elapsed_ms: ['signal.step'],
  work_units: ['tool.call'],
  acceptance_rate: ['signal.received', 'source.refused', 'code_host.event', 'metric.received'],
}

/** The kinds that the filters by kind leave. */
const kindsLeft = (filters: readonly Filter[]): readonly ActivityKind[] =>
  ACTIVITY_KINDS.filter(kind =>
    filters.every(({ field, op, values }) => {
      if (field !== 'kind') return true
      if (op === 'contains') return values.some(value => kind.includes(value.toLowerCase()))
      return values.includes(kind) === (op === 'in')
    }),
  )

/** Whether a filter finds nothing where the field is empty. */
const needsField = ({ op, values }: Filter): boolean => op !== 'not_in' && !values.includes('')

/** What a question names and no event that it is about can have. */
interface UnansweredPart {
  readonly part: 'filters' | 'group_by' | 'metrics'
  readonly name: Field | Metric
  /** The kinds that the filters leave, none of which has it. */
  readonly kinds: readonly ActivityKind[]
  /** The kinds that have it. */
  readonly having: readonly ActivityKind[]
}

/** The first part of a question that would be answered with nothing whatever happened; null where there is none. */
export const unansweredPart = ({
  filters,
  groupBy,
  metrics,
}: Pick<ActivityQuestion, 'filters' | 'groupBy' | 'metrics'>): UnansweredPart | null => {
  const fieldOf = (part: UnansweredPart['part']) => (name: Field) => ({ part, name, having: kindsWithField(name) })
  const parts: readonly Omit<UnansweredPart, 'kinds'>[] = [
    ...filters.filter(needsField).map(({ field }) => fieldOf('filters')(field)),
    ...groupBy.map(fieldOf('group_by')),
    ...metrics.map(metric => ({ part: 'metrics' as const, name: metric, having: KINDS_OF_METRICS[metric] })),
  ]
  let left = kindsLeft(filters)
  for (const { part, name, having } of parts) {
    const both = left.filter(kind => having.includes(kind))
    if (both.length === 0) return { part, name, kinds: left, having }
    if (part === 'filters') left = both
  }
  return null
}

/** All fields beside `kind`, for whoever goes over them. */
export const FIELDS_BESIDE_KIND = FIELD_NAMES.filter(field => field !== 'kind')
