import '@mantine/charts/styles.css'
import { BarChart, LineChart } from '@mantine/charts'
import { clip } from '../../parts/clip.ts'
import { figureOf, shortFigureOf } from './figures.ts'
import { axisLabel } from './periods.ts'
import { type Drawing, isSum } from './series.ts'
import { type Granularity, metricLabel } from './vocabulary.ts'

/** The accent first; told apart in light and dark, and by those who see few colours. */
const COLORS = ['accent.5', 'teal.6', 'orange.5', 'grape.5', 'cyan.5', 'pink.5']
const BEFORE = 'gray.5'
const BAR_HEIGHT = 26
const AXIS_LETTERS = 18
const DOTS_UP_TO = 45

interface Props {
  readonly drawing: Exclude<Drawing, { readonly kind: 'figure' }>
  readonly metric: string
  readonly granularity: Granularity | null
  readonly zone: string
  readonly height: number
}

/** One metric of an answer, over time or beside each other. */
const AnswerChart = ({ drawing: { kind, data, series }, metric, granularity, zone, height }: Props) => {
  const colored = series.map(({ name, label, isBefore }, index) => ({
    name,
    label: name === 'value' ? metricLabel(metric) : clip(label, 60),
    color: isBefore ? BEFORE : (COLORS[index] ?? BEFORE),
    ...(isBefore && { strokeDasharray: '4 3' }),
  }))
  const shared = {
    data: data.map(each => ({ ...each })),
    dataKey: 'at',
    series: colored,
    withLegend: series.length > 1,
    valueFormatter: (value: number) => figureOf(metric, value),
    gridColor: 'var(--app-line)',
    strokeDasharray: '0',
    mb: 'md',
  }
  const label = (at: unknown): string =>
    typeof at === 'number' && granularity !== null ? axisLabel(at, granularity, zone) : ''
  return (
    <figure aria-label={`Chart: ${metricLabel(metric)}. The table below has the same figures.`} style={{ margin: 0 }}>
      {kind === 'lines' ? (
        <LineChart
          {...shared}
          h={height}
          curveType="linear"
          strokeWidth={1.75}
          withDots={data.length <= DOTS_UP_TO}
          dotProps={{ r: 2 }}
          connectNulls={false}
          yAxisProps={{
            width: 56,
            allowDecimals: !isSum(metric),
            tickFormatter: (value: number) => shortFigureOf(metric, value),
          }}
          xAxisProps={{
            type: 'number',
            scale: 'time',
            domain: ['dataMin', 'dataMax'],
            tickFormatter: label,
            minTickGap: 32,
          }}
          tooltipProps={{ labelFormatter: label }}
          lineChartProps={{ accessibilityLayer: false }}
        />
      ) : (
        <BarChart
          {...shared}
          h={Math.max(120, data.length * series.length * BAR_HEIGHT + 60)}
          orientation="vertical"
          maxBarWidth={18}
          gridAxis="none"
          yAxisProps={{ width: 150, interval: 0, tickFormatter: (text: string) => clip(String(text), AXIS_LETTERS) }}
          xAxisProps={{ allowDecimals: !isSum(metric), tickFormatter: (value: number) => shortFigureOf(metric, value) }}
          barChartProps={{ accessibilityLayer: false }}
        />
      )}
    </figure>
  )
}

export default AnswerChart
