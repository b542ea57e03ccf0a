import { language } from '../../language/language.ts'
import classes from './chart.module.css'
import { type ChartRow, colorOf, figureIn, Legend, type Series } from './legend.tsx'

interface Props {
  /** A bar each, in the order of time. */
  readonly data: readonly ChartRow[]
  readonly series: readonly Series[]
  readonly height: number
}

/** Sums over time whose parts stand on each other. */
export const StackedBars = ({ data, series, height }: Props) => {
  const sums = data.map(each => series.reduce((sum, { name }) => sum + (figureIn(each[name]) ?? 0), 0))
  const most = Math.max(...sums, 0)
  return (
    <div className={classes.chart} data-chart>
      <Legend series={series} />
      <div className={classes.most}>{most.toLocaleString(language)}</div>
      <div className={classes.stacks} style={{ height }} aria-hidden>
        {data.map(each => (
          <div
            key={String(each.at)}
            className={classes.stack}
            title={[
              each.at,
              ...series.map(({ name, label }) => `${label}: ${(figureIn(each[name]) ?? 0).toLocaleString(language)}`),
            ].join('\n')}
          >
            {series.toReversed().map(({ name, color }) => (
              <span
                key={name}
                style={{ height: `${((figureIn(each[name]) ?? 0) / (most || 1)) * 100}%`, background: colorOf(color) }}
              />
            ))}
          </div>
        ))}
      </div>
      <div className={classes.ends}>
        <span>{data[0]?.at}</span>
        <span>{data.at(-1)?.at}</span>
      </div>
    </div>
  )
}
