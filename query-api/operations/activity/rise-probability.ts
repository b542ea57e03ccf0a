/**
 * Whether a count rose beyond chance. Events of a group are taken for a Poisson process: of `recent` in a span and `past` in spans
 * `exposure` times as long before it, at an equal rate each falls into the recent one with probability 1 / (1 + exposure), so that
 * `recent` is binomial, given the sum (Przyborowski and Wilenski, Biometrika 31, 1940). Unlike a Poisson test against the past's mean,
 * this knows that the mean itself is uncertain, and takes a past of nothing.
 *
 * Answers the probability of so many recent ones or more: the upper tail, summed until terms no longer matter.
 */
export const riseProbability = (recent: number, past: number, exposure: number): number => {
  const all = recent + past
  const p = 1 / (1 + exposure)
  if (recent <= all * p) return 1
  const logFirst =
    logFactorial(all) - logFactorial(recent) - logFactorial(past) + recent * Math.log(p) + past * Math.log1p(-p)
  let [term, sum] = [1, 1]
  for (let k = recent; k < all && term > sum * 1e-15; k += 1) {
    term *= ((all - k) / (k + 1)) * (p / (1 - p))
    sum += term
  }
  return Math.min(1, Math.exp(logFirst + Math.log(sum)))
}

const SMALL = Array.from({ length: 32 }).reduce<number[]>(
  logs => [...logs, (logs.at(-1) ?? 0) + Math.log(logs.length)],
  [0],
)

/** ln(n!), by Stirling's series for what is not in the table: right to some 14 digits. */
const logFactorial = (n: number): number =>
  SMALL[n] ??
  (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5)

/**
 * How many of the chances, in ascending order, count as findings when `tested` were looked at and at most a share of `rate` of the
 * findings may be false (Benjamini and Hochberg, Journal of the Royal Statistical Society B 57, 1995).
 */
export const significantCount = (chances: readonly number[], tested: number, rate: number): number =>
  chances.findLastIndex((chance, index) => chance <= ((index + 1) / tested) * rate) + 1
