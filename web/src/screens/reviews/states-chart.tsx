import { language } from '../../language/language.ts'
import { t } from '../../language/messages.ts'
import { BarChart } from '../../parts/chart/bar-chart.tsx'
import type { Figures } from './review.ts'
import classes from './reviews.module.css'

interface Props {
  readonly states: Figures['solutions']['by_state']
}

/** The Solutions of each state at the end of a time, beside those at its beginning. */
export const StatesChart = ({ states }: Props) => {
  const compares = states.some(({ previous_solutions }) => previous_solutions !== undefined)
  return (
    <figure aria-label={t('Chart: Solutions by state. The table has the same figures.')} className={classes.chart}>
      <BarChart
        data={states.map(({ state, solutions, previous_solutions }) => ({ at: state, solutions, previous_solutions }))}
        series={[
          ...(compares ? [{ name: 'previous_solutions', label: t('At the start'), color: 'gray.5' }] : []),
          { name: 'solutions', label: t('At the end'), color: 'accent.5' },
        ]}
        format={value => value.toLocaleString(language)}
      />
    </figure>
  )
}
