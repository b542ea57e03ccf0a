import builtIn from './known/built-in.json' with { type: 'json' }
import e5 from './known/multilingual-e5-small.json' with { type: 'json' }
import { BUILT_IN_MODEL } from './meaning/name.ts'

/**
 * What a model's cosine means: pairs of its raw cosine and the scale that all thresholds are on, both rising. Between
 * two of them the scale is a straight line. At 0.88 of the scale at least 97 of 100 pairs say the same.
 */
export interface Calibration {
  readonly knots: readonly (readonly [raw: number, scale: number])[]
  /**
   * Whether two texts must also say the same word for word, as far as words tell, to be one: see
   * `model/duplicates/wording/`.
   */
  readonly comparesWords: boolean
}

/**
 * Where words are compared too, it is the copies that say how low 0.88 may be: the lowest that a fit gives, which it
 * gave for each shipped model.
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
 * Of 100 copies of a text 98 have a cosine of at least 0.67 to it; texts that say the same in other words lie far
 * below. A signal is anchored from 0.42 on: a third of the texts that say the same as a node's one example reach that,
 * and one in thirty of the texts that have nothing to do with it.
 */
const BUILT_IN_FIT: Calibration = {
  knots: [
    [-1, -1],
    [0, 0],
    [0.42, 0.8],
    [0.67, 0.88],
    [0.72, 0.92],
    [1, 1],
  ],
  comparesWords: true,
}

/**
 * A model that was measured before the release: `docs/decisions/0153-meaning-in-the-box.md` says on what the built-in
 * one was, and `docs/decisions/0072-no-model-in-the-box.md` the others.
 */
interface KnownModel {
  /** By the names that servers give it. */
  readonly names: RegExp
  /**
   * What all its vectors have in common, which is taken off: else two texts that share nothing are at a cosine of 0.8.
   * The mean over our own paraphrases in six languages. Null where that changes nothing.
   */
  readonly mean: readonly number[] | null
  readonly calibration: Calibration
  /**
   * What its cosine counts when candidates are ordered; that of the words counts 1, and titles that are shared up to
   * 0.74.
   */
  readonly counts: number
  /**
   * As much likeness by words as unrelated texts of one language have: it counts nothing, or each of them would be
   * before a translation, which shares no word.
   */
  readonly unrelatedWords: number
}

/** A mean must not change: vectors that were stored with the old one would be compared with new ones. */
const KNOWN: readonly KnownModel[] = [
  {
    names: new RegExp(`^${BUILT_IN_MODEL}$`),
    mean: builtIn.mean,
    calibration: BUILT_IN_FIT,
    counts: 0.25,
    unrelatedWords: 0.2,
  },
  {
    names: /^(?:.*\/)?(?:intfloat-)?multilingual-e5-small(?:-q4)?(?::[^/]*)?$/i,
    mean: e5.mean,
    calibration: LOWEST_FIT,
    counts: 0.9,
    unrelatedWords: 0,
  },
  {
    names: /^(?:.*\/)?all-minilm(?:-l6-v2)?(?::(?:latest|22m|l6-v2))?$/i,
    mean: null,
    calibration: LOWEST_FIT,
    counts: 0.7,
    unrelatedWords: 0,
  },
]

export const knownModel = (model: string): KnownModel | null => KNOWN.find(({ names }) => names.test(model)) ?? null

/** What a model has that nobody has fitted: its cosine is taken as it is. */
export const IDENTITY: Calibration = {
  knots: [
    [-1, -1],
    [1, 1],
  ],
  comparesWords: false,
}

/**
 * The calibration that comes with Assay, fitted on public pairs before the release; null for models that a workspace
 * fits itself. `docs/decisions/0008-vectors-neighbours-and-repeats.md` says how.
 */
export const shippedCalibration = (model: string): Calibration | null => knownModel(model)?.calibration ?? null

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
