import { embedTexts, meaningIn } from '../../../../infra/models/built-in-embedder.ts'
import { BUILT_IN_MODEL } from '../../../../infra/models/meaning/name.ts'
import type { Classifiable } from '../../../../infra/models/port.ts'
import { CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import file from './meaning.json' with { type: 'json' }

/** Weights of a meaning's numbers for each of CLASSIFICATIONS, in that order. */
export interface MeaningModel {
  /** The embedder on whose vectors the weights were fitted. Other vectors mean other things. */
  readonly model: string
  readonly always: readonly number[]
  readonly weights: readonly (readonly number[])[]
}

const LETTER = /\p{L}/u

/**
 * Meanings of texts, in order, from the pipeline's vectors where there are some; null for a text without a meaning.
 * Rejects with `too_costly` for a text over its CPU budget.
 */
export const meaningsOf = async (signals: readonly Classifiable[]): Promise<readonly (Float64Array | null)[]> => {
  const missing = signals.filter(({ text, vector }) => vector === undefined && LETTER.test(text))
  const made = new Map((await embedTexts(missing.map(({ text }) => text))).map((vector, at) => [missing[at], vector]))
  return signals.map(signal => {
    const vector = signal.vector ?? made.get(signal)
    return vector === undefined || !LETTER.test(signal.text) ? null : meaningIn(vector)
  })
}

/** Weights of each class, one class after the other. */
const WEIGHTS = CLASSIFICATIONS.map((_, of) => Float64Array.from(file.weights, adds => adds[of] ?? 0))

/** Score of each class by the meaning. */
export const meaningScores = (meaning: Float64Array): Float64Array =>
  Float64Array.from(WEIGHTS, (weights, of) => {
    let score = file.always[of] ?? 0
    for (let at = 0; at < weights.length; at += 1) score += (weights[at] ?? 0) * (meaning[at] ?? 0)
    return score
  })

/** True when the weights were fitted on this embedder's vectors. */
export const KNOWS_MEANING = file.model === BUILT_IN_MODEL
