import { DAY_MS } from '../../parts/duration.ts'
import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import type { Figures } from './review.ts'
import classes from './reviews.module.css'

interface Props {
  readonly parts: NonNullable<Figures['signals']['time_series']>
  readonly height: number
}

const day = new Intl.DateTimeFormat('en-GB', { month: 'short', day: 'numeric' })
const hour = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** The Signals of a time, part by part, over those of the time before. */
const SignalsChart = ({ parts, height }: Props) => {
  const places = parts.map(({ from }) => Date.parse(from))
  const apart = (places[1] ?? 0) - (places[0] ?? 0)
  const label = (at: unknown): string => (typeof at === 'number' ? (apart < DAY_MS / 2 ? hour : day).format(at) : '')
  return (
    <figure aria-label="Chart: Signals over the time, and over the previous period" className={classes.chart}>
      <LineChart
        h={height}
        mb="md"
        data={parts.map(({ signals, previous_signals }, index) => ({
          at: places[index] ?? 0,
          signals,
          previous_signals,
        }))}
        dataKey="at"
        series={[
          { name: 'signals', label: 'Signals', color: 'accent.5' },
          { name: 'previous_signals', label: 'Previous period', color: 'gray.5', strokeDasharray: '4 3' },
        ]}
        withLegend
        curveType="linear"
        gridColor="var(--app-line)"
        strokeDasharray="0"
        strokeWidth={1.75}
        dotProps={{ r: 2 }}
        valueFormatter={value => value.toLocaleString('en')}
        yAxisProps={{ width: 36, allowDecimals: false }}
        xAxisProps={{
          type: 'number',
          scale: 'time',
          domain: ['dataMin', 'dataMax'],
          tickFormatter: label,
          minTickGap: 32,
        }}
        tooltipProps={{ labelFormatter: label }}
        lineChartProps={{ accessibilityLayer: false }}
        lineProps={{ isAnimationActive: false }}
      />
    </figure>
  )
}

export default SignalsChart
