import { yieldToEventLoop } from '../../infra/runtime/turns.ts'
import { CLASSIFICATIONS, type Classification } from '../../schemas/domain/vocabulary.ts'
import { type Example, fitTerms, likelyOf } from './fit.ts'
import type { LearnedClassifier } from './learned-classifier.ts'
import { fitPool, type Heard, logarithms, pooled } from './pool.ts'
import type { Terms } from './terms.ts'
import { vocabularyOf, weigh } from './vocabulary.ts'

/** A text with what people said it is, and what the built-in classifier says. */
export interface ReadLesson {
  readonly terms: Terms
  readonly builtIn: readonly number[]
  readonly label: Classification
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
const FOLDS = 5
const LAST = 100

/** Learns from lessons, the newest first: a fit of all, and for the weight that it earns one for each fifth, of the others. */
export const teach = async (lessons: readonly ReadLesson[]): Promise<Taught> => {
  await yieldToEventLoop()
  const vocabulary = vocabularyOf(lessons.map(({ terms }) => terms))
  await yieldToEventLoop()
  const examples = lessons.map(
    ({ terms, label, is_correction }): Example => ({
      weighed: weigh(vocabulary, terms),
      label: CLASSIFICATIONS.indexOf(label),
      worth: is_correction ? 1 : ACCEPTANCE_WORTH,
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
      heard[at] = { builtIn: logarithms(lessons[at]?.builtIn ?? []), learned, label, worth }
    }
  }
  const pool = fitPool(heard)
  const last = heard.slice(0, LAST)
  const isRight = ({ builtIn, learned, label }: Heard) => likeliest(pooled(pool, builtIn, learned)) === label
  return {
    learned: { vocabulary, ...(await fitTerms(examples, terms)), pool },
    asked: last.length,
    answeredRight: last.filter(isRight).length,
  }
}

const likeliest = (likely: Float64Array): number => likely.indexOf(Math.max(...likely))
