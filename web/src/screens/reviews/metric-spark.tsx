import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import type { Figures } from './review.ts'
import classes from './reviews.module.css'

interface Props {
  readonly points: NonNullable<Figures['metrics'][number]['points']>
  readonly name: string
  readonly target: number | null
  readonly height: number
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })
const figure = new Intl.NumberFormat('en', { maximumFractionDigits: 4 })

/** The points of a metric within a time, without axes. */
const MetricSpark = ({ points, name, target, height }: Props) => (
  <figure aria-label={`Chart: ${name}, ${points.length} points`} className={classes.chart}>
    <LineChart
      h={height}
      mt="sm"
      data={points.map(({ occurred_at, value }) => ({ at: Date.parse(occurred_at), value }))}
      dataKey="at"
      series={[{ name: 'value', label: name, color: 'accent.5' }]}
      curveType="linear"
      gridAxis="none"
      withXAxis={false}
      withYAxis={false}
      strokeWidth={1.75}
      dotProps={{ r: 1.5 }}
      valueFormatter={value => figure.format(value)}
      xAxisProps={{ type: 'number', scale: 'time', domain: ['dataMin', 'dataMax'] }}
      yAxisProps={{ domain: ['auto', 'auto'] }}
      tooltipProps={{ labelFormatter: at => (typeof at === 'number' ? moment.format(at) : '') }}
      lineChartProps={{ accessibilityLayer: false, margin: { left: 4, right: 4, top: 6, bottom: 4 } }}
      lineProps={{ isAnimationActive: false }}
      {...(target !== null && { referenceLines: [{ y: target, color: 'gray.5' }] })}
    />
  </figure>
)

export default MetricSpark
