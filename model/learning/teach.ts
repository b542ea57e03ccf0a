import { yieldToEventLoop } from '../../infra/runtime/turns.ts'
import { CLASSIFICATIONS } from '../../schemas/domain/vocabulary.ts'
import { type Example, fitTerms, scoresOf } from './fit.ts'
import type { LearnedClassifier } from './learned-classifier.ts'
import { fitPool, type Heard, logarithms, type PoolWeights, pooled } from './pool.ts'
import type { Left, ReadLesson } from './read-text.ts'
import { likeliest, likelyOfLeft, selectionOf, worthOf } from './selection.ts'
import { vocabularyOf, weigh } from './vocabulary.ts'

export interface Taught {
  readonly learned: LearnedClassifier
  /** How many of the newest lessons were asked, each of a fit that had not seen it, and how many answers were right. */
  readonly asked: number
  readonly answeredRight: number
}

/** Of many examples a third is enough to ask about, and costs less. */
const FOLDS = { few: 5, many: 3 } as const
const MANY = 1000
const LAST = 100

/**
 * Learns from lessons, the newest first, and from signals that were left as they were classified: a fit of all, and for
 * the weight that it earns one for each fold, of the others. What was left holds the built-in classifier's say where
 * people said nothing.
 */
export const teach = async (lessons: readonly ReadLesson[], left: Left): Promise<Taught> => {
  const selection = selectionOf(lessons, left)
  const texts = [
    ...lessons.map(lesson => ({
      ...lesson,
      target: CLASSIFICATIONS.map(each => (each === lesson.label ? 1 : 0)),
      worth: worthOf(lesson),
    })),
    ...(selection.worthOfLeft > 0 ? left.some : []).map(text => ({
      ...text,
      target: likelyOfLeft(text.builtIn, selection),
      worth: selection.worthOfLeft,
    })),
  ]
  await yieldToEventLoop()
  const vocabulary = vocabularyOf(texts.map(({ terms }) => terms))
  await yieldToEventLoop()
  const examples = texts.map(
    ({ terms, target, worth }): Example => ({ weighed: weigh(vocabulary, terms), target, worth }),
  )
  const terms = vocabulary.hashes.length
  const heard: Heard[] = []
  const folds = examples.length < MANY ? FOLDS.few : FOLDS.many
  for (let fold = 0; fold < folds; fold += 1) {
    const others = examples.filter((_, at) => at % folds !== fold)
    const fitted = await fitTerms(others, terms)
    for (const [at, { weighed, target, worth }] of examples.entries()) {
      if (at % folds !== fold) continue
      heard[at] = { builtIn: logarithms(texts[at]?.builtIn ?? []), learned: scoresOf(fitted, weighed), target, worth }
    }
  }
  const pool = asFarAs(selection.trust, fitPool(heard))
  const last = heard.slice(0, Math.min(LAST, lessons.length))
  const isRight = ({ builtIn, learned, target }: Heard) =>
    likeliest(pooled(pool, builtIn, learned)) === likeliest(target)
  return {
    learned: { vocabulary, ...(await fitTerms(examples, terms)), pool },
    asked: last.length,
    answeredRight: last.filter(isRight).length,
  }
}

/** Of no trust, the built-in classifier alone speaks. */
const asFarAs = (trust: number, { builtIn, learned }: PoolWeights): PoolWeights => ({
  builtIn: 1 - trust * (1 - builtIn),
  learned: trust * learned,
})
