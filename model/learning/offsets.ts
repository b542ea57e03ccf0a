import { CLASSIFICATIONS } from '../../schemas/domain/vocabulary.ts'

const CLASSES = CLASSIFICATIONS.length

/** What is known of an example but for its words. */
export interface Picked {
  /** The class that the built-in classifier takes the text for. */
  readonly takenFor: number
  /**
   * How likely each class is: 1 is what a person said, and less than that what the built-in classifier says where
   * nobody spoke.
   */
  readonly target: readonly number[]
  /** How much it counts beside the others. */
  readonly worth: number
}

/**
 * How examples were picked: for each class that the built-in classifier takes a text for, what each class has beside
 * the scores. Lessons are no sample of a workspace. Who accepts fifty problems in a row, corrects mistakes alone, or
 * goes by one list, picks by what a text is and by what it was taken for; offsets take in as much of that as they can,
 * and what is left is what the words say.
 */
type Offsets = Float64Array

export const noOffsets = (): Offsets => new Float64Array(CLASSES * CLASSES)

/** Offsets of few examples are small. */
const SHRINKAGE = 0.1
/** The curve of a softmax is never steeper (Böhning, 1992): no step goes too far. */
const STEEPEST = 0.5

/** How likely each of some classes is, if it is one of them. */
export const likelyAmong = (
  classes: readonly number[],
  scores: ArrayLike<number>,
  offsets: Offsets,
  takenFor: number,
): Float64Array =>
  softmax(Float64Array.from(classes, of => (scores[of] ?? 0) + (offsets[takenFor * CLASSES + of] ?? 0)))

/** In place: the offsets that make the targets of the examples the likeliest beside their scores. */
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
