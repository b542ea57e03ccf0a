import { dates, language } from '../../language/language.ts'
import { t } from '../../language/messages.ts'
import { LineChart } from '../../parts/chart/line-chart.tsx'
import type { Figures } from './review.ts'
import classes from './reviews.module.css'

interface Props {
  readonly points: NonNullable<Figures['metrics'][number]['points']>
  readonly name: string
  readonly target: number | null
  readonly height: number
}

const moment = new Intl.DateTimeFormat(dates, { dateStyle: 'medium' })
const figure = new Intl.NumberFormat(language, { maximumFractionDigits: 4 })

/** The points of a metric within a time, without axes. */
export const MetricSpark = ({ points, name, target, height }: Props) => (
  <figure aria-label={t('Chart: {name}, {points} points', { name, points: points.length })} className={classes.chart}>
    <LineChart
      bare
      height={height}
      data={points.map(({ occurred_at, value }) => ({ at: Date.parse(occurred_at), value }))}
      series={[{ name: 'value', label: name, color: 'accent.5' }]}
      format={figure.format}
      label={moment.format}
      target={target}
    />
  </figure>
)
