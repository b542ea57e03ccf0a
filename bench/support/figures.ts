import { appendFileSync } from 'node:fs'

/** What was asked of a figure. */
export interface Asked {
  readonly atMost?: number
  readonly atLeast?: number
}

/** Something that a benchmark measured, as the report keeps it. */
export interface Figure extends Asked {
  /** Whose figure it is, and of what: "edge: CPU a request". */
  readonly name: string
  readonly value: number
  readonly unit: string
  /** How much there was behind it, where it is measured as something grows: rows, say. */
  readonly at?: number
}

/** The file that a report collects figures in, one JSON object a line. */
export const FIGURES_FILE = 'BENCH_FIGURES'

/** Hands a figure to the report that runs this benchmark; does nothing where none does. */
export const recordFigure = (
  name: string,
  value: number,
  unit: string,
  more: Asked & Pick<Figure, 'at'> = {},
): void => {
  const file = process.env[FIGURES_FILE]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ name, value, unit, ...more } satisfies Figure)}\n`)
}
