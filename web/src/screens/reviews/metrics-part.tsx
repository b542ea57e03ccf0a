import { Anchor, SimpleGrid, Text } from '@mantine/core'
import { Link } from 'react-router'
import { inSentence, language, moments, t } from '../../language/messages.ts'
import { LineChart } from '../../parts/chart/line-chart.tsx'
import { METRIC_TRENDS } from '../map/metric-trend.ts'
import { type Figures, Part } from './review-parts.tsx'
import classes from './reviews.module.css'

const SPARK_HEIGHT = 72

interface Props {
  readonly metrics: Figures['metrics']
}

type Metric = Figures['metrics'][number]

const figure = (value: number): string => value.toLocaleString(language, { maximumFractionDigits: 4 })

/** Where the metrics that the map is bound to went. */
export const MetricsPart = ({ metrics }: Props) => (
  <Part title={t('Metrics')} label={metrics.length === 0 && t('No metric of the map had a point in this time.')}>
    {metrics.length > 0 && (
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xl" verticalSpacing="lg">
        {metrics.map(metric => (
          <MetricFigure key={`${metric.node_id ?? metric.node} ${metric.name}`} metric={metric} />
        ))}
      </SimpleGrid>
    )}
  </Part>
)

const MetricFigure = ({ metric }: { readonly metric: Metric }) => {
  const { name, node, node_id, value, previous_value, change, target, on_target, points = [] } = metric
  const standing = change === null ? null : METRIC_TRENDS[change]
  return (
    <div className={classes.metric}>
      <Text size="sm" fw={600} className={classes.anywhere ?? ''}>
        <bdi>{name}</bdi>
      </Text>
      <Text size="xs" c="dimmed" className={classes.anywhere ?? ''}>
        {t('at')}{' '}
        {node_id === undefined ? (
          <bdi>{node}</bdi>
        ) : (
          <Anchor component={Link} to={`/app/map?node=${node_id}`} inherit underline="always">
            <bdi>{node}</bdi>
          </Anchor>
        )}
      </Text>
      <Text size="sm" mt="xs">
        <b>{figure(value)}</b> {standing !== null && `${standing.sign} ${inSentence(standing.label)}`}
        {previous_value === null
          ? t(', no value before')
          : ` ${t('(before {previous_value})', { previous_value: figure(previous_value) })}`}
        {target !== null &&
          t(', target {target}{what}', {
            target: figure(target),
            what: on_target === true ? ` ${t('reached')}` : ` ${t('not reached')}`,
          })}
      </Text>
      {points.length > 1 && <MetricSpark points={points} name={name} target={target} height={SPARK_HEIGHT} />}
    </div>
  )
}

interface MetricSparkProps {
  readonly points: NonNullable<Figures['metrics'][number]['points']>
  readonly name: string
  readonly target: number | null
  readonly height: number
}

const moment = new Intl.DateTimeFormat(moments, { dateStyle: 'medium' })
const exact = new Intl.NumberFormat(language, { maximumFractionDigits: 4 })

/** The points of a metric within a time, without axes. */
const MetricSpark = ({ points, name, target, height }: MetricSparkProps) => (
  <figure aria-label={t('Chart: {name}, {points} points', { name, points: points.length })} className={classes.chart}>
    <LineChart
      bare
      height={height}
      data={points.map(({ occurred_at, value }) => ({ at: Date.parse(occurred_at), value }))}
      series={[{ name: 'value', label: name, color: 'accent.5' }]}
      format={exact.format}
      label={moment.format}
      target={target}
    />
  </figure>
)
