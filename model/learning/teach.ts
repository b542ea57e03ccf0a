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
  const known = lessons.map(lesson => ({ ...lesson, worth: lesson.is_correction ? 1 : ACCEPTANCE_WORTH }))
  const heard: Heard[] = []
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const fitted = await fitTo(known.filter((_, at) => at % FOLDS !== fold))
    for (let at = fold; at < known.length; at += FOLDS) {
      const lesson = known[at]
      if (lesson === undefined) continue
      const learned = logarithms(likelyOf(fitted, weigh(fitted.vocabulary, lesson.terms)))
      heard[at] = { builtIn: logarithms(lesson.builtIn), learned, label: labelOf(lesson), worth: lesson.worth }
    }
  }
  const pool = fitPool(heard)
  const last = heard.slice(0, LAST)
  return {
    learned: { ...(await fitTo(known)), pool },
    asked: last.length,
    answeredRight: last.filter(({ builtIn, learned, label }) => likeliest(pooled(pool, builtIn, learned)) === label)
      .length,
  }
}

const labelOf = ({ label }: Pick<ReadLesson, 'label'>): number => CLASSIFICATIONS.indexOf(label)

const likeliest = (likely: Float64Array): number => likely.indexOf(Math.max(...likely))

const fitTo = async (lessons: readonly (ReadLesson & { readonly worth: number })[]) => {
  await yieldToEventLoop()
  const vocabulary = vocabularyOf(lessons.map(({ terms }) => terms))
  const examples = lessons.map(
    (lesson): Example => ({ weighed: weigh(vocabulary, lesson.terms), label: labelOf(lesson), worth: lesson.worth }),
  )
  return { vocabulary, ...(await fitTerms(examples, vocabulary.hashes.length)) }
}
