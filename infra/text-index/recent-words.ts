const PLACES_BITS = 14
const HASHED_LETTERS = 16

/** A word's slot; a later word with the same slot replaces it. */
const placeOf = (word: string): number => {
  let hash = word.length
  const end = Math.min(word.length, HASHED_LETTERS)
  for (let index = 0; index < end; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x9e3779b1)
  return (hash ^ (hash >>> 15)) & ((1 << PLACES_BITS) - 1)
}

/**
 * A cache of some thousand recently used words with their numbers, which most words of a text hit. A `Map` of hundreds
 * of thousands of words exceeds the processor's cache, and a lookup takes five times as long.
 */
export interface RecentWords {
  /** -1 for a word that is not in the cache. */
  find(word: string): number
  remember(word: string, number: number): void
}

export const createRecentWords = (): RecentWords => {
  const words: string[] = Array.from({ length: 1 << PLACES_BITS }, () => '')
  const numbers = new Int32Array(1 << PLACES_BITS).fill(-1)
  return {
    find: word => {
      const place = placeOf(word)
      return words[place] === word ? (numbers[place] ?? -1) : -1
    },
    remember: (word, number) => {
      const place = placeOf(word)
      words[place] = word
      numbers[place] = number
    },
  }
}
