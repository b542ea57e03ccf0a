import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** What was asked of a figure. */
export interface Budget {
  readonly atMost?: number
  readonly atLeast?: number
}

/** Something that a benchmark measured, as the report keeps it. */
export interface Figure extends Budget {
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
  more: Budget & Pick<Figure, 'at'> = {},
): void => {
  const file = process.env[FIGURES_FILE]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ name, value, unit, ...more } satisfies Figure)}\n`)
}

/** The quantiles of how long something took each time, in the unit of `durations`. */
export const quantilesOf = (durations: readonly number[]): ((share: number) => number) => {
  const sorted = durations.toSorted((one, other) => one - other)
  return share => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Runs the work so often, one after another; answers the quantiles of how long it took, in milliseconds. */
export const timed = async (runs: number, work: () => Promise<unknown>): Promise<(share: number) => number> => {
  const durations: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now()
    await work()
    durations.push(performance.now() - startedAt)
  }
  return quantilesOf(durations)
}

export interface Pace {
  readonly aSecond: number
  readonly seconds: number
  /** How often it is looked how many are due, in milliseconds. */
  readonly tickMs: number
}

/**
 * Has `send` send those that are due, from one number to another, so that they come at a constant rate whatever each
 * takes.
 */
export const atPace = async (
  { aSecond, seconds, tickMs }: Pace,
  send: (from: number, upTo: number) => Promise<void> | void,
): Promise<void> => {
  const startedAt = Date.now()
  for (let sent = 0; sent < aSecond * seconds; ) {
    const due = Math.min(aSecond * seconds, Math.floor(((Date.now() - startedAt) / 1000) * aSecond))
    if (due > sent) await send(sent, due)
    sent = Math.max(sent, due)
    await sleep(tickMs)
  }
}
