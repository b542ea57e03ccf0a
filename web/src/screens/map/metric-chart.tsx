import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import type { Output } from '../../api/client.ts'

interface Props {
  readonly points: Output<'read_metric_points'>['items']
  readonly name: string
  readonly target: number | null
  readonly height: number
}

const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const figure = new Intl.NumberFormat('en', { maximumFractionDigits: 4 })
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** A metric’s points over time, with its target. */
const MetricChart = ({ points, name, target, height }: Props) => (
  <figure aria-label={`${name}: ${points.length} points`} style={{ margin: 0 }}>
    <LineChart
      h={height}
      mt="sm"
      data={points.map(({ value, occurred_at }) => ({ value, at: Date.parse(occurred_at) }))}
      dataKey="at"
      series={[{ name: 'value', label: name, color: 'accent.5' }]}
      curveType="linear"
      gridColor="var(--app-line)"
      strokeDasharray="0"
      strokeWidth={1.75}
      withDots={points.length <= 60}
      dotProps={{ r: 2 }}
      valueFormatter={value => figure.format(value)}
      yAxisProps={{ domain: ['auto', 'auto'], width: 44, tickFormatter: short.format }}
      xAxisProps={{ type: 'number', scale: 'time', domain: ['dataMin', 'dataMax'], tickFormatter: day.format }}
      // Before a point is under the pointer, there is no label.
      tooltipProps={{ labelFormatter: at => (typeof at === 'number' ? moment.format(at) : '') }}
      lineChartProps={{ accessibilityLayer: false }}
      {...(target !== null && { referenceLines: [{ y: target, label: 'Target', color: 'gray.6' }] })}
    />
  </figure>
)

export default MetricChart
