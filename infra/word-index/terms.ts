import { stemOf } from '../text-index/dictionary.ts'
import { LONGEST_RUN } from './pool.ts'

const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** Accents, which people leave out. */
const LATIN_MARKS = /[\u0300-\u036f]/g
const ASCII = /^[\0-\x7f]*$/
export const isAscii = (text: string): boolean => ASCII.test(text)
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** A name made of several words, such as `TableViewRow`, `iPhone` or `HTTPServer`. */
const COMPOUND = /[a-z][A-Z]|[A-Z]{2}[a-z]/
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
const LEAST_PART = 2

/** The words as written, without accents. */
const writtenWords = (text: string): readonly string[] => {
  if (isAscii(text)) return text.match(WORD) ?? []
  // Compatible forms are replaced first. Hangul and kana are composed again, since pairs must be of whole characters.
  const folded = text.normalize('NFKD').replace(LATIN_MARKS, '').normalize('NFC')
  return (folded.match(WORD) ?? []).flatMap(word => (UNSPACED.test(word) ? pairsOf(word) : [word]))
}

const pairsOf = (word: string): readonly string[] => {
  const characters = Array.from(word)
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** The stems of a text's words. A compound name is followed by the stems of its parts. */
export const wordFormsOf = (text: string): readonly string[] =>
  writtenWords(text).flatMap(word => {
    const whole = stemOf(word.toLowerCase())
    if (!COMPOUND.test(word)) return whole
    const parts = word.match(PART) ?? []
    return [whole, ...parts.filter(part => part.length >= LEAST_PART).map(part => stemOf(part.toLowerCase()))]
  })

/** A 32-bit hash of a word: FNV-1a over UTF-16 units, then murmur3's finalizer, since FNV's low bits are poor. */
export const hashWord = (word: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** The hash of one word as in an index; for a compound name the hash of the whole. */
export const hashOf = (word: string): number => hashWord(wordFormsOf(word)[0] ?? '') >>> 0

/**
 * The words of a text for an index, 5 bytes each: the hash, little endian, and a byte with the counts in the title and
 * in the rest.
 */
export type Terms = Uint8Array

/** Characters of a text that are read: the rest is more often an attachment than a report. */
export const READ_CHARACTERS = 2000
const TERM_BYTES = 5

/** In the counts byte, two bits count a word in the title, and six in the rest. */
export const TITLE_SHIFT = 6
export const MAX_IN_TITLE = 3
export const MAX_BEHIND = 63

const MAX_TITLE = 200
/** Number of characters that determine the title. */
export const TITLE_CHARACTERS = MAX_TITLE + 1
const IN_TITLE = 1 << 16
/** The end of a sentence, or of the first line. */
const TITLE_END = /[\r\n]|[.!?](?=\s)|[。！？]/

/** The length of a text's title, its first line or sentence, in characters. 0 when that is too long. */
export const titleLength = (text: string): number => {
  const end = text.slice(0, MAX_TITLE).search(TITLE_END)
  if (end !== -1) return end
  return text.length <= MAX_TITLE ? text.length : 0
}

/** The distinct terms of a text's beginning. */
export const termsOf = (text: string): Terms => {
  const read = text.slice(0, READ_CHARACTERS)
  const title = titleLength(read)
  /** By hash: the count in the title in the upper half, in the rest in the lower half. */
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

/** Calls `read` with each term's hash and counts byte, for as many terms as an index holds for a text. */
export const readTerms = (terms: Terms, read: (hash: number, counts: number) => void): void => {
  const view = new DataView(terms.buffer, terms.byteOffset, terms.byteLength)
  const end = Math.min(terms.byteLength, LONGEST_RUN * TERM_BYTES)
  for (let at = 0; at + TERM_BYTES <= end; at += TERM_BYTES) {
    read(view.getUint32(at, true), view.getUint8(at + TERM_BYTES - 1))
  }
}
