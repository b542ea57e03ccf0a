import type { Terms } from './terms.ts'

/** A comparison of two texts by words. A word's rarity is 1 when no text has it, and near 0 when all have it. */
export interface WordComparison {
  /** The cosine of their TF-IDF vectors, 0 to 1; 0 for a removed text. */
  readonly words: number
  /**
   * The share of the first text's title (its first line or sentence) that occurs in the other text, 0 to 1, weighted by
   * rarity.
   */
  readonly titleShared: number
  /** The same for the other text's title. */
  readonly otherTitleShared: number
  /** Sum of the rarities of words that only one of the texts has. */
  readonly onlyOne: number
  readonly onlyOther: number
  /** True when each title has a word that the other lacks. */
  readonly titlesDiffer: boolean
}

/**
 * Weight of shared titles against the cosine. Learned on the marked duplicates of four trackers, where any value from
 * 0.3 to 0.45 finds as many.
 */
const TITLE_SHARED = 0.37
/** Maximum of `likeness`. */
export const GREATEST_LIKENESS = 1 + 2 * TITLE_SHARED

/** How likely the texts describe the same, judged by words. */
export const likeness = ({ words, titleShared, otherTitleShared }: WordComparison): number =>
  words + TITLE_SHARED * (titleShared + otherTitleShared)

export interface WordMatch extends WordComparison {
  /** The key of the other text. */
  readonly key: number
}

/**
 * Finds texts that share rare words.
 *
 * @example
 * index.add(termsOf(text))
 * const [likest] = index.nearest(termsOf(other), 10)
 */
export interface WordIndex {
  /** Number of texts, including texts without words. */
  readonly texts: number
  /** Number of removed texts, whose memory is not freed. */
  readonly removed: number
  /** Approximate memory, bytes. */
  readonly bytes: number
  /** Adds a text under the next key; keys count from 0. */
  add(terms: Terms): void
  remove(key: number): void
  /**
   * At most `count` texts, likest first (`likeness`); of equal ones the lower key first. `effort` limits the list
   * entries that are read.
   */
  nearest(terms: Terms, count: number, effort?: number): readonly WordMatch[]
  /** The same for an indexed text, which is excluded. */
  nearestTo(key: number, count: number, effort?: number): readonly WordMatch[]
  /** A word's rarity: from 0, in every text, to 1, in none. */
  rarityOf(word: string): number
  /** Compares an indexed text with each of `keys`. */
  compare(key: number, keys: readonly number[]): readonly WordComparison[]
}
