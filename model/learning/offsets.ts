import { CLASSIFICATIONS } from '../../schemas/domain/vocabulary.ts'

const CLASSES = CLASSIFICATIONS.length

/** An example without its words. */
export interface Picked {
  /** The likeliest class by the built-in classifier. */
  readonly takenFor: number
  /** Likelihood of each class: 1 for a lesson's label, the built-in classifier's likelihoods for other signals. */
  readonly target: readonly number[]
  /** Weight of the example. */
  readonly worth: number
}

/**
 * For each class by the built-in classifier, an addition to the score of each class. Lessons are no random sample:
 * people accept fifty problems in a row, correct mistakes alone, or work on one list, so they pick by a text's class
 * and by the classifier's label. The offsets explain as much of that as they can, so that the terms' weights show what
 * the words mean.
 */
type Offsets = Float64Array

export const noOffsets = (): Offsets => new Float64Array(CLASSES * CLASSES)

/** L2 penalty: offsets of few examples stay small. */
const SHRINKAGE = 0.1
/** Upper bound of the softmax's curvature (Böhning, 1992), so that no step is too long. */
const STEEPEST = 0.5

/** Likelihood of each of `classes`, given that one of them is right. */
export const likelyAmong = (
  classes: readonly number[],
  scores: ArrayLike<number>,
  offsets: Offsets,
  takenFor: number,
): Float64Array =>
  softmax(Float64Array.from(classes, of => (scores[of] ?? 0) + (offsets[takenFor * CLASSES + of] ?? 0)))

/** Updates `offsets` in place to those that make the examples' targets the likeliest beside their scores. */
export const fitOffsets = (
  examples: readonly Picked[],
  scores: readonly ArrayLike<number>[],
  spoken: readonly number[],
  offsets: Offsets,
  sweeps: number,
): Offsets => {
  const worth = CLASSIFICATIONS.map(() => 0)
  for (const example of examples) worth[example.takenFor] = (worth[example.takenFor] ?? 0) + example.worth
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const gradient = noOffsets()
    for (const [index, example] of examples.entries()) {
      const likely = likelyAmong(spoken, scores[index] ?? [], offsets, example.takenFor)
      for (let at = 0; at < spoken.length; at += 1) {
        const of = spoken[at] ?? 0
        const place = example.takenFor * CLASSES + of
        gradient[place] = (gradient[place] ?? 0) + example.worth * ((likely[at] ?? 0) - (example.target[of] ?? 0))
      }
    }
    for (let place = 0; place < offsets.length; place += 1) {
      const offset = offsets[place] ?? 0
      const curve = STEEPEST * (worth[Math.floor(place / CLASSES)] ?? 0) + SHRINKAGE
      offsets[place] = offset - ((gradient[place] ?? 0) + SHRINKAGE * offset) / curve
    }
  }
  return offsets
}

/** In place. */
export const softmax = (scores: Float64Array): Float64Array => {
  let highest = Number.NEGATIVE_INFINITY
  for (const score of scores) highest = Math.max(highest, score)
  let sum = 0
  for (let at = 0; at < scores.length; at += 1) {
    const raised = Math.exp((scores[at] ?? 0) - highest)
    scores[at] = raised
    sum += raised
  }
  for (let at = 0; at < scores.length; at += 1) scores[at] = (scores[at] ?? 0) / sum
  return scores
}
