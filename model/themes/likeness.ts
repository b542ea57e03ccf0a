import { yieldToEventLoop } from '../../infra/runtime/yielding.ts'
import { createBitIndex } from '../../infra/vector-index/bit-index.ts'
import { termsOf } from '../../infra/word-index/terms.ts'
import { createWordIndex } from '../../infra/word-index/word-index.ts'
import type { Meanings } from './meanings.ts'
import { collectPairs, type Pairs } from './pairs.ts'
import { type Steps, stepsOf } from './steps.ts'

/** Nearest texts that are compared: by meaning, by words, and those that are kept. */
const BY_MEANING = 60
const BY_WORDS = 30
const KEPT = 40
/** Weight of the cosine by words beside the one by meaning. */
const WORDS_COUNT = 0.5
/** Pairs that show how alike unrelated texts are. */
const SAMPLED = 20_000
const A_TURN = 50

interface Likest {
  readonly pairs: Pairs
  /** Likeness of any two of the texts. */
  readonly steps: Steps
}

/**
 * The most similar pairs of texts, by meaning and words together. Likeness is measured from that of any two of these
 * texts, in steps of its spread, so that thresholds hold for any model.
 */
export const likestPairs = async (texts: readonly string[], meanings: Meanings): Promise<Likest> => {
  const size = texts.length
  const near = createBitIndex()
  const words = createWordIndex()
  for (const [at, text] of texts.entries()) {
    if (at % A_TURN === 0) await yieldToEventLoop()
    near.add([meanings.bits(at)])
    words.add(termsOf(text))
  }
  const likenessOf = (one: number, other: number, byWords: number): number =>
    meanings.cosine(one, other) + WORDS_COUNT * byWords
  const steps = sampled(size, (one, other) => likenessOf(one, other, words.compare(one, [other])[0]?.words ?? 0))
  const others = new Uint32Array(size * KEPT)
  const likenesses = new Float64Array(size * KEPT)
  const counts = new Uint8Array(size)
  for (let one = 0; one < size; one += 1) {
    if (one % A_TURN === 0) await yieldToEventLoop()
    const byMeaning = near.nearest(meanings.bits(one), BY_MEANING + 1)
    const keys = [...new Set([...byMeaning, ...words.nearestTo(one, BY_WORDS)].map(({ key }) => key))].filter(
      key => key !== one,
    )
    const likest = words
      .compare(one, keys)
      .map((compared, at) => {
        const other = keys[at] ?? one
        return { other, likeness: (likenessOf(one, other, compared.words) - steps.middle) / steps.spread }
      })
      .toSorted((left, right) => right.likeness - left.likeness || left.other - right.other)
      .slice(0, KEPT)
    counts[one] = likest.length
    for (const [at, { other, likeness }] of likest.entries()) {
      others[one * KEPT + at] = other
      likenesses[one * KEPT + at] = likeness
    }
  }
  return { pairs: eachOnce({ size, others, likenesses, counts }), steps }
}

interface Kept {
  readonly size: number
  /** Room for `KEPT` others of each text; `counts` has the number that is used. */
  readonly others: Uint32Array
  readonly likenesses: Float64Array
  readonly counts: Uint8Array
}

/** A pair that both texts kept counts once. */
const eachOnce = ({ size, others, likenesses, counts }: Kept): Pairs => {
  const pairs = collectPairs(counts.reduce((sum, count) => sum + count, 0))
  const keeps = (one: number, other: number): boolean =>
    others.subarray(one * KEPT, one * KEPT + (counts[one] ?? 0)).includes(other)
  for (let one = 0; one < size; one += 1)
    for (let at = one * KEPT; at < one * KEPT + (counts[one] ?? 0); at += 1) {
      const other = others[at] ?? 0
      if (one < other || !keeps(other, one)) pairs.add(one, other, likenesses[at] ?? 0)
    }
  return pairs.done()
}

/** Likenesses of an even sample of all pairs. */
const sampled = (size: number, likenessOf: (one: number, other: number) => number): Steps => {
  const all = (size * (size - 1)) / 2
  const step = Math.max(1, Math.floor(all / SAMPLED))
  return stepsOf(Float64Array.from({ length: Math.ceil(all / step) }, (_, at) => likenessOf(...pairAt(at * step))))
}

/** All pairs in a fixed order: 0 and 1, 0 and 2, 1 and 2, 0 and 3. */
const pairAt = (at: number): readonly [number, number] => {
  const other = Math.floor((1 + Math.sqrt(1 + 8 * at)) / 2)
  return [at - (other * (other - 1)) / 2, other]
}
