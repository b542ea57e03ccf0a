import { type Calibration, LOWEST_FIT } from './calibration.ts'
import e5 from './multilingual-e5-small.json' with { type: 'json' }

/** A model that was measured before the release; `docs/decisions/0072-no-model-in-the-box.md` says on what. */
export interface KnownModel {
  /** By the names that servers give it. */
  readonly names: RegExp
  /**
   * What all its vectors have in common, which is taken off: else two texts that share nothing are at a cosine of 0.8. The mean over our own
   * paraphrases in six languages. Null where that changes nothing.
   */
  readonly mean: readonly number[] | null
  readonly calibration: Calibration
  /** What its cosine counts when candidates are ordered; that of the words counts 1, and titles that are told up to 0.74. */
  readonly counts: number
}

/** A mean must not change: vectors that were stored with the old one would be compared with new ones. */
const KNOWN: readonly KnownModel[] = [
  {
    names: /^(?:.*\/)?(?:intfloat-)?multilingual-e5-small(?:-q4)?(?::.*)?$/i,
    mean: e5.mean,
    calibration: LOWEST_FIT,
    counts: 0.9,
  },
  {
    names: /^(?:.*\/)?all-minilm(?:-l6-v2)?(?::(?:latest|22m|l6-v2))?$/i,
    mean: null,
    calibration: LOWEST_FIT,
    counts: 0.7,
  },
]

export const knownModel = (model: string): KnownModel | null => KNOWN.find(({ names }) => names.test(model)) ?? null
