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
