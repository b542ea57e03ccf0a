import { stemOf } from '../text-index/dictionary.ts'
import { LONGEST_RUN } from './pool.ts'

const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** Accents, which people leave out. */
const LATIN_MARKS = /[\u0300-\u036f]/g
const ASCII = /^[\0-\x7f]*$/
export const isAscii = (text: string): boolean => ASCII.test(text)
/** Scripts that write words without spaces between them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** A name put together of words, such as `TableViewRow`, `iPhone` or `HTTPServer`. */
const COMPOUND = /[a-z][A-Z]|[A-Z]{2}[a-z]/
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
const LEAST_PART = 2

/** Each word as it is written, without accents. */
const writtenWords = (text: string): readonly string[] => {
  if (isAscii(text)) return text.match(WORD) ?? []
  // Compatible forms first; what is left of Hangul and kana is put together again, since pairs are of whole characters.
  const folded = text.normalize('NFKD').replace(LATIN_MARKS, '').normalize('NFC')
  return (folded.match(WORD) ?? []).flatMap(word => (UNSPACED.test(word) ? pairsOf(word) : [word]))
}

const pairsOf = (word: string): readonly string[] => {
  const characters = Array.from(word)
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** What counts as the same word, whatever its ending. Of a name that is put together its parts follow. */
export const wordFormsOf = (text: string): readonly string[] =>
  writtenWords(text).flatMap(word => {
    const whole = stemOf(word.toLowerCase())
    if (!COMPOUND.test(word)) return whole
    const parts = word.match(PART) ?? []
    return [whole, ...parts.filter(part => part.length >= LEAST_PART).map(part => stemOf(part.toLowerCase()))]
  })

/**
 * 32 bits of a word: FNV-1a over its UTF-16 units, mixed by murmur3's finalizer, since the low bits of FNV alone are
 * poor.
 */
export const hashWord = (word: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** The hash of one word, as an index has it; of a name that is put together, of the whole. */
export const hashOf = (word: string): number => hashWord(wordFormsOf(word)[0] ?? '') >>> 0

/**
 * The words of a text as an index takes them, 5 bytes each: a hash, little-endian, and how often the title and the rest
 * have the word.
 */
export type Terms = Uint8Array

/** What is written behind is an attachment more often than a report. */
export const READ_CHARACTERS = 2000
const TERM_BYTES = 5

/** Two bits of a byte say how often the title has a word, six how often the rest has it. */
export const TITLE_SHIFT = 6
export const MAX_IN_TITLE = 3
export const MAX_BEHIND = 63

const MAX_TITLE = 200
/** So many characters of a text tell what its title is. */
export const TITLE_CHARACTERS = MAX_TITLE + 1
const IN_TITLE = 1 << 16
/** The end of a sentence, or of the first line. */
const TITLE_END = /[\r\n]|[.!?](?=\s)|[。！？]/

/**
 * Where the title of a text ends, in characters: with its first line or sentence. 0 where that is too long to be one.
 */
export const titleLength = (text: string): number => {
  const end = text.slice(0, MAX_TITLE).search(TITLE_END)
  if (end !== -1) return end
  return text.length <= MAX_TITLE ? text.length : 0
}

/** The terms of the beginning of a text, each once. */
export const termsOf = (text: string): Terms => {
  const read = text.slice(0, READ_CHARACTERS)
  const title = titleLength(read)
  /** How often the title has a word, in the upper half of a number, and the rest in the lower. */
  const counts = new Map<number, number>()
  const count = (words: readonly string[], one: number) => {
    for (const word of words) {
      const hash = hashWord(word)
      counts.set(hash, (counts.get(hash) ?? 0) + one)
    }
  }
  count(wordFormsOf(read.slice(0, title)), IN_TITLE)
  count(wordFormsOf(read.slice(title)), 1)

  const terms = new Uint8Array(counts.size * TERM_BYTES)
  const view = new DataView(terms.buffer)
  let at = 0
  counts.forEach((count, hash) => {
    const inTitle = Math.min(count >>> 16, MAX_IN_TITLE)
    const behind = Math.min(count & (IN_TITLE - 1), MAX_BEHIND)
    view.setInt32(at, hash, true)
    view.setUint8(at + 4, (inTitle << TITLE_SHIFT) | behind)
    at += TERM_BYTES
  })
  return terms
}

/** Calls `read` with each term's hash, and the byte with its counts: with as many as an index can hold of one text. */
export const readTerms = (terms: Terms, read: (hash: number, counts: number) => void): void => {
  const view = new DataView(terms.buffer, terms.byteOffset, terms.byteLength)
  const end = Math.min(terms.byteLength, LONGEST_RUN * TERM_BYTES)
  for (let at = 0; at + TERM_BYTES <= end; at += TERM_BYTES) {
    read(view.getUint32(at, true), view.getUint8(at + TERM_BYTES - 1))
  }
}
