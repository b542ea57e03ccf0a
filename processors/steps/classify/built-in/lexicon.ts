import { readdirSync, readFileSync } from 'node:fs'
import { type Word, wordsOf } from './words.ts'

/** Concepts of words, in any language. The weights say what each means for a label. */
export const CONCEPTS = [
  ...[
    'fault',
    'inability',
    'wrong',
    'loss',
    'slow',
    'money',
    'repair',
    'displeasure',
    'onset',
    'alarm',
    'others',
    'not',
  ],
  ...['wish', 'propose', 'add', 'lack', 'need', 'youcan', 'benefit', 'task'],
  ...['why', 'open', 'inquiry', 'sale', 'doubt', 'attempt', 'plea'],
  ...['thanks', 'praise', 'chatter', 'reassure', 'business', 'success'],
  ...['reproduce', 'self', 'team', 'greeting'],
]

/** Name of the line with words that begin another clause, such as "but". Such a word alone says nothing. */
export const CONTRAST = 'contrast'
/** Name of the line with the commonest words of a language, which tell languages apart. */
const COMMON = 'common'
const FOLDER = new URL('./lexicon/', import.meta.url)
/** Scripts without spaces have no words to match: their terms are found anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** Latin terms count in their own language alone: languages share words with different meanings, such as "was". */
const LATIN = /\p{Script=Latin}/u
const EVERY_LANGUAGE = -1
/** A text is also in a language that has at least this part of the common words that the best language has. */
const LEAST_SHARE_OF_MOST = 0.34

interface Meaning {
  readonly concept: string
  /** A bit for each language in which the term has this meaning. */
  languages: number
}

/** A node in the tree of all terms' characters. */
interface TrieNode {
  readonly next: Map<number, TrieNode>
  /** Meanings of terms that end here, and of terms whose last word may have an ending. */
  readonly whole: Meaning[]
  readonly begun: Meaning[]
}

const trieNode = (): TrieNode => ({ next: new Map(), whole: [], begun: [] })

interface Lexicon {
  readonly terms: TrieNode
  /** For each common word, the languages that have it. */
  readonly common: ReadonlyMap<string, number>
  readonly languageCount: number
  /** The language of each bit, by its file's name. */
  readonly languages: readonly string[]
}

/**
 * A file holds one language, or several that share no words. Each line is a concept: its name, a colon, and terms
 * between commas. A star allows any ending of a term's last word.
 */
const readLexicon = (): Lexicon => {
  const terms = trieNode()
  const common = new Map<string, number>()
  const files = readdirSync(FOLDER).toSorted()
  for (const [at, file] of files.entries()) {
    const language = 1 << at
    for (const line of readFileSync(new URL(file, FOLDER), 'utf8').split('\n')) {
      if (line === '') continue
      const [concept = '', listed = ''] = line.split(':')
      if (concept === COMMON) {
        for (const { text } of wordsOf(listed)) common.set(text, (common.get(text) ?? 0) | language)
      } else {
        if (concept !== CONTRAST && !CONCEPTS.includes(concept))
          throw new TypeError(`${file} has '${concept}', which is not in CONCEPTS.`)
        for (const term of listed.split(',')) addTerm(terms, term, concept, language)
      }
    }
  }
  return { terms, common, languageCount: files.length, languages: files.map(file => file.replace('.txt', '')) }
}

const joined = (words: readonly Word[]): string => words.map(word => word.text).join(' ')

const addTerm = (root: TrieNode, term: string, concept: string, language: number): void => {
  const folded = joined(wordsOf(term))
  let at = root
  for (let index = 0; index < folded.length; index += 1) {
    const code = folded.charCodeAt(index)
    const known = at.next.get(code) ?? trieNode()
    at.next.set(code, known)
    at = known
  }
  const meanings = term.trim().endsWith('*') || UNSPACED.test(folded) ? at.begun : at.whole
  const languages = LATIN.test(folded) ? language : EVERY_LANGUAGE
  const known = meanings.find(meaning => meaning.concept === concept)
  if (known === undefined) meanings.push({ concept, languages })
  else known.languages |= languages
}

const LEXICON = readLexicon()
const SPACE = 32

/** Languages of a text by its common words, and the likeliest of them; 0 when none is known. */
export const languagesOf = (words: readonly Word[]): { readonly languages: number; readonly likeliest: number } => {
  const counts = Array.from({ length: LEXICON.languageCount }, () => 0)
  for (const { text } of words) {
    let bits = LEXICON.common.get(text) ?? 0
    for (let at = 0; bits > 0; at += 1, bits >>>= 1) if (bits & 1) counts[at] = (counts[at] ?? 0) + 1
  }
  const most = Math.max(...counts)
  if (most === 0) return { languages: EVERY_LANGUAGE, likeliest: 0 }
  let languages = 0
  for (const [at, count] of counts.entries()) if (count >= most * LEAST_SHARE_OF_MOST) languages |= 1 << at
  return { languages, likeliest: 1 << counts.indexOf(most) }
}

/** Language tags by file. In a file with several languages the script decides. */
const TAGS: Readonly<Record<string, string>> = {
  arabic: 'ar',
  dutch: 'nl',
  english: 'en',
  french: 'fr',
  german: 'de',
  hindi: 'hi',
  italian: 'it',
  korean: 'ko',
  polish: 'pl',
  portuguese: 'pt',
  russian: 'ru',
  spanish: 'es',
  swedish: 'sv',
  turkish: 'tr',
  vietnamese: 'vi',
}
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HAN = /\p{Script=Han}/u
const HANGUL = /\p{Script=Hangul}/u

/** The likeliest language of a text by its script or its common words; null when neither tells. */
export const likeliestLanguage = (text: string): string | null => {
  const read = text.slice(0, 1_000)
  if (KANA.test(read)) return 'ja'
  if (HAN.test(read)) return 'zh'
  if (HANGUL.test(read)) return 'ko'
  const { likeliest } = languagesOf(wordsOf(read))
  const at = 31 - Math.clz32(likeliest)
  return likeliest === 0 ? null : (TAGS[LEXICON.languages[at] ?? ''] ?? null)
}

/** True when a word is among the commonest of a language. */
export const isCommonIn = (language: number, text: string): boolean =>
  ((LEXICON.common.get(text) ?? 0) & language) !== 0

/** True when a word is among the commonest of any language. */
export const isCommonWord = (word: string): boolean => LEXICON.common.has(word)

type Found = (concept: string, opens: boolean, at: number) => void

/**
 * Calls `found` for each term of these languages in the text: with its concept, with true when a sentence starts with
 * the term, and with the position of its word. The longest term at a position hides terms inside of it: "no idea" is no
 * idea. Answers the words of the found terms.
 */
export const findConcepts = (words: readonly Word[], languages: number, found: Found): ReadonlySet<string> => {
  const flat = `${joined(words)} `
  const known = new Set<string>()
  let start = 0
  let covered = 0
  let word = 0
  for (const { text, opens } of words) {
    const starts = UNSPACED.test(text) ? text.length : 1
    for (let offset = 0; offset < starts; offset += 1) {
      const at = start + offset
      if (at >= covered) {
        const { meanings, end } = longestTerm(flat, at, languages)
        for (const { concept, languages: those } of meanings) {
          if ((those & languages) !== 0) found(concept, opens && offset === 0, word)
        }
        covered = end
      }
      if (at < covered) known.add(text)
    }
    start += text.length + 1
    word += 1
  }
  return known
}

const isMeant = (meanings: readonly Meaning[], languages: number): boolean => {
  for (const { languages: those } of meanings) if ((those & languages) !== 0) return true
  return false
}

/** The longest term of these languages that starts here, with its meanings in all languages and its end. */
const longestTerm = (flat: string, start: number, languages: number) => {
  let at: TrieNode | undefined = LEXICON.terms
  let longest: readonly Meaning[] = []
  let end = start
  for (let index = start; index < flat.length; index += 1) {
    const code = flat.charCodeAt(index)
    if (code === SPACE && isMeant(at.whole, languages)) {
      longest = end === index ? [...longest, ...at.whole] : at.whole
      end = index
    }
    at = at.next.get(code)
    if (at === undefined) break
    if (isMeant(at.begun, languages)) {
      longest = at.begun
      end = index + 1
    }
  }
  return { meanings: longest, end }
}
