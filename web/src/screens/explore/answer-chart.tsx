import { t } from '../../language/messages.ts'
import { BarChart } from '../../parts/chart/bar-chart.tsx'
import { LineChart } from '../../parts/chart/line-chart.tsx'
import { clip } from '../../parts/clip.ts'
import classes from './explore.module.css'
import { figureOf, shortFigureOf } from './figures.ts'
import { axisLabel } from './periods.ts'
import { type Drawing, isSum } from './series.ts'
import { type Granularity, metricLabel } from './vocabulary.ts'

/** The accent first; told apart in light and dark, and by those who see few colours. */
const COLORS = ['accent.5', 'teal.6', 'orange.5', 'grape.5', 'cyan.5', 'pink.5']
const BEFORE = 'gray.5'

interface Props {
  readonly drawing: Exclude<Drawing, { readonly kind: 'figure' }>
  readonly metric: string
  readonly granularity: Granularity | null
  readonly zone: string
  readonly height: number
}

/** One metric of an answer, over time or beside each other. */
export const AnswerChart = ({ drawing: { kind, data, series }, metric, granularity, zone, height }: Props) => {
  const colored = series.map(({ name, label, isBefore }, index) => ({
    name,
    label: name === 'value' ? metricLabel(metric) : clip(label, 60),
    color: isBefore ? BEFORE : (COLORS[index] ?? BEFORE),
    dashed: isBefore,
  }))
  const shared = { data, series: colored, format: (value: number) => figureOf(metric, value) }
  return (
    <figure
      aria-label={t('Chart: {metric}. The table below has the same figures.', { metric: metricLabel(metric) })}
      className={classes.chart}
    >
      {kind === 'lines' ? (
        <LineChart
          {...shared}
          height={height}
          short={value => shortFigureOf(metric, value)}
          label={at => (granularity === null ? '' : axisLabel(at, granularity, zone))}
          fromZero={isSum(metric)}
          whole={isSum(metric)}
        />
      ) : (
        <BarChart {...shared} />
      )}
    </figure>
  )
}
