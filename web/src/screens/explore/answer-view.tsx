import { Box, Group, SegmentedControl, Text } from '@mantine/core'
import { IconChartBarOff } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { toPeople } from '../../api/http.ts'
import { counted, language, t } from '../../language/messages.ts'
import { LineChart } from '../../parts/chart/line-chart.tsx'
import { BarChart } from '../../parts/chart/series.tsx'
import { clip } from '../../parts/formats.ts'
import { Figure } from '../../parts/lists.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { say } from '../../shell/say.ts'
import { AnswerTable, type Order } from './answer-table.tsx'
import classes from './explore.module.css'
import { type ExploreState, questionOf } from './question.ts'
import {
  type Answer,
  axisLabel,
  COLOR_BEFORE,
  type Drawing,
  drawingOf,
  isSum,
  LINE_COLORS,
  type Row,
  withEmptyPeriods,
} from './series.ts'
import { groupOf, noteOf } from './values.ts'
import {
  type ActivityQuery,
  changeOf,
  figureOf,
  type Granularity,
  metricLabel,
  type PathOf,
  QUESTIONS,
  shortFigureOf,
} from './vocabulary.ts'

const CHART_HEIGHT = 300
const QUANTILE = /^p\d/

interface Props {
  readonly answer: Answer
  readonly rows: readonly Row[]
  readonly query: ActivityQuery
  readonly state: ExploreState
  readonly pathOf: PathOf
  /** Whether the rows are all that there are. */
  readonly isComplete: boolean
  /** Whether they are of the question before, until this one is answered. */
  readonly isStale: boolean
  readonly onChange: (changed: { readonly [Name in keyof ExploreState]?: string }) => void
}

/** The question that the rows answer: until a new one is answered, they are drawn as the one before asked for them. */
const useAnswered = (query: ActivityQuery, isStale: boolean): ActivityQuery => {
  const [answered, setAnswered] = useState(query)
  if (!isStale && answered !== query) setAnswered(query)
  return isStale ? answered : query
}

/** An answer as a chart, and as the table that has all of it. */
export const AnswerView = ({ answer, rows, query, state, pathOf, isComplete, isStale, onChange }: Props) => {
  const metrics = Object.keys(rows[0]?.metrics ?? {})
  const metric = metrics.includes(state.chart) ? state.chart : (metrics[0] ?? '')
  const answered = useAnswered(query, isStale)
  const granularity = answered.time?.granularity ?? null
  const drawing = useMemo(
    () => drawingOf(answer, rows, { metric, granularity, labelOf: row => labelOf(row, pathOf) }),
    [answer, rows, metric, granularity, pathOf],
  )
  const order = answered.order ?? null
  const sorted = sortedBy(query, metrics, QUESTIONS[questionOf(state)].takes.has('order'))
  // Of a part of the rows nobody knows which periods are empty.
  const tabled = useMemo(
    () => (isComplete ? withEmptyPeriods(answer, rows, { granularity, order }) : rows),
    [answer, rows, granularity, order, isComplete],
  )
  const heard = useRef(query)
  const said = drawing === null ? t('Nothing happened') : counted(tabled.length, 'row')
  const saidOrder = sorted === undefined ? '' : orderInWords(sorted)
  useEffect(() => {
    if (isStale || heard.current === query) return
    const isSortedAnew = JSON.stringify(heard.current.order) !== JSON.stringify(query.order)
    heard.current = query
    say(isSortedAnew && saidOrder !== '' ? `${said}, ${saidOrder}` : said)
  }, [isStale, query, said, saidOrder])
  if (drawing === null) {
    return (
      <EmptyState icon={IconChartBarOff} title={isStale ? t('Reading…') : t('Nothing happened')}>
        {(answer.note && toPeople(answer.note)) ??
          t('No event of that time matches the filters. Try a longer time, or fewer filters.')}
      </EmptyState>
    )
  }
  return (
    <Box opacity={isStale ? 0.5 : 1} aria-busy={isStale}>
      {drawing.kind === 'figure' ? (
        <Group component="dl" gap="xl" m={0} mb="lg">
          {metrics.map(name => (
            <Figure
              key={name}
              label={metricLabel(name)}
              value={figureOf(name, drawing.row.metrics[name])}
              about={beforeSaid(name, drawing.row)}
            />
          ))}
        </Group>
      ) : (
        <>
          {metrics.length > 1 && (
            <Box mb="sm" style={{ overflowX: 'auto' }}>
              <SegmentedControl
                size="xs"
                aria-label={t('Metric in the chart')}
                data={metrics.map(name => ({ value: name, label: metricLabel(name) }))}
                value={metric}
                onChange={chart => onChange({ chart })}
              />
            </Box>
          )}
          <AnswerChart
            drawing={drawing}
            metric={metric}
            granularity={granularity}
            zone={answer.time_zone}
            height={CHART_HEIGHT}
          />
          {drawing.shown < drawing.of && (
            <Text size="xs" c="dimmed" mb="sm">
              {t('The chart shows the first {shown} of {of}; the table shows all.', {
                shown: drawing.shown,
                of: drawing.of,
              })}
            </Text>
          )}
        </>
      )}
      {answer.note !== null && (
        <Text size="xs" c="dimmed" mb="sm" className="reading">
          {noteOf(questionOf(state), answer.note)}
        </Text>
      )}
      <AnswerTable
        rows={tabled}
        granularity={granularity}
        zone={answer.time_zone}
        pathOf={pathOf}
        order={sorted}
        onOrder={order => onChange({ order })}
      />
      <Text size="xs" c="dimmed" mt="sm">
        {isComplete
          ? counted(tabled.length, 'row')
          : t('{rows} of {count} rows; the CSV has all', {
              rows: rows.length.toLocaleString(language),
              count: answer.count.toLocaleString(language),
            })}
        {answer.clock === 'received' ? t(', counted by when it was received') : t(', counted by when it happened')}
        {answer.rollup !== null && metrics.some(name => QUANTILE.test(name)) && t('; percentiles are within 1 %')}.
      </Text>
    </Box>
  )
}

/** How the rows are sorted: as it was asked for, else by time, else by the first figure. Undefined: in another way. */
const sortedBy = ({ order, time }: ActivityQuery, metrics: readonly string[], takesOrder: boolean) => {
  if (!takesOrder) return
  if (order !== undefined) return { by: order.by, direction: order.direction ?? 'desc' }
  if (time?.granularity != null) return { by: 'period', direction: 'asc' } as const
  return { by: metrics[0] ?? '', direction: 'desc' } as const
}

const orderInWords = ({ by, direction }: Order): string => {
  const column = by === 'period' ? t('Period') : metricLabel(by)
  return direction === 'asc'
    ? t('sorted by {column}, ascending', { column })
    : t('sorted by {column}, descending', { column })
}

const beforeSaid = (name: string, { metrics, before }: Row): string | undefined => {
  if (before === undefined) return undefined
  const change = changeOf(metrics[name], before[name])
  return t('before: {name}{what}', { name: figureOf(name, before[name]), what: change === null ? '' : ` (${change})` })
}

/** What tells a row from the others; of a source, its name alone. */
const labelOf = (row: Row, pathOf: PathOf): string => {
  const names = 'source_id' in row.group ? ['source'] : Object.keys(row.group)
  return names.map(name => groupOf(name, row, pathOf) || '–').join(' · ')
}

interface AnswerChartProps {
  readonly drawing: Exclude<Drawing, { readonly kind: 'figure' }>
  readonly metric: string
  readonly granularity: Granularity | null
  readonly zone: string
  readonly height: number
}

/** One metric of an answer, over time or beside each other. */
const AnswerChart = ({ drawing: { kind, data, series }, metric, granularity, zone, height }: AnswerChartProps) => {
  const colored = series.map(({ name, label, isBefore }, index) => ({
    name,
    label: name === 'value' ? metricLabel(metric) : clip(label, 60),
    color: isBefore ? COLOR_BEFORE : (LINE_COLORS[index] ?? COLOR_BEFORE),
    dashed: isBefore,
  }))
  const shared = { data, series: colored, format: (value: number) => figureOf(metric, value) }
  return (
    <figure
      aria-label={t('Chart: {metric}. The table below has the same figures.', { metric: metricLabel(metric) })}
      className={classes.chart}
    >
      {kind === 'lines' ? (
        <LineChart
          {...shared}
          height={height}
          short={value => shortFigureOf(metric, value)}
          label={at => (granularity === null ? '' : axisLabel(at, granularity, zone))}
          fromZero={isSum(metric)}
          whole={isSum(metric)}
        />
      ) : (
        <BarChart {...shared} />
      )}
    </figure>
  )
}
