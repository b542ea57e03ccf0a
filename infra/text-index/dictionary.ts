import { createRecentWords, type RecentWords } from './recent-words.ts'

const LEAST_STEM = 4
const VOWEL = /[aeiouy]/
const DOUBLED = /([b-df-hjkmnpqrtvwxz])\1$/
const LATIN = /^[a-z]+$/

/** A word without its ending; null when too little would be left. */
const withoutEnding = (word: string, ending: string, least: number): string | null => {
  if (!word.endsWith(ending)) return null
  const rest = word.slice(0, -ending.length)
  return rest.length >= least && VOWEL.test(rest) ? rest : null
}

const singular = (word: string): string => {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word
  return word.endsWith('ies') && word.length > LEAST_STEM ? `${word.slice(0, -3)}y` : word.slice(0, -1)
}

/**
 * The common part of a word's forms: `exports`, `exported` and `exporting` share `export`. A light stemmer for words of
 * Latin letters, by the endings that English, Romance languages and German add to nouns and verbs. The stem need not be
 * a word.
 */
export const stemOf = (word: string): string => {
  if (word.length < LEAST_STEM || !LATIN.test(word)) return word
  const one = singular(word)
  const bare =
    withoutEnding(one, 'ing', 3) ?? withoutEnding(one, 'ed', 3) ?? withoutEnding(one, 'en', LEAST_STEM) ?? one
  const undoubled = bare === one ? bare : bare.replace(DOUBLED, '$1')
  // `update` and `updating`, `crash` and `crashes`; `singular` unites `query` and `queries`.
  return undoubled.length >= LEAST_STEM && undoubled.endsWith('e') ? undoubled.slice(0, -1) : undoubled
}

/** Limit of unsorted words: a search by beginning reads them one by one. */
const UNSORTED = 500
const UNSORTED_SHARE = 0.1
/** A smaller map fits mostly into the processor's cache. */
const LEAST_FOR_RECENT = 4096
/** Limit of letters for correcting typing errors. */
const MAX_LETTERS = 96
/** Approximate memory of a word besides its letters: two map entries and a place in the sorted list. */
const WORD_BYTES = 120

/** The words of an index' texts, numbered from 0. */
export interface Dictionary {
  readonly size: number
  readonly bytes: number
  /** -1 for a word that no text has. */
  find(word: string): number
  findOrAdd(word: string): number
  /** The forms of a word in texts, including the word itself. */
  formsOf(word: string): readonly number[]
  /** At most `atMost` words with this beginning, in no order. */
  beginningWith(prefix: string, atMost: number): readonly number[]
  /**
   * The forms of words that differ from this one by one typing error: a letter added, missing or wrong, or two swapped.
   */
  oneErrorFrom(word: string): readonly number[]
}

export const createDictionary = (): Dictionary => {
  const numbers = new Map<string, number>()
  /** By stem: the words that differ from their stem. Most words, and all with digits, are their own stem. */
  const forms = new Map<string, number[]>()
  const letters = new Set<string>()
  const latinLetters = new Set<string>()
  let words: string[] = []
  let sorted: string[] = []
  let recent: RecentWords | null = null
  let length = 0

  const sort = (): void => {
    const added = words.toSorted()
    words = []
    const merged: string[] = []
    let place = 0
    for (const word of sorted) {
      for (; place < added.length && (added[place] ?? '') < word; place += 1) merged.push(added[place] ?? '')
      merged.push(word)
    }
    for (; place < added.length; place += 1) merged.push(added[place] ?? '')
    sorted = merged
  }
  const numberOf = (word: string): number => numbers.get(word) ?? -1
  const formsOf = (word: string): readonly number[] => {
    const stem = stemOf(word)
    const [own, others = []] = [numbers.get(stem), forms.get(stem)]
    return own === undefined ? others : [own, ...others]
  }

  const add = (word: string): number => {
    const number = numbers.size
    numbers.set(word, number)
    length += word.length
    const stem = stemOf(word)
    if (stem !== word) {
      const same = forms.get(stem)
      if (same === undefined) forms.set(stem, [number])
      else same.push(number)
    }
    if (letters.size < MAX_LETTERS) {
      for (const letter of word) {
        letters.add(letter)
        if (LATIN.test(letter)) latinLetters.add(letter)
      }
    }
    words.push(word)
    if (words.length > UNSORTED + sorted.length * UNSORTED_SHARE) sort()
    return number
  }

  return {
    get size() {
      return numbers.size
    },
    get bytes() {
      return numbers.size * WORD_BYTES + length * 2
    },
    find: numberOf,
    findOrAdd: word => {
      const known = recent?.find(word) ?? -1
      if (known !== -1) return known
      const number = numbers.get(word) ?? add(word)
      if (numbers.size >= LEAST_FOR_RECENT) recent ??= createRecentWords()
      recent?.remember(word, number)
      return number
    },
    formsOf,
    beginningWith: (prefix, atMost) => {
      const found: number[] = []
      let [from, to] = [0, sorted.length]
      while (from < to) {
        const middle = (from + to) >> 1
        if ((sorted[middle] ?? '') < prefix) from = middle + 1
        else to = middle
      }
      for (; found.length < atMost && sorted[from]?.startsWith(prefix); from += 1)
        found.push(numberOf(sorted[from] ?? ''))
      for (const word of words) if (found.length < atMost && word.startsWith(prefix)) found.push(numberOf(word))
      return found
    },
    oneErrorFrom: word => {
      const found = new Set<number>()
      const own = new Set(formsOf(word))
      for (const edited of editsOf(word, LATIN.test(word) ? latinLetters : letters)) {
        for (const form of formsOf(edited)) if (!own.has(form)) found.add(form)
      }
      return [...found]
    },
  }
}

/** Every word with one error: about (2 n + 1) × letters + 2 n. */
function* editsOf(word: string, letters: ReadonlySet<string>): Generator<string> {
  const characters = Array.from(word)
  for (let place = 0; place <= characters.length; place += 1) {
    const before = characters.slice(0, place).join('')
    const here = characters[place]
    const next = characters[place + 1]
    const behind = characters.slice(place + 1).join('')
    if (here !== undefined) yield before + behind
    if (here !== undefined && next !== undefined) yield before + next + here + characters.slice(place + 2).join('')
    for (const letter of letters) {
      yield before + letter + (here ?? '') + behind
      if (here !== undefined && letter !== here) yield before + letter + behind
    }
  }
}
