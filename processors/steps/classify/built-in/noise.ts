import { BUILT_IN_MODEL } from '../../../../infra/models/meaning/name.ts'
import file from './noise.json' with { type: 'json' }

/** Weights of `noiseValues` for the likelihood that a text is noise. */
export interface NoiseModel {
  /** The embedder on whose vectors the weights were fitted. Other vectors mean other things. */
  readonly model: string
  readonly always: number
  readonly weights: readonly number[]
}

const LETTER = /\p{L}/gu
/** A text with fewer letters is a greeting or a wish, and little else. */
const SHORT = 16
const LEAST_LIKELY = 0.02
/** Factors that make all values about as large as a meaning. */
const SCALE = { likely: 4, letters: 5 } as const

/** Facts of a text as numbers: its meaning, the likelihood of each kind, and its length. */
export const noiseValues = (meaning: Float64Array, likely: readonly number[], text: string): Float64Array => {
  const letters = text.match(LETTER)?.length ?? 0
  return Float64Array.of(
    ...meaning,
    ...likely.map(each => Math.log(Math.max(LEAST_LIKELY, each)) / SCALE.likely),
    Math.log1p(letters) / SCALE.letters,
    letters < SHORT ? 1 : 0,
  )
}

const WEIGHTS = Float64Array.from(file.weights)
/** True when the weights were fitted on this embedder's vectors. */
const KNOWS_MEANING = file.model === BUILT_IN_MODEL

/**
 * Likelihood that a text is noise: a greeting, thanks, an absence note, an errand. 1 for a text without letters; null
 * when the meaning is unknown.
 */
export const noiseIn = (meaning: Float64Array | null, likely: readonly number[], text: string): number | null => {
  if (text.search(LETTER) === -1) return 1
  if (meaning === null || !KNOWS_MEANING) return null
  let score = file.always
  for (const [at, value] of noiseValues(meaning, likely, text).entries()) score += (WEIGHTS[at] ?? 0) * value
  return 1 / (1 + Math.exp(-score))
}
