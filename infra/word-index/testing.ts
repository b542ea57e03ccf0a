import { seededRandom } from '../runtime/testing.ts'
import { readTerms, type Terms } from './terms.ts'

const TITLE_WEIGHT = 3
const frequency = (counts: number): number => {
  const count = TITLE_WEIGHT * (counts >>> 6) + (counts & 63)
  return count === 0 ? 0 : 1 + Math.log(count)
}

const pairsOf = (terms: Terms): readonly (readonly [hash: number, counts: number])[] => {
  const pairs: [number, number][] = []
  readTerms(terms, (hash, counts) => pairs.push([hash, counts]))
  return pairs
}

/**
 * The cosine of every text to one of them by TF-IDF, as its definition says it: without an index. `texts` has null for
 * one that was removed.
 */
export const scoreByDefinition = (texts: readonly (Terms | null)[], asked: number): readonly number[] => {
  const counted = texts.map(terms => (terms === null ? null : pairsOf(terms)))
  const having = new Map<number, number>()
  for (const [hash] of counted.flatMap(text => text ?? [])) having.set(hash, (having.get(hash) ?? 0) + 1)
  const held = counted.filter(text => text !== null).length
  const vectors = counted.map(text => {
    if (text === null) return null
    const weighed = text.map(
      ([hash, counts]) =>
        [hash, frequency(counts) * (Math.log((1 + held) / (1 + (having.get(hash) ?? 0))) + 1)] as const,
    )
    const length = Math.hypot(...weighed.map(([, weight]) => weight))
    return new Map(weighed.map(([hash, weight]) => [hash, weight / length]))
  })
  const own = vectors[asked]
  return vectors.map(vector =>
    vector && own ? Array.from(own).reduce((sum, [hash, weight]) => sum + weight * (vector.get(hash) ?? 0), 0) : 0,
  )
}

/**
 * Made-up texts that look the same in every run: words come as they do in language, the n-th about 1/n as often as the
 * first.
 */
export const createTexts = (seed: number, vocabulary: number): (() => string) => {
  const share = seededRandom(seed)
  const word = () => `w${Math.floor(vocabulary ** share()).toString(36)}`
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  return () => `${words(3 + Math.floor(share() * 6))}.\n${words(5 + Math.floor(share() * 40))}`
}
