import { MODULUS, numbers } from '../../bench/support/feedback.ts'

/** A figure with the interval that holds it in 95 of 100 samples like this one. */
export interface Figure {
  readonly value: number
  readonly low: number
  readonly high: number
  /** How many things it was measured on. */
  readonly of: number
}

const SAMPLES = 1000

/**
 * Percentile bootstrap: the measure over as many things, drawn with replacement, a thousand times. The same things give
 * the same interval. NaN where there is nothing to measure on.
 */
export const bootstrap = <Thing>(
  things: readonly Thing[],
  measure: (sample: readonly Thing[]) => number,
  samples = SAMPLES,
): Figure => {
  const next = numbers(29)
  const draw = () => things[Math.floor((next() / MODULUS) * things.length)]
  const drawn = Array.from({ length: things.length === 0 ? 0 : samples }, () =>
    measure(Array.from({ length: things.length }, draw).filter(thing => thing !== undefined)),
  ).toSorted((one, other) => one - other)
  const at = (share: number) => drawn[Math.min(drawn.length - 1, Math.floor(drawn.length * share))] ?? Number.NaN
  return { value: measure(things), low: at(0.025), high: at(0.975), of: things.length }
}

/** How often something was so. */
export const share = (outcomes: readonly boolean[]): Figure =>
  bootstrap(outcomes, sample => sample.filter(Boolean).length / sample.length)

const short = (value: number): string => (Number.isNaN(value) ? '-' : value.toFixed(3).replace(/^0\./, '.'))

/** Such as `.563 (.49 to .63, of 146)`. */
export const shown = ({ value, low, high, of }: Figure): string =>
  Number.isNaN(value) ? `- (of ${of})` : `${short(value)} (${short(low)} to ${short(high)}, of ${of})`
