import { DAY_MS } from '../../schemas/domain/durations.ts'
import { keysOf } from '../collections.ts'
import type { Fact } from '../signals/facts.ts'
import type { Clock } from '../signals/happened.ts'

/**
 * Names that `analyze_activity` accepts, with the columns behind the fields. Nothing else gets into a statement's text.
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
  // Events lack these fields; the database has them for each signal.
  theme: "''",
  account: "''",
  plan: "''",
  language: "''",
} as const
export type Field = keyof typeof FIELDS
export const FIELD_NAMES = keysOf(FIELDS)

/** Fields that select events: a filter by one of them replaces the default selection. */
export const SAYS_WHAT: ReadonlySet<Field> = new Set<Field>(['kind', 'step', 'outcome', 'tool', 'mode'])

export const GRANULARITY_NAMES = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Granularity = (typeof GRANULARITY_NAMES)[number]

/** The time of a question, cut into periods. */
export interface TimeRange {
  readonly from: Date
  readonly to: Date
  /** Null: one figure for the whole time. */
  readonly granularity: Granularity | null
  readonly timeZone: string
}

export const FILTER_OPERATORS = ['in', 'not_in', 'contains'] as const
type FilterOperator = (typeof FILTER_OPERATORS)[number]

/** Distance of a time in the earlier period from its counterpart. */
export interface PeriodOffset {
  readonly unit: 'months' | 'days' | 'milliseconds'
  readonly by: number
}

export interface PreviousPeriod {
  readonly from: Date
  readonly shift: PeriodOffset
}

/**
 * The period of equal length that ends at the start of the range; every answer compares with it. It has as many months
 * when the range consists of whole months, as many calendar days when the range begins and ends at the zone's midnight,
 * else as many milliseconds. A range that is not over is compared as far as it has come, unless it is cut into periods,
 * which are compared one by one.
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

/** Metrics, filters and groups of a question: everything but the page. */
export interface ActivityQuestion extends TimeRange {
  /** The clock of the question: `occurred`, or `received` for a signal's receipt. */
  readonly clock: Clock
  readonly metrics: readonly Metric[]
  readonly groupBy: readonly Field[]
  readonly filters: readonly Filter[]
  /** Present claims and nodes for the fields that the question names; without them, an event's own fields. */
  readonly places: Places
  readonly order: { readonly by: Metric | 'period'; readonly direction: 'asc' | 'desc' }
  /** The earlier period to compare with; null without a comparison. */
  readonly before: PreviousPeriod | null
}

/** The first instant of the question. */
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

/** Offset of an IANA zone from UTC at an instant (milliseconds since the epoch), ms. */
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
 * The instant at which the zone's clocks show `local`, a time written as if in UTC. When a clock change skips or
 * repeats the time, an instant next to it.
 */
export const instantAt = (zone: string, local: number): number => {
  const near = local - offsetAt(zone, local)
  return local - offsetAt(zone, near)
}

/**
 * True when the zone's offset is a whole number of `unitMs` during the whole time, so that its periods consist of whole
 * UTC units. Checks once a week, since no zone changes its clocks for less.
 */
export const offsetsAreWhole = (zone: string, from: number, to: number, unitMs: number): boolean => {
  for (let at = from; at < to; at += WEEK_MS) if (offsetAt(zone, at) % unitMs !== 0) return false
  return offsetAt(zone, to) % unitMs === 0
}

/**
 * Fields that the database has and events lack: the claims, the themes and the node of a signal, which change; its
 * actor and the actor's facts; and its classification, which is unknown at the receipt.
 */
export type PlaceField = Extract<Field, 'claim' | 'theme' | 'node' | 'actor' | 'classification' | Fact>

/** Places for a statement. */
export interface SignalPlaces {
  /** Expression over an event: an array with the labels of its signal's places; an empty label for none. */
  readonly labels: string
  readonly parameters: Readonly<Record<string, string>>
  readonly labelOf: (id: string) => string
  readonly idOf: (label: string) => string
  /** Labels of all places whose name contains a text, in any letter case. */
  readonly labelsWith: (part: string) => readonly string[]
  /** Names of actors. An actor without a name is missing. */
  readonly names: ReadonlyMap<string, string>
  /** True when two actors have the same name: a sender without an address is another actor in each source. */
  readonly hasSharedNames: boolean
}

export type Places = Readonly<Partial<Record<Field, SignalPlaces>>>
