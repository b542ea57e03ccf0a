import type { Output } from '../../api/client.ts'
import { t } from '../../language/messages.ts'
import { axisPosition, axisPositions } from './periods.ts'
import type { Granularity } from './vocabulary.ts'

export type Answer = Output<'analyze_activity'>
export type Row = Answer['items'][number]

/** More lines or bars than an eye tells apart are left out, and said. */
const MAX_LINES = 6
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

const sumOf = (rows: readonly Row[], metric: string): number =>
  rows.reduce((sum, { metrics }) => sum + (metrics[metric] ?? 0), 0)

const linesOf = (
  answer: Pick<Answer, 'from' | 'to' | 'time_zone'>,
  rows: readonly Row[],
  { metric, granularity, labelOf }: ActivityQuery & { readonly granularity: Granularity },
): Drawing => {
  const byLabel = [...Map.groupBy(rows, labelOf)].sort((one, other) => sumOf(other[1], metric) - sumOf(one[1], metric))
  const shown = byLabel.slice(0, MAX_LINES)
  // Beside several lines, those before them could not be told apart.
  const compares = shown.length === 1 && rows.some(({ before }) => before !== undefined)
  const places = axisPositions(
    rows.flatMap(({ period }) => (period === null ? [] : [period])),
    { ...answer, granularity },
  )
  const figures = new Map(
    shown.flatMap(([label, ofLabel], index) =>
      ofLabel.map(row => [`${index} ${axisPosition(row.period ?? '', granularity)}`, { label, row }] as const),
    ),
  )
  const none = isSum(metric) ? 0 : null
  const data = places.map(at => {
    const values = shown.map((_, index) => figures.get(`${index} ${at}`)?.row)
    return {
      at,
      ...Object.fromEntries(values.map((row, index) => [`line_${index}`, row?.metrics[metric] ?? none])),
      ...(compares && { before: values[0]?.before?.[metric] ?? none }),
    }
  })
  const lines = shown.map(([label], index) => ({ name: `line_${index}`, label, isBefore: false }))
  return {
    kind: 'lines',
    data,
    series: compares ? [...lines, { name: 'before', label: t('Previous period'), isBefore: true }] : lines,
    shown: shown.length,
    of: byLabel.length,
  }
}

const barsOf = (rows: readonly Row[], { metric, labelOf }: ActivityQuery): Drawing => {
  const shown = rows.slice(0, MAX_BARS)
  const beside = besideOf(shown, metric)
  return {
    kind: 'bars',
    data: shown.map(row => ({
      at: labelOf(row),
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
