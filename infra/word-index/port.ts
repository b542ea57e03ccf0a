import type { Terms } from './terms.ts'

/** Cosines of two texts' TF-IDF vectors, 0 to 1; 0 for a text that was removed. */
export interface WordComparison {
  readonly words: number
  /** Of the titles alone: their first lines or sentences. */
  readonly titles: number
}

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
  /** At most `count`, the best by their words first; among equals the earlier key. `effort` is how many entries of its lists are read. */
  nearest(terms: Terms, count: number, effort?: number): readonly WordMatch[]
  /** The same for a text that it holds, which is not among them. */
  nearestTo(key: number, count: number, effort?: number): readonly WordMatch[]
  /** How each of `keys` compares with a text that it holds. */
  compare(key: number, keys: readonly number[]): readonly WordComparison[]
  /** How rare a word is among the texts: 1 for one that none has, near 0 for one that all have. */
  rarity(word: string): number
}
