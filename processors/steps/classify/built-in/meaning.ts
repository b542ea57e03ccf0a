import { embedText, meaningIn } from '../../../../infra/models/built-in-embedder.ts'
import { BUILT_IN_MODEL } from '../../../../infra/models/meaning/name.ts'
import type { Classifiable } from '../../../../infra/models/port.ts'
import { CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import file from './meaning.json' with { type: 'json' }

/** What each number of a meaning adds to the score of each of CLASSIFICATIONS, in that order. */
export interface MeaningModel {
  /** The embedder whose vectors it reads: those of another one say other things. */
  readonly model: string
  readonly always: readonly number[]
  readonly weights: readonly (readonly number[])[]
}

const LETTER = /\p{L}/u

/** What a text means, by its vector where the pipeline has one; null for one that has no meaning to the embedder. */
export const meaningOf = ({ text, vector }: Classifiable): Float64Array | null =>
  LETTER.test(text) ? meaningIn(vector ?? embedText(text)) : null

/** The weights of each class, one behind the other. */
const WEIGHTS = CLASSIFICATIONS.map((_, of) => Float64Array.from(file.weights, adds => adds[of] ?? 0))

/** What meaning says of a text; null where it says nothing. */
export const meaningScores = (signal: Classifiable): Float64Array | null => {
  if (file.model !== BUILT_IN_MODEL) return null
  const meaning = meaningOf(signal)
  if (meaning === null) return null
  return Float64Array.from(WEIGHTS, (weights, of) => {
    let score = file.always[of] ?? 0
    for (let at = 0; at < weights.length; at += 1) score += (weights[at] ?? 0) * (meaning[at] ?? 0)
    return score
  })
}
