import { yieldToEventLoop } from '../../infra/runtime/yielding.ts'
import { CLASSIFICATIONS } from '../../schemas/domain/vocabulary.ts'
import { earnedWeight, type Heard } from './earned-weight.ts'
import { CLASSES, type Example, fitTerms, scoresOf } from './fit.ts'
import { type LearnedClassifier, likelyBeside, logarithms } from './learned-classifier.ts'
import type { ReadLesson, ReadText } from './lessons.ts'
import { vocabularyOf, weigh } from './terms.ts'

/** Weight of an acceptance: the person has seen the label, but may have meant something else. */
const ACCEPTANCE_WORTH = 0.5

const worthOf = ({ is_correction }: ReadLesson): number => (is_correction ? 1 : ACCEPTANCE_WORTH)

const likeliest = (likely: ArrayLike<number>): number => {
  let best = 0
  for (let of = 1; of < likely.length; of += 1) if ((likely[of] ?? 0) > (likely[best] ?? 0)) best = of
  return best
}

/** Weight of a signal without a lesson, and the limit of all such weights beside the lessons'. */
const WORTH_OF_LEFT = 0.5
const MAX_LEFT_TIMES = 2
/** A class with fewer examples is left to the built-in classifier. */
const LEAST_OF_A_CLASS = 5
/**
 * Least part of right labels that the built-in classifier gives. When fewer of the examples that it takes for a class
 * belong to it, people have picked its mistakes, so these examples count less.
 */
const LEAST_AGREEMENT = 0.55

interface Read extends ReadText {
  readonly target: readonly number[]
  readonly worth: number
}

/** Lessons, and signals without lessons with the built-in classifier's likelihoods as their target. */
const readTexts = (lessons: readonly ReadLesson[], left: readonly ReadText[]): readonly Read[] => {
  const worth = lessons.reduce((sum, lesson) => sum + worthOf(lesson), 0)
  const worthOfLeft = Math.min(WORTH_OF_LEFT, (MAX_LEFT_TIMES * worth) / Math.max(1, left.length))
  return [
    ...lessons.map(lesson => ({
      ...lesson,
      target: CLASSIFICATIONS.map(each => (each === lesson.label ? 1 : 0)),
      worth: worthOf(lesson),
    })),
    ...left.map(text => ({ ...text, target: text.builtIn, worth: worthOfLeft })),
  ]
}

/** Classes with enough lessons or signals. */
const spokenIn = (texts: readonly Read[], lessons: number): readonly number[] => {
  const examples = CLASSIFICATIONS.map((_, of) =>
    texts.reduce((sum, { target, worth }, at) => sum + (target[of] ?? 0) * (at < lessons ? 1 : worth), 0),
  )
  const spoken = CLASSIFICATIONS.flatMap((_, of) => ((examples[of] ?? 0) >= LEAST_OF_A_CLASS ? [of] : []))
  return spoken.length > 1 ? spoken : []
}

/** The examples with lower weights where the built-in classifier agrees less often than `LEAST_AGREEMENT`. */
const asFarAsTrusted = (texts: readonly Read[]): readonly Read[] => {
  const all = new Float64Array(CLASSES)
  const agreed = new Float64Array(CLASSES)
  for (const { builtIn, target, worth } of texts) {
    const takenFor = likeliest(builtIn)
    all[takenFor] = (all[takenFor] ?? 0) + worth
    agreed[takenFor] = (agreed[takenFor] ?? 0) + worth * (target[takenFor] ?? 0)
  }
  return texts.map(text => {
    const takenFor = likeliest(text.builtIn)
    const agreement = (agreed[takenFor] ?? 0) / (all[takenFor] || 1)
    return { ...text, worth: text.worth * Math.min(1, agreement / LEAST_AGREEMENT) }
  })
}

/** The example limited to the classes in `spoken`. */
const ofSpoken = (text: Read, spoken: readonly number[]): Read => {
  const all = spoken.reduce((sum, of) => sum + (text.target[of] ?? 0), 0)
  const target = text.target.map((share, of) => (spoken.includes(of) && all > 0 ? share / all : 0))
  return { ...text, target, worth: all > 0 ? text.worth : 0 }
}

export interface Taught {
  readonly learned: LearnedClassifier
  /** Newest lessons that were tested, each by a fit without it. */
  readonly tested: number
  /** Right answers among them. */
  readonly answeredRight: number
}

/** Number of folds. With many examples three suffice and cost less. */
const FOLDS = { few: 5, many: 3 } as const
const MANY = 1000
const LAST = 100

/**
 * Fits a classifier on lessons, newest first, and on signals without lessons. Its weight is earned in a
 * cross-validation: each fold is judged by a fit on the others.
 */
export const teach = async (lessons: readonly ReadLesson[], left: readonly ReadText[]): Promise<Taught> => {
  const read = readTexts(lessons, left)
  const spoken = spokenIn(read, lessons.length)
  const texts = asFarAsTrusted(read.map(text => ofSpoken(text, spoken)))
  await yieldToEventLoop()
  const vocabulary = vocabularyOf(texts.map(({ terms }) => terms))
  await yieldToEventLoop()
  const all = texts.map(
    ({ terms, builtIn, target, worth }): Example => ({
      weighed: weigh(vocabulary, terms),
      builtIn: logarithms(builtIn),
      takenFor: likeliest(builtIn),
      target,
      worth,
    }),
  )
  const examples = all.filter(({ worth }) => worth > 0)
  const terms = vocabulary.hashes.length
  const heard = new Map<Example, Heard>()
  const folds = examples.length < MANY ? FOLDS.few : FOLDS.many
  for (let fold = 0; fold < folds; fold += 1) {
    const others = examples.filter((_, at) => at % folds !== fold)
    const weights = await fitTerms(others, terms, spoken)
    for (const [at, example] of examples.entries())
      if (at % folds === fold) heard.set(example, { ...example, learned: scoresOf(weights, example.weighed) })
  }
  const weight = earnedWeight([...heard.values()], spoken)
  const tested = lessons.slice(0, LAST)
  const isRight = ({ builtIn, label }: ReadLesson, at: number): boolean => {
    const example = all[at]
    const learned = (example === undefined ? undefined : heard.get(example))?.learned ?? new Float64Array(CLASSES)
    return likeliest(likelyBeside(builtIn, learned, weight, spoken)) === CLASSIFICATIONS.indexOf(label)
  }
  return {
    learned: { vocabulary, weights: await fitTerms(examples, terms, spoken), weight },
    tested: tested.length,
    answeredRight: tested.filter(isRight).length,
  }
}
