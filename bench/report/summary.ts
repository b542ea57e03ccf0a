import type { Asked, Figure } from '../support/figures.ts'
import { quantilesOf } from '../support/timing.ts'

/** A figure over all rounds. */
export interface Summary extends Asked {
  readonly name: string
  readonly unit: string
  readonly at: number | null
  readonly median: number
  readonly least: number
  readonly most: number
  readonly rounds: number
  /** Null where nothing was asked. */
  readonly isKept: boolean | null
}

const isKept = ({ atMost, atLeast }: Asked, median: number): boolean | null =>
  atMost === undefined && atLeast === undefined
    ? null
    : median <= (atMost ?? Number.POSITIVE_INFINITY) && median >= (atLeast ?? Number.NEGATIVE_INFINITY)

/** What names the same figure in each round, and in each report. */
export const keyOf = ({ name, at }: { readonly name: string; readonly at?: number | null }): string =>
  at === undefined || at === null ? name : `${name}, at ${at}`

/** Median and spread of each figure over the rounds, in the order in which they were first measured. */
export const summarize = (figures: readonly Figure[]): readonly Summary[] =>
  [...Map.groupBy(figures, keyOf).values()].flatMap(same => {
    const [first] = same
    if (first === undefined) return []
    const { name, unit, at = null, atMost, atLeast } = first
    const quantile = quantilesOf(same.map(({ value }) => value))
    const asked = { ...(atMost === undefined ? {} : { atMost }), ...(atLeast === undefined ? {} : { atLeast }) }
    const median = quantile(0.5)
    return [
      {
        name,
        unit,
        at,
        ...asked,
        median,
        least: quantile(0),
        most: quantile(1),
        rounds: same.length,
        isKept: isKept(asked, median),
      },
    ]
  })
