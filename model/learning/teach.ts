import { yieldToEventLoop } from '../../infra/runtime/turns.ts'
import { CLASSIFICATIONS } from '../../schemas/domain/vocabulary.ts'
import { type Example, fitTerms, scoresOf } from './fit.ts'
import {
  fitPool,
  type Heard,
  type LearnedClassifier,
  logarithms,
  type PoolWeights,
  pooled,
} from './learned-classifier.ts'
import type { Left, ReadLesson, ReadText } from './lessons.ts'
import { vocabularyOf, weigh } from './terms.ts'

/** Who accepts a signal has seen what it was said to be, and may have thought of something else. */
const ACCEPTANCE_WORTH = 0.5

const worthOf = ({ is_correction }: ReadLesson): number => (is_correction ? 1 : ACCEPTANCE_WORTH)

const likeliest = (likely: ArrayLike<number>): number => {
  let best = 0
  for (let of = 1; of < likely.length; of += 1) if ((likely[of] ?? 0) > (likely[best] ?? 0)) best = of
  return best
}

/** How lessons were picked from the signals that there are: people correct what is wrong, and often one kind alone. */
interface Selection {
  /** How much signals that were left count, each, beside a correction, which counts 1. */
  readonly worthOfLeft: number
  /** For each class, the share of those that the built-in classifier takes for another that nobody corrected. */
  readonly unnoticed: readonly number[]
  /** From 0 to 1: how far what is learned can be told from how the lessons were picked. */
  readonly trust: number
}

/** A kind that the built-in classifier hardly ever misses, by its own account, is missed more often than it says. */
const LEAST_MISSED = 0.02
const MAX_WORTH_OF_LEFT = 2
/** However many mistakes were corrected, some are left. */
const LEAST_UNNOTICED = 0.2
/**
 * The built-in classifier is right at least as often. Where less of what there is to learn from agrees with it, the
 * rest was picked out.
 */
const LEAST_AGREEMENT = 0.45
/**
 * So much of the signals that lessons were picked from must be there to tell what is learned from how they were picked.
 */
const LEAST_KNOWN = 0.5

/**
 * Lessons say nothing of how many signals of each kind there are. The built-in classifier says how often it misses each
 * kind; for as many mistakes as were corrected, it must have read so many signals. The kind that asks for the most
 * counts, since of the others fewer were looked for. What was left stands for these signals.
 */
const selectionOf = (lessons: readonly ReadLesson[], { some, inAll }: Left): Selection => {
  const missed = missedOf(some.length > 0 ? some : lessons)
  const corrected = CLASSIFICATIONS.map(() => 0)
  let worth = 0
  for (const lesson of lessons) {
    worth += worthOf(lesson)
    const of = CLASSIFICATIONS.indexOf(lesson.label)
    if (lesson.is_correction && likeliest(lesson.builtIn) !== of) corrected[of] = (corrected[of] ?? 0) + 1
  }
  const mustHaveRead = CLASSIFICATIONS.map((label, of) =>
    label === 'unclassified' ? 0 : (corrected[of] ?? 0) / Math.max(LEAST_MISSED, missed[of] ?? 0),
  )
  const pickedFrom = Math.max(worth, ...mustHaveRead)
  const worthOfLeft = Math.min(MAX_WORTH_OF_LEFT, (pickedFrom - worth) / Math.max(1, some.length))
  const known = worth + worthOfLeft * some.length
  const agreement = 1 - corrected.reduce((sum, each) => sum + each) / known
  return {
    worthOfLeft,
    unnoticed: corrected.map((each, of) =>
      Math.max(LEAST_UNNOTICED, 1 - each / Math.max(1, (missed[of] ?? 0) * (inAll + lessons.length))),
    ),
    trust: Math.min(1, agreement / LEAST_AGREEMENT) * Math.min(1, known / pickedFrom / LEAST_KNOWN),
  }
}

/**
 * For each class, the share of the texts that are of it although another is likelier, as far as the built-in classifier
 * knows.
 */
const missedOf = (texts: readonly ReadText[]): readonly number[] => {
  const missed = CLASSIFICATIONS.map(() => 0)
  for (const { builtIn } of texts) {
    const said = likeliest(builtIn)
    for (const [of, likely] of builtIn.entries())
      if (of !== said) missed[of] = (missed[of] ?? 0) + likely / texts.length
  }
  return missed
}

/**
 * How likely each class is of a text that was left, where the built-in classifier's mistakes are corrected but for what
 * went unnoticed.
 */
const likelyOfLeft = (builtIn: readonly number[], { unnoticed }: Selection): readonly number[] => {
  const said = likeliest(builtIn)
  const likely = builtIn.map((each, of) => (of === said ? 0 : each * (unnoticed[of] ?? 1)))
  likely[said] = 1 - likely.reduce((sum, each) => sum + each)
  return likely
}

export interface Taught {
  readonly learned: LearnedClassifier
  /** On how many of the newest lessons it was tested, each by a fit that had not seen it. */
  readonly tested: number
  /** Of these, how many answers were right. */
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
    tested: last.length,
    answeredRight: last.filter(isRight).length,
  }
}

/** Of no trust, the built-in classifier alone speaks. */
const asFarAs = (trust: number, { builtIn, learned }: PoolWeights): PoolWeights => ({
  builtIn: 1 - trust * (1 - builtIn),
  learned: trust * learned,
})
