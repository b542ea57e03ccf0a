import { useMemo } from 'react'
import { HOUR_MS, MINUTE_MS } from '../../../../schemas/domain/durations.ts'
import { type Input, useOperation } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { percent } from '../../parts/formats.ts'

export type ActivityQuery = Input<'analyze_activity'>
type Metric = NonNullable<ActivityQuery['metrics']>[number]
export type Field = NonNullable<ActivityQuery['group_by']>[number]
export type Filter = NonNullable<ActivityQuery['filters']>[number]
type Operator = Filter['op']
export type Granularity = NonNullable<NonNullable<ActivityQuery['time']>['granularity']>
type NamedQuestion = NonNullable<ActivityQuery['question']>

/** `figures`: metrics that the person picks. */
export type Question = NamedQuestion | 'figures'

/** What each question is for, and what it takes beside its time. */
export const QUESTIONS: Readonly<
  Record<Question, { readonly label: string; readonly takes: ReadonlySet<keyof ActivityQuery | 'granularity'> }>
> = {
  figures: {
    label: t('Figures'),
    takes: new Set(['metrics', 'group_by', 'granularity', 'filters', 'clock', 'compare', 'order']),
  },
  funnel: { label: t('Funnel'), takes: new Set(['clock', 'compare']) },
  trending: { label: t('Trending'), takes: new Set(['group_by', 'filters', 'clock']) },
  latency: { label: t('Latency'), takes: new Set(['group_by', 'granularity', 'filters', 'compare', 'order']) },
  sources: { label: t('Sources'), takes: new Set([]) },
}

/** How the figures of an answer are called and read. A name that is not here is shown as it is, as a number. */
export const METRICS: Readonly<Record<Metric, string>> = {
  count: t('Count'),
  distinct_signals: t('Distinct signals'),
  distinct_signals_and_repeats: t('Distinct signals and repeats'),
  distinct_actors: t('Distinct actors'),
  p50_duration_ms: t('Duration, median'),
  p95_duration_ms: t('Duration, 95th percentile'),
  p50_elapsed_ms: t('Time since received, median'),
  p95_elapsed_ms: t('Time since received, 95th percentile'),
  work_units: t('Cost of agents’ calls'),
  acceptance_rate: t('Acceptance rate'),
}

const OF_QUESTIONS: Readonly<Record<string, string>> = {
  share_of_received: t('Share of what was received'),
  share_of_previous_stage: t('Share of the previous stage'),
  expected: t('Expected'),
  chance: t('Chance that it is no rise'),
  accepted: t('Accepted'),
  refused: t('Refused'),
  minutes_since_last: t('Minutes since the last request'),
}

export const metricLabel = (name: string): string =>
  (({ ...OF_QUESTIONS, ...METRICS }) as Readonly<Record<string, string>>)[name] ?? name

export const FIELDS: Readonly<Record<Field, string>> = {
  kind: t('Event'),
  source: t('Source'),
  channel: t('Channel'),
  signal_origin: t('Origin'),
  actor_role: t('Actor role'),
  actor: t('Actor'),
  classification: t('Classification'),
  node: t('Map node'),
  claim: t('Claim'),
  theme: t('Theme'),
  tool: t('Tool'),
  mode: t('Tool mode'),
  step: t('Step'),
  outcome: t('Outcome'),
  reason: t('Reason'),
  account: t('Company'),
  plan: t('Plan [of a customer]'),
  language: t('Language'),
}

const OTHER_COLUMNS: Readonly<Record<string, string>> = {
  stage: t('Stage'),
  health: t('Health'),
  source_kind: t('Source kind'),
  refused_for: t('Refusal reason'),
}

export const fieldLabel = (name: string): string =>
  (({ ...OTHER_COLUMNS, ...FIELDS }) as Readonly<Record<string, string>>)[name] ?? name

export const OPERATORS: Readonly<Record<Operator, string>> = {
  in: t('is'),
  not_in: t('is not'),
  contains: t('contains'),
}

export const GRANULARITIES: Readonly<Record<Granularity, string>> = {
  minute: t('Minute'),
  hour: t('Hour'),
  day: t('Day'),
  week: t('Week'),
  month: t('Month'),
}

/** The entries of a record as choices, in its order. */
export const choicesOf = <Name extends string>(labels: Readonly<Record<Name, string>>) =>
  // The keys of a record of names are those names.
  (Object.entries(labels) as [Name, string][]).map(([value, label]) => ({ value, label }))

/** The paths of the map’s nodes by id. */
export type PathOf = ReadonlyMap<string, string>

export const useNodePaths = (enabled: boolean): PathOf => {
  const { data } = useOperation('outline_map', {}, { enabled })
  const items = data?.items
  return useMemo(() => {
    const paths = new Map<string, string>()
    // Depth first: a parent comes before what is below it.
    for (const { id, parent_id, name } of items ?? []) {
      const above = parent_id === null ? undefined : paths.get(parent_id)
      paths.set(id, above === undefined ? name : `${above} / ${name}`)
    }
    return paths
  }, [items])
}

const plain = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
/** Between none and all. */
const SHARES = /_rate$|^share_/

const duration = (milliseconds: number): string => {
  if (milliseconds < 1000) return `${plain.format(milliseconds)} ms`
  if (milliseconds < 120_000) return `${plain.format(milliseconds / 1000)} s`
  if (milliseconds < 2 * HOUR_MS) return `${plain.format(milliseconds / MINUTE_MS)} min`
  return `${plain.format(milliseconds / HOUR_MS)} h`
}

/** Of chances, many are so small that two places of a percentage say nothing. */
const chanceOf = (value: number): string =>
  value > 0 && value < 0.0001 ? `< ${percent(0.0001, 2)}` : percent(value, 2)

/** A figure as people read it, in the unit of its metric; a dash where there was nothing to measure. */
export const figureOf = (metric: string, value: number | null | undefined): string => {
  if (value === null || value === undefined) return '–'
  if (metric.endsWith('_ms')) return duration(value)
  if (SHARES.test(metric)) return percent(value, 1)
  return metric === 'chance' ? chanceOf(value) : plain.format(value)
}

/** The same in little room. */
export const shortFigureOf = (metric: string, value: number): string =>
  metric.endsWith('_ms') || SHARES.test(metric) ? figureOf(metric, value) : compact.format(value)

/** How much more or less than before, as a signed percentage; null where there is nothing to compare. */
export const changeOf = (value: number | null | undefined, before: number | null | undefined): string | null => {
  if (typeof value !== 'number' || typeof before !== 'number' || before === 0) return null
  const change = value / before - 1
  return `${change > 0 ? '+' : ''}${percent(change, 1)}`
}
