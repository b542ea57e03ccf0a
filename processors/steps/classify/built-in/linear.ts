import { CLASSIFICATIONS, type Classification } from '../../../../schemas/domain/vocabulary.ts'

/** A multinomial logistic model over binary features. */
export interface LinearModel {
  /** Weights of each feature for CLASSIFICATIONS, in that order. */
  readonly weights: Readonly<Record<string, readonly number[]>>
  /**
   * Divisors of the scores, fitted so that four in five labels with a confidence of 0.8 are right. Reports are harder
   * to tell.
   */
  readonly temperature: { readonly report: number; readonly note: number }
  /** Least confidence of a label. */
  readonly leastConfidence: number
}

/** Features and meaning of a text. */
interface Found {
  readonly features: ReadonlySet<string>
  /** True when no word list has the text's words: its features then say next to nothing. */
  readonly isForeign: boolean
  /** The meaning's addition to the score of each of CLASSIFICATIONS; null without a meaning. */
  readonly meaning: ArrayLike<number> | null
}

/** Weight of the meaning beside concepts, and without any. */
const MEANING = { beside: 0.5, alone: 1 } as const
/** Least likelihood of a kind by the meaning alone, which is wrong more often. */
const LEAST_ALONE = 0.5
/** Scores of concepts and meaning together are too high, so they are divided by this. */
const TEMPERATURE_OF_BOTH = 1.15

/** Likelihood of each of CLASSIFICATIONS, in that order; all equal when nothing was found. */
export const probabilities = (model: LinearModel, { features, isForeign, meaning }: Found): readonly number[] => {
  const scores = CLASSIFICATIONS.map(() => 0)
  for (const feature of features) {
    const weights = model.weights[feature]
    if (weights === undefined) continue
    for (let at = 0; at < scores.length; at += 1) scores[at] = (scores[at] ?? 0) + (weights[at] ?? 0)
  }
  const temperature = features.has('report') ? model.temperature.report : model.temperature.note
  const cooled = scores.map(score => score / temperature)
  const without = asOftenRight(softmax(cooled))
  if (meaning === null) return without
  const isAlone = isForeign || features.size === 0
  const counts = isAlone ? MEANING.alone : MEANING.beside
  const both = cooled.map((score, at) => (score + counts * (meaning[at] ?? 0)) / TEMPERATURE_OF_BOTH)
  const likely = asOftenRight(softmax(both))
  return isAlone && likeliestKind(likely) < LEAST_ALONE ? without : likely
}

/**
 * Points (likelihood, measured part of right answers): above the first point, answers are right less often than their
 * likelihood says.
 */
const SURE = [
  [0.85, 0.85],
  [0.985, 0.9],
  [1, 0.95],
] as const

const likeliestKind = (likely: readonly number[]): number =>
  Math.max(...likely.slice(0, CLASSIFICATIONS.indexOf('unclassified')))

/** Lowers the likelihood of a nearly certain kind to the measured part of right answers. Other likelihoods stay. */
const asOftenRight = (likely: readonly number[]): readonly number[] => {
  const said = likeliestKind(likely)
  const end = SURE.findIndex(([most]) => said <= most)
  const [from, to] = [SURE[end - 1], SURE[end]]
  if (from === undefined || to === undefined) return likely
  const right = from[1] + ((said - from[0]) / (to[0] - from[0])) * (to[1] - from[1])
  return likely.map(each => (each === said ? right : (each * (1 - right)) / Math.max(Number.EPSILON, 1 - said)))
}

export const softmax = (scores: readonly number[]): readonly number[] => {
  const highest = Math.max(...scores)
  const raised = scores.map(score => Math.exp(score - highest))
  const sum = raised.reduce((total, value) => total + value, 0)
  return raised.map(value => value / sum)
}

/** The likeliest label; `unclassified` when it is the likeliest or no other label is likely enough. */
export const decide = (
  likely: readonly number[],
  leastConfidence: number,
): { readonly label: Classification; readonly confidence: number } => {
  let best: Classification = 'unclassified'
  let confidence = 0
  for (const [at, label] of CLASSIFICATIONS.entries()) {
    const probability = likely[at] ?? 0
    if (label !== 'unclassified' && probability > confidence) {
      best = label
      confidence = probability
    }
  }
  const unclassified = likely[CLASSIFICATIONS.indexOf('unclassified')] ?? 0
  return confidence >= leastConfidence && confidence > unclassified
    ? { label: best, confidence }
    : { label: 'unclassified', confidence: 1 - confidence }
}
