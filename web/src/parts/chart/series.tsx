import { language } from '../../language/messages.ts'
import classes from './chart.module.css'

export interface Series {
  readonly name: string
  readonly label: string
  /** A colour of the theme with its shade, `accent.5`, or `#6078e6`. */
  readonly color: string
  /** True for a series to compare with. */
  readonly dashed?: boolean
}

/** One row for each place: its `at`, a `key` where two may have the same name, and a value by each series' name. */
export type ChartRow = Readonly<Record<string, number | string | null | undefined>>

/** A row's value; null without one. */
export const figureIn = (value: ChartRow[string]): number | null => (typeof value === 'number' ? value : null)

export const colorOf = (color: string): string =>
  color.startsWith('#') ? color : `var(--mantine-color-${color.replace('.', '-')})`

/** Names of the colours. */
export const Legend = ({ series }: { readonly series: readonly Series[] }) => (
  <ul className={classes.legend}>
    {series.map(({ name, label, color }) => (
      <li key={name}>
        <span className={classes.swatch} style={{ background: colorOf(color) }} />
        <bdi>{label}</bdi>
      </li>
    ))}
  </ul>
)

interface Props {
  readonly data: readonly ChartRow[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
}

/** Bars beside each other, each with its number. */
export const BarChart = ({ data, series, format }: Props) => {
  const most = Math.max(...data.flatMap(each => series.map(({ name }) => figureIn(each[name]) ?? 0)), 0) || 1
  return (
    <div className={classes.chart} data-chart>
      <div className={classes.bars} aria-hidden>
        {data.map(each => (
          <div key={String(each.key ?? each.at)} className={classes.row}>
            <bdi className={classes.name} title={String(each.at)}>
              {each.at}
            </bdi>
            <div>
              {series.map(({ name, color }) => (
                <div key={name} className={classes.track}>
                  <span
                    className={classes.bar}
                    style={{ width: `${((figureIn(each[name]) ?? 0) / most) * 80}%`, background: colorOf(color) }}
                  />
                  <span>{format(figureIn(each[name]) ?? 0)}</span>
                </div>
              ))}
            </div>
          </div>
        ))}
      </div>
      {series.length > 1 && <Legend series={series} />}
    </div>
  )
}

interface StackedBarsProps {
  /** One bar for each row, in the order of time. */
  readonly data: readonly ChartRow[]
  readonly series: readonly Series[]
  readonly height: number
}

/** Sums over time as stacked bars. */
export const StackedBars = ({ data, series, height }: StackedBarsProps) => {
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
