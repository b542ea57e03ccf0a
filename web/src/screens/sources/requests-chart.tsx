import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import type { barsOf } from './hours.ts'

interface Props {
  readonly bars: ReturnType<typeof barsOf>
  readonly height: number
}

const SERIES = [
  { name: 'accepted', label: 'Accepted', color: 'accent.6' },
  { name: 'refused', label: 'Refused', color: 'red.7' },
]

/** What was accepted and refused over time. */
const RequestsChart = ({ bars, height }: Props) => (
  <BarChart
    h={height}
    data={[...bars]}
    dataKey="at"
    type="stacked"
    series={SERIES}
    withLegend
    legendProps={{ verticalAlign: 'top', height: 28 }}
    gridAxis="x"
    tickLine="none"
    barProps={{ isAnimationActive: false }}
    yAxisProps={{ width: 32, allowDecimals: false }}
    barChartProps={{ accessibilityLayer: false }}
  />
)

export default RequestsChart
