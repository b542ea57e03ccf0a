/** The fields of a text. */
export const FIELDS = ['title', 'text', 'person', 'source', 'detail'] as const
export type Field = (typeof FIELDS)[number]

export type Fields = Readonly<Partial<Record<Field, string>>>

/** `kinds` is a bit set; a text has one of the bits. `asWritten` excludes words that only resemble the query's. */
export interface TextQuery {
  readonly text: string
  readonly kinds: number
  readonly asWritten?: boolean
}

export interface TextMatch {
  /** The key that the text was added under. */
  readonly key: number
  /** 0 to 1: 1 for a text with all words in its title and little else. */
  readonly score: number
  /** The field with most of the words. */
  readonly field: Field
}

/**
 * Finds texts by words, their beginnings and forms, and with a typing error.
 *
 * @example
 * const key = index.add(SIGNAL, { text: 'The export fails.' })
 * const [best] = index.search({ text: 'exports', kinds: SIGNAL }, 10)
 */
export interface TextIndex {
  /** Number of texts. */
  readonly texts: number
  /** Number of removed texts, whose memory is not freed. */
  readonly removed: number
  /** Number of texts that were cut: words at their end are not found. */
  readonly cut: number
  /** Approximate memory, bytes. */
  readonly bytes: number
  /**
   * Adds a text and returns its key, counting from 0. `kind` is a single bit. The text counts as newer than all others,
   * or as older.
   */
  add(kind: number, fields: Fields, age?: 'newest' | 'oldest'): number
  remove(key: number): void
  /** At most `count` texts with some of the words, best first. */
  search(query: TextQuery, count: number): readonly TextMatch[]
  /** At most `atMost` texts with all of the words, newest first. */
  having(query: TextQuery, atMost: number): readonly number[]
}
