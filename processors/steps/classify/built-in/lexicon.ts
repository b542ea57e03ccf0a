import { readdirSync, readFileSync } from 'node:fs'
import { type Word, wordsOf } from './words.ts'

/** What words can be about, in any language; what that means for a label, the weights say. */
export const CONCEPTS = [
  ...['fault', 'inability', 'wrong', 'loss', 'slow', 'money', 'displeasure', 'onset', 'alarm', 'others', 'not'],
  ...['wish', 'propose', 'add', 'lack', 'need', 'youcan'],
  ...['why', 'open', 'inquiry', 'sale'],
  ...['thanks', 'praise', 'chatter', 'reassure', 'business', 'success'],
]

const FOLDER = new URL('./lexicon/', import.meta.url)
/** Scripts without spaces have no words to match: their terms are found anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** A place in the tree of all terms' characters. */
interface TrieNode {
  readonly next: Map<number, TrieNode>
  /** Concepts of the terms that end here, and of those whose last word may go on. */
  readonly whole: string[]
  readonly begun: string[]
}

const trieNode = (): TrieNode => ({ next: new Map(), whole: [], begun: [] })

/** A file has a line for each concept: its name, a colon, and terms between commas. A star lets a term's last word go on. */
const readLexicon = (): TrieNode => {
  const root = trieNode()
  for (const file of readdirSync(FOLDER).toSorted()) {
    for (const line of readFileSync(new URL(file, FOLDER), 'utf8').split('\n')) {
      if (line === '') continue
      const [concept = '', terms = ''] = line.split(':')
      if (!CONCEPTS.includes(concept)) throw new TypeError(`${file} has '${concept}', which is not in CONCEPTS.`)
      for (const term of terms.split(',')) addTerm(root, term, concept)
    }
  }
  return root
}

const joined = (words: readonly Word[]): string => words.map(word => word.text).join(' ')

const addTerm = (root: TrieNode, term: string, concept: string): void => {
  const folded = joined(wordsOf(term))
  let at = root
  for (let index = 0; index < folded.length; index += 1) {
    const code = folded.charCodeAt(index)
    const known = at.next.get(code) ?? trieNode()
    at.next.set(code, known)
    at = known
  }
  const concepts = term.trim().endsWith('*') || UNSPACED.test(folded) ? at.begun : at.whole
  if (!concepts.includes(concept)) concepts.push(concept)
}

const LEXICON = readLexicon()
const SPACE = 32

type Found = (concept: string, opens: boolean, at: number) => void

/**
 * Calls `found` with the concept of each term in the text, whether a sentence starts with it, and where it stands. The longest term at a
 * place hides those inside of it: "no idea" is no idea.
 */
export const findConcepts = (words: readonly Word[], found: Found): void => {
  const flat = `${joined(words)} `
  let start = 0
  let covered = 0
  for (const { text, opens } of words) {
    const starts = UNSPACED.test(text) ? text.length : 1
    for (let offset = 0; offset < starts; offset += 1) {
      const at = start + offset
      if (at >= covered) covered = findLongest(flat, at, concept => found(concept, opens && offset === 0, at))
    }
    start += text.length + 1
  }
}

/** Finds the longest term that starts here; answers where it ends. */
const findLongest = (flat: string, start: number, found: (concept: string) => void): number => {
  let at: TrieNode | undefined = LEXICON
  let longest: readonly string[] = []
  let end = start
  for (let index = start; index < flat.length; index += 1) {
    const code = flat.charCodeAt(index)
    if (code === SPACE && at.whole.length > 0) {
      longest = end === index ? [...longest, ...at.whole] : at.whole
      end = index
    }
    at = at.next.get(code)
    if (at === undefined) break
    if (at.begun.length > 0) {
      longest = at.begun
      end = index + 1
    }
  }
  for (const concept of longest) found(concept)
  return end
}
