import type { Terms } from './terms.ts'

/** How two texts compare by their words. A word's rarity is 1 where no text has it, near 0 where all have. */
export interface WordComparison {
  /** The cosine of their TF-IDF vectors, 0 to 1; 0 for a text that was removed. */
  readonly words: number
  /**
   * How much of the one's title, its first line or sentence, the other text says somewhere: 0 to 1, by the rarity of
   * the words.
   */
  readonly titleShared: number
  /** The same of the other's title. */
  readonly otherTitleShared: number
  /** The rarities of the words that the other has not, together. */
  readonly onlyOne: number
  readonly onlyOther: number
  /** Each title has a word that the other title has not. */
  readonly titlesDiffer: boolean
}

/**
 * What it counts that one text says the other's title somewhere, against the cosine of the two: learned on the marked
 * duplicates of four trackers, on which any value from 0.3 to 0.45 finds as many.
 */
const TITLE_SHARED = 0.37
/** The most that `likeness` answers. */
export const GREATEST_LIKENESS = 1 + 2 * TITLE_SHARED

/** How likely two texts are to tell of the same, as far as their words say. */
export const likeness = ({ words, titleShared, otherTitleShared }: WordComparison): number =>
  words + TITLE_SHARED * (titleShared + otherTitleShared)

export interface WordMatch extends WordComparison {
  /** What the terms were added under. */
  readonly key: number
}

/** Finds texts that share words, of which those count that few texts have. */
export interface WordIndex {
  /** How many texts it holds, with or without words. */
  readonly texts: number
  /** How many it held that were removed: what they took is not given back. */
  readonly removed: number
  /** About how much memory it holds, in bytes. */
  readonly bytes: number
  /** Keys count up from 0, one for each call. */
  add(terms: Terms): void
  remove(key: number): void
  /**
   * At most `count`, the likest first (`likeness`); among equals the earlier key. `effort` is how many entries of its
   * lists are read.
   */
  nearest(terms: Terms, count: number, effort?: number): readonly WordMatch[]
  /** The same for a text that it holds, which is not among them. */
  nearestTo(key: number, count: number, effort?: number): readonly WordMatch[]
  /** How rare a word is: from 0, in every text, to 1, in none. */
  rarityOf(word: string): number
  /** How each of `keys` compares with a text that it holds. */
  compare(key: number, keys: readonly number[]): readonly WordComparison[]
}
