import fitted from './by-meaning.json' with { type: 'json' }
import { logistic, logOddsOf } from './chance.ts'

/** Comparison of two signals by a model's vectors. */
export interface ComparedMeaning {
  readonly model: string
  /** Cosine of the two; null when one has no vector. */
  readonly cosine: number | null
  /** Mean cosine of the signal to its other candidates. */
  readonly around: number
}

export const MEANING_FEATURES = ['nearer_than_others'] as const

/**
 * The distance of the cosine above the others'. The cosine itself is useless: its median is 0.27 for short feedback on
 * one product, and 0.56 to 0.72 for long reports of one tracker.
 */
export const meaningFeaturesOf = (cosine: number, around: number): readonly number[] => [cosine - around]

/**
 * Lower chances are ignored, because most signals about one product are as near. One in four pairs of a sentence and a
 * long report that say the same has a chance between this and 0.1.
 */
const LEAST = 0.02

/**
 * Chance that two signals say the same, by their vectors alone, for other words and other languages. 0 when it is
 * unlikely, or for a model that it was not fitted on, whose cosines differ.
 */
export const chanceByMeaning = ({ model, cosine, around }: ComparedMeaning): number => {
  if (model !== fitted.model || cosine === null) return 0
  const chance = logistic(logOddsOf(fitted, meaningFeaturesOf(cosine, around)))
  return chance < LEAST ? 0 : chance
}
