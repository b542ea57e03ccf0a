import { dates, language } from '../../language/language.ts'
import { t } from '../../language/messages.ts'
import { LineChart } from '../../parts/chart/line-chart.tsx'
import { DAY_MS } from '../../parts/duration.ts'
import type { Figures } from './review.ts'
import classes from './reviews.module.css'

interface Props {
  readonly parts: NonNullable<Figures['signals']['time_series']>
  readonly height: number
}

const day = new Intl.DateTimeFormat(dates, { month: 'short', day: 'numeric' })
const hour = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** The Signals of a time, part by part, over those of the time before. */
export const SignalsChart = ({ parts, height }: Props) => {
  const places = parts.map(({ from }) => Date.parse(from))
  const apart = (places[1] ?? 0) - (places[0] ?? 0)
  const label = (at: number): string => (apart < DAY_MS / 2 ? hour : day).format(at)
  return (
    <figure aria-label={t('Chart: Signals over the time, and over the previous period')} className={classes.chart}>
      <LineChart
        height={height}
        data={parts.map(({ signals, previous_signals }, index) => ({
          at: places[index] ?? 0,
          signals,
          previous_signals,
        }))}
        series={[
          { name: 'signals', label: t('Signals'), color: 'accent.5' },
          { name: 'previous_signals', label: t('Previous period'), color: 'gray.5', dashed: true },
        ]}
        format={value => value.toLocaleString(language)}
        label={label}
        fromZero
        whole
      />
    </figure>
  )
}
