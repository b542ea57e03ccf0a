import { Box, Group, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { IconChartBarOff } from '@tabler/icons-react'
import { lazy, Suspense, useMemo } from 'react'
import { forPeople } from '../../../../schemas/domain/for-people.ts'
import { loadPart } from '../../load-part.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Figure } from '../../parts/figure.tsx'
import { AnswerTable } from './answer-table.tsx'
import { changeOf, figureOf } from './figures.ts'
import { groupValue } from './group-value.ts'
import { type ExploreState, questionOf } from './question.ts'
import { type Answer, drawingOf, type Row } from './series.ts'
import type { PathOf } from './use-node-paths.ts'
import { type ActivityQuery, metricLabel, QUESTIONS } from './vocabulary.ts'

const AnswerChart = lazy(loadPart(() => import('./answer-chart.tsx')))

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

/** An answer as a chart, and as the table that has all of it. */
export const AnswerView = ({ answer, rows, query, state, pathOf, isComplete, isStale, onChange }: Props) => {
  const metrics = Object.keys(rows[0]?.metrics ?? {})
  const metric = metrics.includes(state.chart) ? state.chart : (metrics[0] ?? '')
  const granularity = query.time?.granularity ?? null
  const drawing = useMemo(
    () => drawingOf(answer, rows, { metric, granularity, labelOf: row => labelOf(row, pathOf) }),
    [answer, rows, metric, granularity, pathOf],
  )
  if (drawing === null) {
    return (
      <EmptyState icon={IconChartBarOff} title={isStale ? 'Reading…' : 'Nothing happened'}>
        {(answer.note && forPeople(answer.note)) ??
          'No event of that time is as the filters want it. Try a longer time, or fewer filters.'}
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
                aria-label="Metric in the chart"
                data={metrics.map(name => ({ value: name, label: metricLabel(name) }))}
                value={metric}
                onChange={chart => onChange({ chart })}
              />
            </Box>
          )}
          <Suspense fallback={<Skeleton height={CHART_HEIGHT} mb="md" />}>
            <AnswerChart
              drawing={drawing}
              metric={metric}
              granularity={granularity}
              zone={answer.time_zone}
              height={CHART_HEIGHT}
            />
          </Suspense>
          {drawing.shown < drawing.of && (
            <Text size="xs" c="dimmed" mb="sm">
              The chart shows the first {drawing.shown} of {drawing.of}; the table shows all.
            </Text>
          )}
        </>
      )}
      {answer.note !== null && (
        <Text size="xs" c="dimmed" mb="sm" className="reading">
          {forPeople(answer.note)}
        </Text>
      )}
      <AnswerTable
        rows={rows}
        granularity={granularity}
        zone={answer.time_zone}
        pathOf={pathOf}
        order={QUESTIONS[questionOf(state)].takes.has('order') ? (query.order ?? null) : undefined}
        onOrder={order => onChange({ order })}
      />
      <Text size="xs" c="dimmed" mt="sm">
        {isComplete
          ? `${answer.count.toLocaleString('en')} ${answer.count === 1 ? 'row' : 'rows'}`
          : `${rows.length.toLocaleString('en')} of ${answer.count.toLocaleString('en')} rows; the CSV has all`}
        {`, counted by when it ${answer.clock === 'received' ? 'was received' : 'happened'}`}
        {answer.rollup !== null && metrics.some(name => QUANTILE.test(name)) && '; quantiles are within 1 %'}.
      </Text>
    </Box>
  )
}

const beforeSaid = (name: string, { metrics, before }: Row): string | undefined => {
  if (before === undefined) return undefined
  const change = changeOf(metrics[name], before[name])
  return `before: ${figureOf(name, before[name])}${change === null ? '' : ` (${change})`}`
}

/** What tells a row from the others; of a source, its name alone. */
const labelOf = ({ group }: Row, pathOf: PathOf): string => {
  const named = 'source_id' in group ? Object.entries({ source: group.source ?? '' }) : Object.entries(group)
  return named.map(([name, value]) => groupValue(name, value, pathOf) || '–').join(' · ')
}
