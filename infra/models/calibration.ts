import { BUILT_IN_MODEL } from './built-in-embedder.ts'
import { type Calibration, LOWEST_FIT } from './known/calibration.ts'
import { knownModel } from './known/known-models.ts'

export type { Calibration }

/** What a model has that nobody has fitted: its cosine is taken as it is. */
export const IDENTITY: Calibration = {
  knots: [
    [-1, -1],
    [1, 1],
  ],
  comparesWords: false,
}

/**
 * The calibration that comes with Assay, fitted on public pairs before the release (`docs/decisions/0066-what-a-cosine-means.md` says on which); null
 * for models that a workspace fits itself.
 */
export const shippedCalibration = (model: string): Calibration | null =>
  model === BUILT_IN_MODEL ? LOWEST_FIT : (knownModel(model)?.calibration ?? null)

/** The raw cosine on the scale of the thresholds. */
export const toScale = ({ knots }: Calibration, raw: number): number => interpolate(knots, raw, 0, 1)

/** The least raw cosine that reaches a threshold; above 1, which no cosine is, when none does. */
export const rawAt = ({ knots }: Calibration, threshold: number): number => {
  const most = knots.at(-1)?.[1] ?? 1
  return threshold > most ? 2 : interpolate(knots, threshold, 1, 0)
}

const interpolate = (knots: Calibration['knots'], value: number, from: 0 | 1, to: 0 | 1): number => {
  const at = Math.max(
    1,
    knots.findIndex(knot => knot[from] >= value),
  )
  const above = knots[at]
  const below = knots[at - 1]
  if (above === undefined || below === undefined) return value
  if (value === above[from]) return above[to]
  // Where the two are the same, no digit may be lost.
  if (above[0] === above[1] && below[0] === below[1]) return value
  return below[to] + ((value - below[from]) / (above[from] - below[from])) * (above[to] - below[to])
}
