import { CLASSIFICATIONS, type Classification } from '../../../../schemas/domain/vocabulary.ts'

/** A multinomial logistic model over features that a text has or has not. */
export interface LinearModel {
  /** For each feature, what it adds to each of CLASSIFICATIONS, in that order. */
  readonly weights: Readonly<Record<string, readonly number[]>>
  /**
   * Scores are divided by it, so that of the labels with a confidence of 0.8, four in five are right. Reports are
   * harder to tell.
   */
  readonly temperature: { readonly report: number; readonly note: number }
  /** A label less likely than that is not given. */
  readonly leastConfidence: number
}

/** What was found in a text. */
interface Found {
  readonly features: ReadonlySet<string>
  /** Whether the text's words are in none of the lists: its features say next to nothing then. */
  readonly isForeign: boolean
  /** What its meaning adds to each of CLASSIFICATIONS; null where nothing is known of that. */
  readonly meaning: ArrayLike<number> | null
}

/** What meaning counts beside concepts, and where these are silent. */
const MEANING = { beside: 0.5, alone: 1 } as const
/** Where meaning speaks alone it is oftener wrong: of a kind that it takes for less likely it says nothing. */
const LEAST_ALONE = 0.5
/** With concepts and meaning together, scores are higher than answers are right. */
const TEMPERATURE_OF_BOTH = 1.15

/** How likely each of CLASSIFICATIONS is, in that order; each as likely as the others where nothing was found. */
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

/** What scores say, and how often such answers are right: from the first one on that is less often. */
const SURE = [
  [0.85, 0.85],
  [0.985, 0.9],
  [1, 0.95],
] as const

const likeliestKind = (likely: readonly number[]): number =>
  Math.max(...likely.slice(0, CLASSIFICATIONS.indexOf('unclassified')))

/** The same likelihoods where no kind is nearly certain; else with that kind as likely as such answers are right. */
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

/** The likeliest label, or `unclassified` when that is likeliest or no other is likely enough. */
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
