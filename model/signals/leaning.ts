import { CLASSIFICATIONS, type Classification, type Need } from '../../schemas/domain/vocabulary.ts'
import { NOTHING } from './says-nothing.ts'

/** A label with the likelihood of each of CLASSIFICATIONS, in that order. */
export interface Labelled {
  readonly label: Classification
  readonly confidence: number
  readonly likely: readonly number[]
}

/** A label with the likely need of an unclassified text or a question; null without one. */
export interface Said extends Omit<Labelled, 'likely'> {
  readonly perhaps: Need | null
}

/**
 * Likelihood of noise from which a text is noise in spite of its label. In our sets no problem and no idea was above
 * it. Questions need more, because a question on the product resembles an errand.
 */
const SURELY_NOISE: Readonly<Record<Classification, number>> = {
  problem: 0.95,
  idea: 0.95,
  question: 0.98,
  unclassified: 0,
}

/**
 * The final label of a text, by its likelihood of noise (null when unknown). An unclassified text gets the likelier
 * need, unless it is almost certainly noise. A question that is likelier a problem or an idea also gets a need.
 */
export const saidOf = ({ label, confidence, likely }: Labelled, noise: number | null): Said => {
  const likelyAs = (kind: Classification): number => likely[CLASSIFICATIONS.indexOf(kind)] ?? 0
  const need = likelyAs('idea') > likelyAs('problem') ? 'idea' : 'problem'
  if (noise !== null && (label === 'unclassified' || noise > SURELY_NOISE[label]))
    return { label: 'unclassified', confidence: noise, perhaps: noise > NOTHING ? null : need }
  const isNoQuestion = label === 'question' && likelyAs('problem') + likelyAs('idea') > likelyAs('question')
  return { label, confidence, perhaps: isNoQuestion ? need : null }
}

const UNCLASSIFIED = CLASSIFICATIONS.indexOf('unclassified')
/** Highest likelihood that counts. */
const SUREST = 0.98

const logOdds = (chance = 0): number => {
  const kept = Math.min(SUREST, Math.max(1 - SUREST, chance))
  return Math.log(kept / (1 - kept))
}

/** Likelihood of noise, moved by lessons as they move `unclassified`. */
export const noiseBeside = (noise: number, before: readonly number[], taught: readonly number[]): number =>
  1 / (1 + Math.exp(-logOdds(noise) - logOdds(taught[UNCLASSIFIED]) + logOdds(before[UNCLASSIFIED])))
