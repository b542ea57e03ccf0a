import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/domain/durations.ts'
import type { Output } from '../../api/operations.ts'
import { moments, t } from '../../language/messages.ts'
import type { Granularity, ActivityQuery as Query } from './vocabulary.ts'

const STEPS_MS = { minute: MINUTE_MS, hour: HOUR_MS } as const
/** A chart has no room for more; the periods that there are must do then. */
const MAX_PERIODS = 2000

/**
 * A period’s start on the clocks of its zone, as if it were UTC, in milliseconds. Written as
 * `2026-05-10T00:00:00+0200`.
 */
const wallOf = (period: string): number => Date.parse(`${period.slice(0, 19)}Z`)

const instantOf = (period: string): number => Date.parse(period.replace(/(\d\d)(\d\d)$/, '$1:$2'))

const stepped = (wall: number, granularity: Exclude<Granularity, 'minute' | 'hour'>, by: number): number => {
  if (granularity === 'day') return wall + by * DAY_MS
  if (granularity === 'week') return wall + by * 7 * DAY_MS
  const date = new Date(wall)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + by, 1)
}

const wallAt = (instant: string, zone: string): number =>
  Date.parse(
    `${new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(new Date(instant)).replace(' ', 'T')}Z`,
  )

interface Range {
  readonly from: string
  readonly to: string
  readonly time_zone: string
  readonly granularity: Granularity
}

/** Where on an axis a period is: its instant where periods are shorter than a day, else its day. */
export const axisPosition = (period: string, granularity: Granularity): number =>
  granularity === 'minute' || granularity === 'hour' ? instantOf(period) : wallOf(period)

/**
 * The places of every period of a time, those without a row too: a day on which nothing happened is a day. In order.
 */
export const axisPositions = (
  periods: readonly string[],
  { from, to, time_zone, granularity }: Range,
): readonly number[] => {
  const known = [...new Set(periods.map(period => axisPosition(period, granularity)))].sort((one, other) => one - other)
  const [first] = known
  if (first === undefined) return []
  const isShort = granularity === 'minute' || granularity === 'hour'
  const next = (place: number, by: number): number =>
    isShort ? place + by * STEPS_MS[granularity] : stepped(place, granularity, by)
  const begin = isShort ? Date.parse(from) : wallAt(from, time_zone)
  const end = isShort ? Date.parse(to) : wallAt(to, time_zone)
  let start = first
  for (let steps = 0; steps < MAX_PERIODS && next(start, 0) > begin; steps += 1) start = next(start, -1)
  const places: number[] = []
  for (let place = start; place < end && places.length <= MAX_PERIODS; place = next(place, 1)) places.push(place)
  return places.length > MAX_PERIODS ? known : places
}

const FORMATS: Readonly<Record<Granularity, Intl.DateTimeFormatOptions>> = {
  minute: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
}

/** A place as people read it, in the zone asked for. */
export const axisLabel = (place: number, granularity: Granularity, zone: string): string => {
  const isShort = granularity === 'minute' || granularity === 'hour'
  const format = new Intl.DateTimeFormat(moments, { ...FORMATS[granularity], timeZone: isShort ? zone : 'UTC' })
  return format.format(new Date(place))
}

export type Answer = Output<'analyze_activity'>
export type Row = Answer['items'][number]

/**
 * One for each line, and as many lines as an eye tells apart: each is three times as light or dark as the ground, in
 * light and in dark. More are left out, and said.
 */
export const LINE_COLORS: readonly string[] = ['#6078e6', '#099268', '#e8590c', '#ae3ec9', '#8f7600', '#d6336c']
/** Of the period before. */
export const COLOR_BEFORE = '#5f6975'
const MAX_BARS = 20

interface Series {
  readonly name: string
  readonly label: string
  /** Of the period before: drawn as what is behind. */
  readonly isBefore: boolean
}

/** What the chart draws; `figure` where a single row says all. */
export type Drawing =
  | { readonly kind: 'figure'; readonly row: Row }
  | {
      readonly kind: 'lines' | 'bars'
      /** One object a place on the axis: `at` (a place in time or a label) and a figure for each series’ name. */
      readonly data: readonly Readonly<Record<string, number | string | null>>[]
      readonly series: readonly Series[]
      readonly shown: number
      readonly of: number
    }

interface ActivityQuery {
  readonly metric: string
  readonly granularity: Granularity | null
  readonly labelOf: (row: Row) => string
}

/** Figures that are sums: of what did not happen there are none, not nothing. */
export const isSum = (metric: string): boolean => /^(count|distinct_|work_units|accepted|refused)/.test(metric)

/** How an answer is drawn; null for an answer of no rows. */
export const drawingOf = (
  answer: Pick<Answer, 'from' | 'to' | 'time_zone'>,
  rows: readonly Row[],
  query: ActivityQuery,
): Drawing | null => {
  const [first] = rows
  if (first === undefined) return null
  if (query.granularity !== null && first.period !== null)
    return linesOf(answer, rows, { ...query, granularity: query.granularity })
  return Object.keys(first.group).length === 0 ? { kind: 'figure', row: first } : barsOf(rows, query)
}

/** Which group a row is of: two claims, or two people, may have one name. */
const keyOf = ({ group }: Row): string => JSON.stringify(group)

const sumOf = (rows: readonly Row[], metric: string): number =>
  rows.reduce((sum, { metrics }) => sum + (metrics[metric] ?? 0), 0)

const linesOf = (
  answer: Pick<Answer, 'from' | 'to' | 'time_zone'>,
  rows: readonly Row[],
  { metric, granularity, labelOf }: ActivityQuery & { readonly granularity: Granularity },
): Drawing => {
  const byGroup = [...Map.groupBy(rows, keyOf).values()].sort((one, other) => sumOf(other, metric) - sumOf(one, metric))
  const shown = byGroup.slice(0, LINE_COLORS.length)
  // Beside several lines, those before them could not be told apart.
  const compares = shown.length === 1 && rows.some(({ before }) => before !== undefined)
  const places = axisPositions(
    rows.flatMap(({ period }) => (period === null ? [] : [period])),
    { ...answer, granularity },
  )
  const figures = new Map(
    shown.flatMap((ofGroup, index) =>
      ofGroup.map(row => [`${index} ${axisPosition(row.period ?? '', granularity)}`, row] as const),
    ),
  )
  const none = isSum(metric) ? 0 : null
  const data = places.map(at => {
    const values = shown.map((_, index) => figures.get(`${index} ${at}`))
    return {
      at,
      ...Object.fromEntries(values.map((row, index) => [`line_${index}`, row?.metrics[metric] ?? none])),
      ...(compares && { before: values[0]?.before?.[metric] ?? none }),
    }
  })
  const lines = shown.map(([first], index) => ({
    name: `line_${index}`,
    label: first === undefined ? '' : labelOf(first),
    isBefore: false,
  }))
  return {
    kind: 'lines',
    data,
    series: compares ? [...lines, { name: 'before', label: t('Previous period'), isBefore: true }] : lines,
    shown: shown.length,
    of: byGroup.length,
  }
}

/**
 * The rows of a table of all periods: one in which nothing happened is a row too, in its place in the order, whatever
 * the others are grouped by. A group that a period does not name has none there.
 */
export const withEmptyPeriods = (
  answer: Pick<Answer, 'from' | 'to' | 'time_zone'>,
  rows: readonly Row[],
  { granularity, order }: { readonly granularity: Granularity | null; readonly order: Query['order'] | null },
): readonly Row[] => {
  const [first] = rows
  if (granularity === null || first === undefined) return rows
  const periods = rows.flatMap(({ period }) => (period === null ? [] : [period]))
  const known = new Set(periods.map(period => axisPosition(period, granularity)))
  const none = (figures: Row['metrics']): Row['metrics'] =>
    Object.fromEntries(Object.keys(figures).map(metric => [metric, isSum(metric) ? 0 : null]))
  const empty = axisPositions(periods, { ...answer, granularity })
    .filter(place => !known.has(place))
    .map(place => ({
      period: `${new Date(place).toISOString().slice(0, 19)}+0000`,
      group: Object.fromEntries(Object.keys(first.group).map(name => [name, ''])),
      metrics: none(first.metrics),
      ...(first.before !== undefined && { before: none(first.before) }),
    }))
  const isDescending = order?.direction !== 'asc'
  if (order != null && order.by !== 'period') return isDescending ? [...rows, ...empty] : [...empty, ...rows]
  const sign = order != null && isDescending ? -1 : 1
  const placeOf = ({ period }: Row): number => axisPosition(period ?? '', granularity)
  return [...rows, ...empty].toSorted((one, other) => sign * (placeOf(one) - placeOf(other)))
}

const barsOf = (rows: readonly Row[], { metric, labelOf }: ActivityQuery): Drawing => {
  const shown = rows.slice(0, MAX_BARS)
  const beside = besideOf(shown, metric)
  return {
    kind: 'bars',
    data: shown.map(row => ({
      at: labelOf(row),
      key: keyOf(row),
      value: row.metrics[metric] ?? null,
      ...(beside !== null && { before: beside.figure(row) }),
    })),
    series: [
      { name: 'value', label: metric, isBefore: false },
      ...(beside === null ? [] : [{ name: 'before', label: beside.label, isBefore: true }]),
    ],
    shown: shown.length,
    of: rows.length,
  }
}

/** What each bar is measured against: the period before, or what was to be expected of its past. */
const besideOf = (rows: readonly Row[], metric: string) => {
  if (rows.some(({ before }) => before !== undefined)) {
    return { label: t('Previous period'), figure: ({ before }: Row) => before?.[metric] ?? null }
  }
  if (metric === 'count' && rows.some(({ metrics }) => metrics.expected !== undefined)) {
    return { label: t('Expected'), figure: ({ metrics }: Row) => metrics.expected ?? null }
  }
  return null
}
