import classes from './chart.module.css'
import { colorOf, Legend, type Series } from './legend.tsx'

interface Props {
  /** One object a bar, in the order of time: its `at`, and a figure by each series’ name. */
  readonly data: readonly Readonly<Record<string, number | string>>[]
  readonly series: readonly Series[]
  readonly height: number
}

const figureIn = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Sums over time whose parts stand on each other. */
export const StackedBars = ({ data, series, height }: Props) => {
  const sums = data.map(each => series.reduce((sum, { name }) => sum + figureIn(each[name]), 0))
  const most = Math.max(...sums, 0)
  return (
    <div className={classes.chart} data-chart>
      <Legend series={series} />
      <div className={classes.most}>{most.toLocaleString('en')}</div>
      <div className={classes.stacks} style={{ height }} aria-hidden>
        {data.map(each => (
          <div
            key={String(each.at)}
            className={classes.stack}
            title={[
              each.at,
              ...series.map(({ name, label }) => `${label}: ${figureIn(each[name]).toLocaleString('en')}`),
            ].join('\n')}
          >
            {series.toReversed().map(({ name, color }) => (
              <span
                key={name}
                style={{ height: `${(figureIn(each[name]) / (most || 1)) * 100}%`, background: colorOf(color) }}
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
