import { language } from '../../language/messages.ts'
import classes from './chart.module.css'

export interface Series {
  readonly name: string
  readonly label: string
  /** Of the theme, with its shade: `accent.5`. */
  readonly color: string
  /** Whether it is what is compared with. */
  readonly dashed?: boolean
}

/** What a chart draws, a place of it each: its `at`, which names it, and a figure by each series’ name. */
export type ChartRow = Readonly<Record<string, number | string | null | undefined>>

/** A figure of a row; null where there is none. */
export const figureIn = (value: ChartRow[string]): number | null => (typeof value === 'number' ? value : null)

export const colorOf = (color: string): string => `var(--mantine-color-${color.replace('.', '-')})`

/** Which colour is what. */
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

/** Figures beside each other, each with its number. */
export const BarChart = ({ data, series, format }: Props) => {
  const most = Math.max(...data.flatMap(each => series.map(({ name }) => figureIn(each[name]) ?? 0)), 0) || 1
  return (
    <div className={classes.chart} data-chart>
      <div className={classes.bars} aria-hidden>
        {data.map(each => (
          <div key={String(each.at)} className={classes.row}>
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
  /** A bar each, in the order of time. */
  readonly data: readonly ChartRow[]
  readonly series: readonly Series[]
  readonly height: number
}

/** Sums over time whose parts stand on each other. */
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
