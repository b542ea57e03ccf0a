import { yieldToEventLoop } from '../../infra/runtime/turns.ts'
import { createBitIndex } from '../../infra/vector-index/bit-index.ts'
import { termsOf } from '../../infra/word-index/terms.ts'
import { createWordIndex } from '../../infra/word-index/word-index.ts'
import type { Pair } from './average-linkage.ts'
import type { Meanings } from './meanings.ts'
import { type Steps, stepsOf } from './steps.ts'

/** How many of the nearest of each are compared: by meaning, by words, and what is kept of both together. */
const BY_MEANING = 60
const BY_WORDS = 30
const KEPT = 40
/** What the cosine by words counts beside that by meaning. */
const WORDS_COUNT = 0.5
/** So many pairs tell what two texts have in common that have nothing to do with each other. */
const SAMPLED = 20_000
const A_TURN = 50

/**
 * The likest pairs of texts, by meaning and by words together. How alike is counted from what any two of these texts
 * have in common, in steps of how much that differs, so a bar is the same for any model.
 */
export const likestPairs = async (texts: readonly string[], meanings: Meanings): Promise<readonly Pair[]> => {
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
  const { middle, spread } = sampled(size, (one, other) =>
    likenessOf(one, other, words.compare(one, [other])[0]?.words ?? 0),
  )
  const pairs = new Map<number, Pair>()
  for (let one = 0; one < size; one += 1) {
    if (one % A_TURN === 0) await yieldToEventLoop()
    const others = new Set([
      ...near.nearest(meanings.bits(one), BY_MEANING + 1).map(({ key }) => key),
      ...words.nearestTo(one, BY_WORDS).map(({ key }) => key),
    ])
    others.delete(one)
    const keys = [...others]
    const found = words
      .compare(one, keys)
      .map((compared, at) => {
        const other = keys[at] ?? one
        return { one, other, likeness: (likenessOf(one, other, compared.words) - middle) / spread }
      })
      .toSorted((left, right) => right.likeness - left.likeness || left.other - right.other)
    for (const pair of found.slice(0, KEPT)) {
      const [first, last] = [Math.min(one, pair.other), Math.max(one, pair.other)]
      pairs.set(first * size + last, { one: first, other: last, likeness: pair.likeness })
    }
  }
  return [...pairs.values()]
}

/** Pairs that are taken evenly from all tell what any two have in common. */
const sampled = (size: number, likenessOf: (one: number, other: number) => number): Steps => {
  const all = (size * (size - 1)) / 2
  const step = Math.max(1, Math.floor(all / SAMPLED))
  return stepsOf(Float64Array.from({ length: Math.ceil(all / step) }, (_, at) => likenessOf(...pairAt(at * step))))
}

/** All pairs in an order: 0 and 1, 0 and 2, 1 and 2, 0 and 3. */
const pairAt = (at: number): readonly [number, number] => {
  const other = Math.floor((1 + Math.sqrt(1 + 8 * at)) / 2)
  return [at - (other * (other - 1)) / 2, other]
}
