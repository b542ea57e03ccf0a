import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import type { Figures } from './review.ts'
import classes from './reviews.module.css'

interface Props {
  readonly states: Figures['solutions']['by_state']
  readonly height: number
}

/** The Solutions of each state at the end of a time, beside those at its beginning. */
const StatesChart = ({ states, height }: Props) => {
  const compares = states.some(({ previous_solutions }) => previous_solutions !== undefined)
  return (
    <figure aria-label="Chart: Solutions by state. The table has the same figures." className={classes.chart}>
      <BarChart
        h={height}
        orientation="vertical"
        gridAxis="none"
        data={states.map(({ state, solutions, previous_solutions }) => ({ state, solutions, previous_solutions }))}
        dataKey="state"
        series={[
          ...(compares ? [{ name: 'previous_solutions', label: 'At the start', color: 'gray.5' }] : []),
          { name: 'solutions', label: 'At the end', color: 'accent.5' },
        ]}
        withLegend={compares}
        maxBarWidth={9}
        gridColor="var(--app-line)"
        strokeDasharray="0"
        valueFormatter={value => value.toLocaleString('en')}
        yAxisProps={{ width: 78, interval: 0 }}
        xAxisProps={{ allowDecimals: false }}
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
      />
    </figure>
  )
}

export default StatesChart
