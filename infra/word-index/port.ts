import type { Terms } from './terms.ts'

/** Cosines of two texts' TF-IDF vectors, 0 to 1; 0 for a text that was removed. */
export interface WordComparison {
  readonly words: number
  /** Of the titles alone: their first lines or sentences. */
  readonly titles: number
}

/** What two texts share of words, and what only one of them has. A word's rarity is 1 where no text has it, near 0 where all have. */
export interface WordOverlap {
  /** The rarity of the rarest that both have; 0 where they share none. */
  readonly rarestShared: number
  /** The rarities of those that the other has not, together. */
  readonly onlyOne: number
  readonly onlyOther: number
  readonly title: TitleRarity
  readonly otherTitle: TitleRarity
  /** Each title has a word that the other title has not. */
  readonly titlesDiffer: boolean
}

/** The rarities of a title's words together, and of those that the other text says somewhere. */
interface TitleRarity {
  readonly total: number
  readonly shared: number
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
  /** What two texts that it holds share. */
  overlap(one: number, other: number): WordOverlap
}
