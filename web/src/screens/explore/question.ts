import { DAY_MS, HOUR_MS } from '../../../../schemas/domain/durations.ts'
import { OWN_ZONE } from '../../parts/own-zone.ts'
import {
  type ActivityQuery,
  FIELDS,
  type Field,
  type Filter,
  GRANULARITIES,
  METRICS,
  OPERATORS,
  QUESTIONS,
  type Question,
} from './vocabulary.ts'

/** What the screen is asked, as its address says it. */
export interface ExploreState extends Readonly<Record<string, string>> {
  readonly question: string
  /** Names with commas between. */
  readonly metrics: string
  readonly group_by: string
  /** `24h`, a number of days (`30d`), or `custom` with the dates `from` and `until`, both included. */
  readonly range: string
  readonly from: string
  readonly until: string
  readonly granularity: string
  readonly time_zone: string
  /** `received`: figures count by when it came; empty: by when it happened. */
  readonly clock: string
  readonly compare: string
  /** A metric or `period`, a colon, and the direction; empty: the usual order. */
  readonly order: string
  /** A JSON list of filters. */
  readonly filters: string
  /** The metric that the chart shows; empty: the first. */
  readonly chart: string
}

/** Signals that were received, day by day as the reader counts days, in the last month. */
export const DEFAULTS: ExploreState = {
  question: 'figures',
  metrics: 'count',
  group_by: '',
  range: '30d',
  from: '',
  until: '',
  granularity: 'day',
  time_zone: OWN_ZONE,
  clock: '',
  compare: '',
  order: '',
  filters: JSON.stringify([{ field: 'kind', op: 'in', values: ['signal.received'] }]),
  chart: '',
}

const isOneOf = <Name extends string>(names: Readonly<Record<Name, unknown>>, text: string): text is Name =>
  Object.hasOwn(names, text)

/** Those of the names, written with commas between, that there are. */
const namesIn = <Name extends string>(names: Readonly<Record<Name, unknown>>, text: string): Name[] =>
  [...new Set(text.split(','))].filter(name => isOneOf(names, name))

export const questionOf = ({ question = '' }: Partial<Pick<ExploreState, 'question'>>): Question =>
  isOneOf(QUESTIONS, question) ? question : 'figures'

export const groupsOf = ({ group_by }: ExploreState): Field[] => namesIn(FIELDS, group_by)

type Filtered = Pick<ExploreState, 'filters'> & Partial<Pick<ExploreState, 'question'>>

/** Whether a question can be filtered by a field: latency is of one kind of event already. */
export const canFilterBy = (state: Omit<Filtered, 'filters'>, field: Field): boolean =>
  field !== 'kind' || questionOf(state) !== 'latency'

/** The filters that a text has; what its question does not take, or is none, is left out, whoever wrote the address. */
export const filtersOf = (state: Filtered): readonly Filter[] => {
  try {
    const parsed: unknown = JSON.parse(state.filters)
    return Array.isArray(parsed) ? parsed.filter(isFilter).filter(({ field }) => canFilterBy(state, field)) : []
  } catch {
    return []
  }
}

const isFilter = (value: unknown): value is Filter => {
  if (typeof value !== 'object' || value === null) return false
  const { field, op, values } = value as Readonly<Record<string, unknown>>
  return (
    typeof field === 'string' &&
    isOneOf(FIELDS, field) &&
    typeof op === 'string' &&
    isOneOf(OPERATORS, op) &&
    Array.isArray(values) &&
    values.every(each => typeof each === 'string')
  )
}

const dayIn = (zone: string, at: Date): string => {
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at)
  } catch {
    // A zone that is none: the service says so.
    return at.toISOString().slice(0, 10)
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const dayAfter = (date: string): string => {
  const next = new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS)
  return Number.isNaN(next.getTime()) ? date : next.toISOString().slice(0, 10)
}

/** Ranges that count days begin at a midnight of the zone, so that their first day is whole. */
const timeOf = ({ range, from, until, time_zone }: ExploreState, now: Date): NonNullable<ActivityQuery['time']> => {
  if (range === 'custom') {
    return { ...(from !== '' && { from }), ...(until !== '' && { to: DATE.test(until) ? dayAfter(until) : until }) }
  }
  if (range === '24h') {
    return { from: new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - DAY_MS).toISOString() }
  }
  const days = /^(\d{1,4})d$/.exec(range)?.[1] ?? '30'
  return { from: dayIn(time_zone, new Date(now.getTime() - Number(days) * DAY_MS)) }
}

/** What the operation is asked, of all that its question takes. */
export const queryOf = (state: ExploreState, now: Date): ActivityQuery => {
  const question = questionOf(state)
  const { takes } = QUESTIONS[question]
  const metrics = namesIn(METRICS, state.metrics)
  const groups = groupsOf(state)
  const filters = filtersOf(state).filter(({ values }) => values.length > 0)
  const hasPeriods = takes.has('granularity') && isOneOf(GRANULARITIES, state.granularity)
  const [by = '', direction] = state.order.split(':')
  return {
    ...(question !== 'figures' && { question }),
    ...(takes.has('metrics') && metrics.length > 0 && { metrics }),
    ...(takes.has('group_by') && groups.length > 0 && { group_by: groups }),
    time: {
      ...timeOf(state, now),
      ...(hasPeriods && isOneOf(GRANULARITIES, state.granularity) && { granularity: state.granularity }),
      ...(state.time_zone !== 'UTC' && { time_zone: state.time_zone }),
    },
    ...(takes.has('filters') && filters.length > 0 && { filters: filters.map(copied) }),
    ...(takes.has('clock') && state.clock === 'received' && { clock: 'received' }),
    ...(takes.has('compare') && state.compare === 'yes' && { compare: true }),
    ...(takes.has('order') &&
      by !== '' &&
      (by !== 'period' || hasPeriods) && { order: { by, direction: direction === 'asc' ? 'asc' : 'desc' } }),
  }
}

const copied = ({ field, op, values }: Filter): Filter => ({ field, op, values: [...values] })

/** The same question about exactly the time of an answer, so that it is answered the same later. */
export const pinned = (
  query: ActivityQuery,
  answer: { readonly from: string; readonly to: string },
): ActivityQuery => ({
  ...query,
  time: { ...query.time, from: answer.from, to: answer.to },
})

/** The call by which an agent gets the same answer: a JSON-RPC request for the service’s MCP endpoint. */
export const agentCall = (query: ActivityQuery): string =>
  JSON.stringify(
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'service_analyze', arguments: { mode: 'activity', ...query } },
    },
    null,
    2,
  )
