import type { Terms } from './terms.ts'

/** The terms that come in several texts of a workspace, in the order of their hashes, and how rare each is. */
export interface Vocabulary {
  readonly hashes: Uint32Array
  readonly rarity: Float32Array
}

/**
 * The known terms of a text, by their place in the vocabulary, and how much each counts: words and signs are of length
 * 1 each.
 */
export interface Weighed {
  readonly places: Uint32Array
  readonly values: Float32Array
}

/** Terms of fewer texts say nothing of others. */
const LEAST_TEXTS = 2
/** Of more terms, those of the most texts are kept: the bound of what is stored for a workspace. */
const MAX_TERMS = 16_384

export const vocabularyOf = (texts: readonly Terms[]): Vocabulary => {
  const counts = new Map<number, number>()
  const count = (hash: number) => counts.set(hash, (counts.get(hash) ?? 0) + 1)
  for (const { words, signs } of texts) {
    for (const hash of words.keys()) count(hash)
    for (const hash of signs) count(hash)
  }
  const several = [...counts].filter(([, texts]) => texts >= LEAST_TEXTS)
  const kept =
    several.length > MAX_TERMS
      ? several.toSorted(([one, left], [other, right]) => right - left || one - other).slice(0, MAX_TERMS)
      : several
  const hashes = Uint32Array.from(kept, ([hash]) => hash).toSorted()
  const rarity = Float32Array.from(hashes, hash => 1 + Math.log((1 + texts.length) / (1 + (counts.get(hash) ?? 0))))
  return { hashes, rarity }
}

/** TF-IDF with sublinear counts for the words; each sign counts the same. Empty where no term is known. */
export const weigh = ({ hashes, rarity }: Vocabulary, { words, signs }: Terms): Weighed => {
  const places: number[] = []
  const values: number[] = []
  let squares = 0
  for (const [hash, count] of words) {
    const place = placeOf(hashes, hash)
    if (place === -1) continue
    const value = (1 + Math.log(count)) * (rarity[place] ?? 0)
    places.push(place)
    values.push(value)
    squares += value * value
  }
  const length = Math.sqrt(squares) || 1
  for (let at = 0; at < values.length; at += 1) values[at] = (values[at] ?? 0) / length
  const known = signs.map(hash => placeOf(hashes, hash)).filter(place => place !== -1)
  for (const place of known) {
    places.push(place)
    values.push(1 / Math.sqrt(known.length))
  }
  return { places: Uint32Array.from(places), values: Float32Array.from(values) }
}

const placeOf = (hashes: Uint32Array, hash: number): number => {
  let low = 0
  let high = hashes.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = hashes[middle] ?? 0
    if (found === hash) return middle
    if (found < hash) low = middle + 1
    else high = middle - 1
  }
  return -1
}
