import { Anchor, Box, Group, SimpleGrid, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import type { Output } from '../../api/operations.ts'
import { inSentence, language, moments, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { LineChart } from '../../parts/chart/line-chart.tsx'
import { signalsQuestion } from '../../parts/evidence/signals-question.ts'
import { RunningJob } from '../../parts/running-job.tsx'
import { METRIC_TRENDS } from '../map/metric-trend.ts'
import classes from './reviews.module.css'

export type Review = NonNullable<Output<'read_review'>['review']>
export type Figures = Review['figures']
export type Job = NonNullable<Output<'read_review'>['job']>

/** A time and the same time before it, as ISO 8601. */
export type Times = Pick<Review, 'period_from' | 'period_to' | 'previous_period_from'>

/** The question of Explore that counts the Signals of a review’s time, all or of one classification. */
export const signalsOf = ({ period_from, period_to }: Times, classification?: string): string =>
  signalsQuestion({ from: period_from, to: period_to }, classification)

/** The list of what changed of one kind within a review’s time. */
export const changesOf = (kind: string, { period_from, period_to }: Times): string =>
  `/app/changes?${new URLSearchParams({ kind, range: 'between', from: period_from, until: period_to })}`

interface Props {
  readonly title: string
  /** What the whole part comes to, in a sentence. */
  readonly label?: ReactNode
  readonly children?: ReactNode
}

/** A part of a review under its heading. */
export const Part = ({ title, label, children }: Props) => {
  const id = useId()
  return (
    <section className={classes.part} aria-labelledby={id}>
      <Group gap="md" align="baseline" mb="sm">
        <Title order={2} id={id}>
          {title}
        </Title>
        {label !== undefined && (
          <Text size="sm" c="dimmed" component="div">
            {label}
          </Text>
        )}
      </Group>
      {children}
    </section>
  )
}

interface EvidenceLinkProps {
  readonly to: string
  /** What it leads to, for whoever does not see where it stands. */
  readonly label?: string
  readonly children: ReactNode
}

/** A number that leads to what it was counted from. */
export const EvidenceLink = ({ to, label, children }: EvidenceLinkProps) => (
  <Anchor
    component={Link}
    to={to}
    inherit
    c="inherit"
    underline="hover"
    {...(label !== undefined && { 'aria-label': label })}
  >
    {children}
  </Anchor>
)

interface ComparedBarsProps {
  readonly value: number
  readonly before: number | undefined
  /** What a bar of full length stands for. */
  readonly most: number
}

/** A number above that of the time before, as lengths. */
export const ComparedBars = ({ value, before, most }: ComparedBarsProps) => (
  <div className={classes.bars}>
    <span style={{ width: `${most === 0 ? 0 : (value / most) * 100}%` }} />
    {before !== undefined && <span data-before style={{ width: `${most === 0 ? 0 : (before / most) * 100}%` }} />}
  </div>
)

interface PreparingProps {
  readonly job: Job
  readonly canCancel: boolean
}

/** How far a review is. */
export const Preparing = ({ job, canCancel }: PreparingProps) => {
  const { id, about, done, total } = job
  const name = about ?? t('The review')
  return (
    <Box mb="lg" className="reading">
      <RunningJob
        job={job}
        label={t('Preparing {name}', { name })}
        canCancel={canCancel}
        invalidates={['list_jobs', 'read_review']}
      >
        {rich('{link} is being prepared: {done} of {total} parts', {
          link: (
            <Anchor component={Link} to={`/app/reviews/${id}`} inherit underline="always">
              <bdi>{name}</bdi>
            </Anchor>
          ),
          done,
          total: total ?? '…',
        })}
      </RunningJob>
    </Box>
  )
}

const SPARK_HEIGHT = 72

interface MetricsPartProps {
  readonly metrics: Figures['metrics']
}

type Metric = Figures['metrics'][number]

const figure = (value: number): string => value.toLocaleString(language, { maximumFractionDigits: 4 })

/** Where the metrics that the map is bound to went. */
export const MetricsPart = ({ metrics }: MetricsPartProps) => (
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
      <Text size="sm" fw={600} className="anywhere">
        <bdi>{name}</bdi>
      </Text>
      <Text size="xs" c="dimmed" className="anywhere">
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
