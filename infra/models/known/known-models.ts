import type { Calibration } from '../calibration.ts'
import e5 from './multilingual-e5-small.json' with { type: 'json' }

/** A model that was measured before the release; `docs/decisions/0074-no-model-in-the-box.md` says on what. */
export interface KnownModel {
  /** By the names that servers give it. */
  readonly names: RegExp
  /**
   * What all its vectors have in common, which is taken off: else two texts that share nothing are at a cosine of 0.8. The mean over our own
   * paraphrases in six languages. Null where that changes nothing.
   */
  readonly mean: readonly number[] | null
  readonly calibration: Calibration
  /** What its cosine counts beside the words, of which the cosine counts 1, when candidates are ordered. */
  readonly counts: number
}

/** Whose vectors are stored must not change: another mean needs another name. */
const KNOWN: readonly KnownModel[] = [
  {
    names: /^(?:.*\/)?(?:intfloat-)?multilingual-e5-small(?:-q4)?(?::.*)?$/i,
    mean: e5.mean,
    calibration: calibrationAt(0.81, 0.82),
    counts: 0.6,
  },
  {
    names: /^(?:.*\/)?all-minilm(?:-l6-v2)?(?::(?:latest|22m|l6-v2))?$/i,
    mean: null,
    calibration: calibrationAt(0.81, 0.82),
    counts: 0.5,
  },
]

function calibrationAt(skips: number, skipsInThreads: number): Calibration {
  return {
    knots: [
      [-1, -1],
      [0.8, 0.8],
      [skips, 0.88],
      [skipsInThreads, 0.92],
      [1, 1],
    ],
    comparesWords: true,
  }
}

export const knownModel = (model: string): KnownModel | null => KNOWN.find(({ names }) => names.test(model)) ?? null
