import builtIn from './known/built-in.json' with { type: 'json' }
import e5 from './known/multilingual-e5-small.json' with { type: 'json' }
import { BUILT_IN_MODEL } from './meaning/name.ts'

/**
 * The meaning of a model's cosine: pairs of its raw cosine and the scale of the thresholds, both rising, with linear
 * interpolation between them. At 0.88 of the scale at least 97 of 100 pairs say the same.
 */
export interface Calibration {
  readonly knots: readonly (readonly [raw: number, scale: number])[]
  /** True when two texts must also match word by word to be one; see `model/duplicates/wording/`. */
  readonly comparesWords: boolean
}

/**
 * For models whose texts are also compared by words: copies then decide how low 0.88 may be. This is the lowest value
 * that a fit gives, and each shipped model got it.
 */
const LOWEST_FIT: Calibration = {
  knots: [
    [-1, -1],
    [0.8, 0.8],
    [0.81, 0.88],
    [0.82, 0.92],
    [1, 1],
  ],
  comparesWords: true,
}

/**
 * Measured on the built-in model. 98 of 100 copies of a text have a cosine of at least 0.67 to it; paraphrases lie far
 * below. Without measured nodes, a signal is anchored from 0.16 on, after `otherNodes` is subtracted: one in fifty of
 * 200 paraphrases in several languages was then at its node among 20, and hardly any at a wrong one.
 */
const BUILT_IN_FIT: Calibration = {
  knots: [
    [-1, -1],
    [0, 0],
    [0.16, 0.8],
    [0.67, 0.88],
    [0.72, 0.92],
    [1, 1],
  ],
  comparesWords: true,
}

/**
 * A model that was measured before the release, as `docs/decisions/0153-meaning-in-the-box.md` (built-in) and
 * `docs/decisions/0008-vectors-neighbours-and-repeats.md` (others) describe.
 */
interface KnownModel {
  /** The names that servers give the model. */
  readonly names: RegExp
  /**
   * The common part of all its vectors, which is subtracted: otherwise unrelated texts have a cosine of 0.8. The mean
   * over our own paraphrases in six languages. Null where it changes nothing.
   */
  readonly mean: readonly number[] | null
  readonly calibration: Calibration
  /**
   * Weight of its cosine in the order of candidates. The cosine of words has weight 1, and shared titles up to 0.74.
   */
  readonly counts: number
  /**
   * Likeness by words of unrelated texts of one language, which does not count: otherwise such texts would come before
   * a translation, which shares no word.
   */
  readonly unrelatedWords: number
  /**
   * Subtracted from a signal's cosine to a node: `counts` times the cosine to the nearest other node (at least `least`,
   * or a small map would take unrelated signals), and `unsure`, since few signals do not show what all have in common
   * with a node. Null where the cosine is used as it is.
   */
  readonly otherNodes: { readonly counts: number; readonly least: number; readonly unsure: number } | null
}

/**
 * The model with measured nodes: a node is compared by the average of its texts, since customers' words are near to
 * none of them and nearer to what they have in common. Not measured for other models.
 */
export const PLACED_BY_MEAN = BUILT_IN_MODEL

/** A mean must never change: stored vectors used the old one and would be compared with new ones. */
const KNOWN: readonly KnownModel[] = [
  {
    names: new RegExp(`^${BUILT_IN_MODEL}$`),
    mean: builtIn.mean,
    calibration: BUILT_IN_FIT,
    counts: 0.7,
    unrelatedWords: 0.2,
    otherNodes: { counts: 2 / 3, least: 0.2, unsure: 0.08 },
  },
  {
    names: /^(?:.*\/)?(?:intfloat-)?multilingual-e5-small(?:-q4)?(?::[^/]*)?$/i,
    mean: e5.mean,
    calibration: LOWEST_FIT,
    counts: 0.9,
    unrelatedWords: 0,
    otherNodes: null,
  },
  {
    names: /^(?:.*\/)?all-minilm(?:-l6-v2)?(?::(?:latest|22m|l6-v2))?$/i,
    mean: null,
    calibration: LOWEST_FIT,
    counts: 0.7,
    unrelatedWords: 0,
    otherNodes: null,
  },
]

/** The measured model of this name; null for any other. */
export const knownModel = (model: string): KnownModel | null => KNOWN.find(({ names }) => names.test(model)) ?? null

/** The calibration of a model without a fit: the cosine as it is. */
export const IDENTITY: Calibration = {
  knots: [
    [-1, -1],
    [1, 1],
  ],
  comparesWords: false,
}

/**
 * The calibration shipped with Assay, fitted on public pairs before the release
 * (`docs/decisions/0008-vectors-neighbours-and-repeats.md`); null for models that a workspace fits itself.
 */
export const shippedCalibration = (model: string): Calibration | null => knownModel(model)?.calibration ?? null

/** A raw cosine on the scale of the thresholds. */
export const toScale = ({ knots }: Calibration, raw: number): number => interpolate(knots, raw, 0, 1)

/** The least raw cosine that reaches a threshold; 2, which no cosine reaches, when none does. */
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
  // On the identity no digit may be lost by rounding.
  if (above[0] === above[1] && below[0] === below[1]) return value
  return below[to] + ((value - below[from]) / (above[from] - below[from])) * (above[to] - below[to])
}
