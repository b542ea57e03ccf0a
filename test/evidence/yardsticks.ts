/**
 * Plain methods that the product is held against; each answers, for a text of the set, the places of the others, the
 * best first.
 */
export type Ranking = (place: number, count: number) => readonly number[]

const WORD = /[\p{L}\p{N}_]+/gu
const MAX_LENGTH = 2000

interface Posting {
  readonly place: number
  readonly weight: number
}

const countWords = (text: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const [word] of text.slice(0, MAX_LENGTH).toLowerCase().matchAll(WORD))
    if (word.length > 1) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const bestOf = (scores: ReadonlyMap<number, number>, itself: number, count: number): readonly number[] =>
  [...scores]
    .filter(([place]) => place !== itself)
    .toSorted(([one, scored], [other, otherScored]) => otherScored - scored || one - other)
    .slice(0, count)
    .map(([place]) => place)

/** Ranks by the products of two weights of each word, one on the side of what is asked and one of what is found. */
const byWords = (
  texts: readonly string[],
  weigh: (counts: ReadonlyMap<string, number>, documents: ReadonlyMap<string, number>) => ReadonlyMap<string, number>,
  ask: (counts: ReadonlyMap<string, number>, documents: ReadonlyMap<string, number>) => ReadonlyMap<string, number>,
): Ranking => {
  const counted = texts.map(countWords)
  const documents = new Map<string, number>()
  for (const counts of counted) for (const word of counts.keys()) documents.set(word, (documents.get(word) ?? 0) + 1)
  const postings = new Map<string, Posting[]>()
  for (const [place, counts] of counted.entries()) {
    for (const [word, weight] of weigh(counts, documents)) {
      const known = postings.get(word)
      if (known === undefined) postings.set(word, [{ place, weight }])
      else known.push({ place, weight })
    }
  }
  return (place, count) => {
    const scores = new Map<number, number>()
    for (const [word, asked] of ask(counted[place] ?? new Map(), documents)) {
      for (const found of postings.get(word) ?? [])
        scores.set(found.place, (scores.get(found.place) ?? 0) + asked * found.weight)
    }
    return bestOf(scores, place, count)
  }
}

/** Sublinear term frequency, smoothed document frequency, cosine. */
export const tfIdf = (texts: readonly string[]): Ranking => {
  const weigh = (counts: ReadonlyMap<string, number>, documents: ReadonlyMap<string, number>) => {
    const rarity = (word: string) => Math.log((1 + texts.length) / (1 + (documents.get(word) ?? 0))) + 1
    const weights = [...counts].map(([word, times]) => [word, (1 + Math.log(times)) * rarity(word)] as const)
    const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1
    return new Map(weights.map(([word, weight]) => [word, weight / length]))
  }
  return byWords(texts, weigh, weigh)
}

const K1 = 1.2
const B = 0.75

/** Okapi BM25 with its usual constants. */
export const bm25 = (texts: readonly string[]): Ranking => {
  const lengthOf = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, times) => sum + times, 0)
  const mean = texts.reduce((sum, text) => sum + lengthOf(countWords(text)), 0) / Math.max(1, texts.length)
  return byWords(
    texts,
    (counts, documents) => {
      const norm = K1 * (1 - B + (B * lengthOf(counts)) / mean)
      return new Map(
        [...counts].map(([word, times]) => {
          const within = documents.get(word) ?? 0
          const rarity = Math.log(1 + (texts.length - within + 0.5) / (within + 0.5))
          return [word, (rarity * times * (K1 + 1)) / (times + norm)]
        }),
      )
    },
    counts => new Map([...counts.keys()].map(word => [word, 1])),
  )
}

/** By the exact cosine of unit vectors. */
export const cosine =
  (vectors: readonly Float32Array[]): Ranking =>
  (place, count) => {
    const own = vectors[place] ?? new Float32Array()
    return bestOf(new Map(vectors.entries().map(([other, vector]) => [other, dot(own, vector)])), place, count)
  }

const dot = (one: Float32Array, other: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}
