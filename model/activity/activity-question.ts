import { DAY_MS } from '../../schemas/domain/durations.ts'
import { keysOf } from '../collections.ts'
import type { Clock } from '../signals/happened.ts'

/**
 * What `analyze_activity` may name, and the column that each field stands for. Nothing else reaches a statement's text.
 */

export const METRIC_NAMES = [
  'count',
  'distinct_signals',
  'distinct_signals_and_repeats',
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
type FilterOperator = (typeof FILTER_OPERATORS)[number]

/** How far a time of the period before lies behind its counterpart. */
export interface PeriodOffset {
  readonly unit: 'months' | 'days' | 'milliseconds'
  readonly by: number
}

export interface PreviousPeriod {
  readonly from: Date
  readonly shift: PeriodOffset
}

/**
 * The period of equal length that ends where the range begins, the one that every answer compares with: as many months
 * when the range is made of whole ones; as many days of the zone's calendar when it begins and ends at midnight there,
 * whatever its clocks did; else the same number of milliseconds. What is not over counts as far as it has come, unless
 * it is told by its parts, which lie beside those before.
 */
export const previousPeriod = (range: TimeRange, now: Date): PreviousPeriod => {
  const { from, granularity, timeZone } = range
  const to = granularity === null && range.to > now && from < now ? now : range.to
  const begin = from.getTime() + offsetAt(timeZone, from.getTime())
  const end = to.getTime() + offsetAt(timeZone, to.getTime())
  const atMidnight = begin % DAY_MS === 0 && end % DAY_MS === 0
  if (!atMidnight) {
    const by = to.getTime() - from.getTime()
    return { from: new Date(from.getTime() - by), shift: { unit: 'milliseconds', by } }
  }
  const [first, last] = [new Date(begin), new Date(end)]
  if (first.getUTCDate() === 1 && last.getUTCDate() === 1) {
    const by = (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth()
    const local = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - by, 1)
    return { from: new Date(instantAt(timeZone, local)), shift: { unit: 'months', by } }
  }
  const by = (end - begin) / DAY_MS
  return { from: new Date(instantAt(timeZone, begin - by * DAY_MS)), shift: { unit: 'days', by } }
}

export interface Filter {
  readonly field: Field
  readonly op: FilterOperator
  readonly values: readonly string[]
}

/** Which figures, of which events, apart by what: everything but the page. */
export interface ActivityQuestion extends TimeRange {
  /** Which time of an event is meant: when it happened, or for a signal's when it was received. */
  readonly clock: Clock
  readonly metrics: readonly Metric[]
  readonly groupBy: readonly Field[]
  readonly filters: readonly Filter[]
  /** The claims and nodes of now, of fields that are asked about; else those of the way in. */
  readonly places: Places
  readonly order: { readonly by: Metric | 'period'; readonly direction: 'asc' | 'desc' }
  /** The period that is compared with; null when none is. */
  readonly before: PreviousPeriod | null
}

/** The first instant that the question is about. */
export const startOf = ({ from, before }: ActivityQuestion): Date => before?.from ?? from

const WEEK_MS = 7 * DAY_MS

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' })
  formats.set(zone, made)
  return made
}

/**
 * How far the clocks of an IANA zone are ahead of UTC at an instant (milliseconds since the epoch), in milliseconds.
 */
const offsetAt = (zone: string, at: number): number => {
  const formatter = formatOf(zone)
    .formatToParts(at)
    .find(part => part.type === 'timeZoneName')?.value
  const [, sign = '+', hours = 0, minutes = 0, seconds = 0] =
    /GMT([+-])(\d+):?(\d+)?:?(\d+)?/.exec(formatter ?? '') ?? []
  const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -offset : offset
}

/**
 * The instant at which the zone's clocks show `local`, a time written as if it were UTC. Where a change of clocks
 * leaves it out or shows it twice, one beside it.
 */
export const instantAt = (zone: string, local: number): number => {
  const near = local - offsetAt(zone, local)
  return local - offsetAt(zone, near)
}

/**
 * Whether all clocks of the zone are a whole number of `unitMs` ahead of UTC from one instant to another, so that its
 * periods are made of whole units of UTC. Looks once a week: no zone changes its clocks for less.
 */
export const offsetsAreWhole = (zone: string, from: number, to: number, unitMs: number): boolean => {
  for (let at = from; at < to; at += WEEK_MS) if (offsetAt(zone, at) % unitMs !== 0) return false
  return offsetAt(zone, to) % unitMs === 0
}

/**
 * What the database tells of a signal, and its events do not: the claims that it is evidence of and its node, which may
 * be others by now, and whoever said it, of whom the events keep nothing.
 */
export type PlaceField = Extract<Field, 'claim' | 'node' | 'actor'>

/** Places as a statement has them. */
export interface SignalPlaces {
  /** An expression of an event: the labels of the places that its signal has, as an array; an empty label for none. */
  readonly labels: string
  readonly parameters: Readonly<Record<string, string>>
  readonly labelOf: (id: string) => string
  readonly idOf: (label: string) => string
  /** What people call an actor; empty for what has no name there. */
  readonly names: ReadonlyMap<string, string>
  /** Whether two actors have one name: a sender without an address is another actor in each source. */
  readonly hasSharedNames: boolean
}

export type Places = Readonly<Partial<Record<Field, SignalPlaces>>>
