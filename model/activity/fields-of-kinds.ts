import { ACTIVITY_KINDS, type ActivityKind } from '../../schemas/events/activity.ts'
import { FACTS } from '../signals/facts.ts'
import { type ActivityQuestion, FIELD_NAMES, type Field, type Filter, type Metric } from './activity-question.ts'

/** Fields that a signal has from its receipt on, or that the database has now. */
const OF_SIGNALS = [
  'source',
  'channel',
  'signal_origin',
  'actor_role',
  'actor',
  'node',
  'claim',
  'theme',
  ...FACTS,
] as const
const OF_STEPS = ['classification', 'step', 'outcome', 'reason'] as const

/** Fields of each kind's events, beside `kind`. */
const FIELDS_OF_KINDS: Readonly<Record<ActivityKind, readonly Field[]>> = {
  'signal.received': [...OF_SIGNALS, 'classification'],
  'signal.step': [...OF_SIGNALS, ...OF_STEPS],
  'signal.dead_letter': [...OF_SIGNALS, ...OF_STEPS],
  'source.refused': ['source', 'reason'],
  'code_host.event': [...OF_SIGNALS, 'outcome', 'reason'],
  'metric.received': ['source', 'channel', 'outcome'],
  'tool.call': ['source', 'channel', 'actor', 'tool', 'mode', 'outcome'],
  'decision.made': ['actor'],
}

export const kindsWithField = (field: Field): readonly ActivityKind[] =>
  ACTIVITY_KINDS.filter(kind => field === 'kind' || FIELDS_OF_KINDS[kind].includes(field))

/** Kinds whose events have the classification themselves. */
const STEP_KINDS: readonly ActivityKind[] = ['signal.step', 'signal.dead_letter']

const OF_EVERY_SIGNAL: readonly ActivityKind[] = ['signal.received', 'signal.step']

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

/** Kinds that the filters by kind allow. */
const kindsLeft = (filters: readonly Filter[]): readonly ActivityKind[] =>
  ACTIVITY_KINDS.filter(kind =>
    filters.every(({ field, op, values }) => {
      if (field !== 'kind') return true
      if (op === 'contains') return values.some(value => kind.includes(value.toLowerCase()))
      return values.includes(kind) === (op === 'in')
    }),
  )

/**
 * True when the filters allow receipts and no later event: signals are then counted by their present classification.
 */
export const classifiesReceived = (filters: readonly Filter[]): boolean => {
  const left = kindsLeft(filters)
  return left.includes('signal.received') && !left.some(kind => STEP_KINDS.includes(kind))
}

/** True when a filter finds nothing in an empty field. */
const needsField = ({ op, values }: Filter): boolean => op !== 'not_in' && !values.includes('')

/** A name in a question that none of its events can have. */
interface UnansweredPart {
  readonly part: 'filters' | 'group_by' | 'metrics'
  readonly name: Field | Metric
  /** Kinds that the filters allow. None has the name. */
  readonly kinds: readonly ActivityKind[]
  /** Kinds that have the name. */
  readonly having: readonly ActivityKind[]
}

/** The first part of a question whose answer would always be empty; null without one. */
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

/** All fields beside `kind`. */
export const FIELDS_BESIDE_KIND = FIELD_NAMES.filter(field => field !== 'kind')
