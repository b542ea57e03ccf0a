import { yieldToEventLoop } from '../../infra/runtime/turns.ts'
import { CLASSIFICATIONS, type Classification } from '../../schemas/domain/vocabulary.ts'
import { type Example, fitTerms, likelyOf } from './fit.ts'
import type { LearnedClassifier } from './learned-classifier.ts'
import { fitPool, type Heard, logarithms, pooled } from './pool.ts'
import type { Terms } from './terms.ts'
import { vocabularyOf, weigh } from './vocabulary.ts'

/** A text with a label, and what the built-in classifier says of it. */
export interface ReadText {
  readonly terms: Terms
  readonly builtIn: readonly number[]
  readonly label: Classification
}

/** What people said of it. */
export interface ReadLesson extends ReadText {
  readonly is_correction: boolean
}

export interface Taught {
  readonly learned: LearnedClassifier
  /** How many of the newest lessons were asked, each of a fit that had not seen it, and how many answers were right. */
  readonly asked: number
  readonly answeredRight: number
}

/** Who accepts a signal has seen what it was said to be, and may have thought of something else. */
const ACCEPTANCE_WORTH = 0.5
/** What nobody corrected may not have been looked at. */
const MAX_WORTH_OF_LEFT = 0.5
/** The built-in classifier is right at least as often: where lessons say otherwise, people spoke of its mistakes alone. */
const LEAST_AGREEMENT = 0.45
const FOLDS = 5
const LAST = 100

/**
 * How much signals that nobody spoke of must count together beside the lessons. People who correct what is wrong and leave the rest as it
 * is teach mistakes alone, and what is learned from these is wrong of everything else.
 */
export const worthOfLeft = (lessons: readonly ReadLesson[]): number => {
  let agreed = 0
  let all = 0
  for (const { builtIn, label, is_correction } of lessons) {
    const worth = is_correction ? 1 : ACCEPTANCE_WORTH
    all += worth
    if (!is_correction || likeliest(builtIn) === CLASSIFICATIONS.indexOf(label)) agreed += worth
  }
  return Math.max(0, (LEAST_AGREEMENT * all - agreed) / (1 - LEAST_AGREEMENT))
}

/**
 * Learns from lessons, the newest first, and from signals that were left as they were classified, for `worthOfLeft`: a fit of all, and
 * for the weight that it earns one for each fifth, of the others.
 */
export const teach = async (lessons: readonly ReadLesson[], left: readonly ReadText[]): Promise<Taught> => {
  const leftWorth = Math.min(MAX_WORTH_OF_LEFT, worthOfLeft(lessons) / Math.max(1, left.length))
  const texts = [
    ...lessons.map(lesson => ({ ...lesson, worth: lesson.is_correction ? 1 : ACCEPTANCE_WORTH })),
    ...left.map(text => ({ ...text, worth: leftWorth })),
  ]
  await yieldToEventLoop()
  const vocabulary = vocabularyOf(texts.map(({ terms }) => terms))
  await yieldToEventLoop()
  const examples = texts.map(
    ({ terms, label, worth }): Example => ({
      weighed: weigh(vocabulary, terms),
      label: CLASSIFICATIONS.indexOf(label),
      worth,
    }),
  )
  const terms = vocabulary.hashes.length
  const heard: Heard[] = []
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const others = examples.filter((_, at) => at % FOLDS !== fold)
    const fitted = await fitTerms(others, terms)
    for (const [at, { weighed, label, worth }] of examples.entries()) {
      if (at % FOLDS !== fold) continue
      const learned = logarithms(likelyOf(fitted, weighed))
      heard[at] = { builtIn: logarithms(texts[at]?.builtIn ?? []), learned, label, worth }
    }
  }
  const pool = fitPool(heard)
  const last = heard.slice(0, Math.min(LAST, lessons.length))
  const isRight = ({ builtIn, learned, label }: Heard) => likeliest(pooled(pool, builtIn, learned)) === label
  return {
    learned: { vocabulary, ...(await fitTerms(examples, terms)), pool },
    asked: last.length,
    answeredRight: last.filter(isRight).length,
  }
}

const likeliest = (likely: readonly number[] | Float64Array): number => likely.indexOf(Math.max(...likely))
