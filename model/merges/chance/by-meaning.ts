import fitted from './by-meaning.json' with { type: 'json' }
import { logistic, logOddsOf } from './chance.ts'

/** What vectors of a model say of two signals. */
export interface ComparedMeaning {
  readonly model: string
  /** The cosine of the two; null where one of them has no vector. */
  readonly cosine: number | null
  /** The mean of those of the one and its other candidates. */
  readonly around: number
}

export const MEANING_FEATURES = ['nearer_than_others'] as const

/**
 * How much nearer the two are than the others. Not how near: short feedback of one product lies at 0.27 in the median,
 * long reports of one tracker at 0.56 to 0.72.
 */
export const meaningFeaturesOf = (cosine: number, around: number): readonly number[] => [cosine - around]

/** What is less likely says nothing: most of what is said of one product is as near. */
const LEAST = 0.1

/**
 * The chance that two signals tell of the same by what they mean alone, as other words and other languages say it. 0
 * where that is unlikely, and of a model that it was not fitted on, whose cosines lie elsewhere.
 */
export const chanceByMeaning = ({ model, cosine, around }: ComparedMeaning): number => {
  if (model !== fitted.model || cosine === null) return 0
  const chance = logistic(logOddsOf(fitted, meaningFeaturesOf(cosine, around)))
  return chance < LEAST ? 0 : chance
}
