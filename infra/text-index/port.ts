/** Where in a text a word stands. */
export const FIELDS = ['title', 'text', 'person', 'source', 'detail'] as const
export type Field = (typeof FIELDS)[number]

export type Fields = Readonly<Partial<Record<Field, string>>>

/**
 * What is asked for: `kinds` are bits, of which a text has one. Words in their forms alone, and none that resemble
 * them, where it says so.
 */
export interface TextQuery {
  readonly text: string
  readonly kinds: number
  readonly asWritten?: boolean
}

export interface TextMatch {
  /** What the text was added under. */
  readonly key: number
  /** 0 to 1: 1 for a text that has all of the words in its title and little else. */
  readonly score: number
  /** Where most of the words stand. */
  readonly field: Field
}

/** Finds texts by words, their beginnings, their forms, and with an error in typing. */
export interface TextIndex {
  /** How many texts it holds. */
  readonly texts: number
  /** How many it held that were removed: what they took is not given back. */
  readonly removed: number
  /** How many texts were too long to be held whole: the words at their end are not found. */
  readonly cut: number
  /** About how much memory it holds, in bytes. */
  readonly bytes: number
  /**
   * Keys count up from 0, one for each call. `kind` is one bit. A text counts as newer than all that were added, or as
   * older than all of them.
   */
  add(kind: number, fields: Fields, age?: 'newest' | 'oldest'): number
  remove(key: number): void
  /** At most so many that have some of the words, the best first. */
  search(query: TextQuery, count: number): readonly TextMatch[]
  /** Those that have all of the words, the newest first and at most so many. */
  having(query: TextQuery, atMost: number): readonly number[]
}
