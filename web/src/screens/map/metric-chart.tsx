import type { Output } from '../../api/client.ts'
import { language } from '../../language/language.ts'
import { t } from '../../language/messages.ts'
import { LineChart } from '../../parts/chart/line-chart.tsx'

interface Props {
  readonly points: Output<'read_metric_points'>['items']
  readonly name: string
  readonly target: number | null
  readonly height: number
}

const day = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' })
const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const figure = new Intl.NumberFormat(language, { maximumFractionDigits: 4 })
const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })

/** A metric’s points over time, with its target. */
export const MetricChart = ({ points, name, target, height }: Props) => (
  <figure aria-label={t('{name}: {points} points', { name, points: points.length })} style={{ margin: 0 }}>
    <LineChart
      height={height}
      data={points.map(({ value, occurred_at }) => ({ value, at: Date.parse(occurred_at) }))}
      series={[{ name: 'value', label: name, color: 'accent.5' }]}
      format={figure.format}
      short={short.format}
      label={at => (points.length > 1 ? day : moment).format(at)}
      target={target}
    />
  </figure>
)
