import { wordsOf } from '../word-index/terms.ts'
import type { Dictionary } from './dictionary.ts'

/** What a query is read of. */
const MAX_CHARACTERS = 600
const MAX_WORDS = 30
const MAX_LETTERS = 60
/** Of one word: as many as are looked at, and as many as are looked up. */
const MAX_BEGINNINGS = 20_000
const MAX_VARIANTS = 60
const MAX_SPLITS = 3
/** How many words of a query may have an error in typing. */
const MAX_ERRORS = 3
const LEAST_WITH_ERROR = 4
/** A word that so few texts have may be one that all of them mistyped. */
const RARE = 2
const LEAST_BEGINNING = 2
const LEAST_HALF = 2
const LEAST_JOINED = 5

const EXACT = 1
const FORM = 0.9
const JOINED = 0.9
const BEGINNING = 0.6
const ERROR = 0.5

/** One word of a query, and what may stand for it in a text. */
export interface Concept {
  /** How much each word of the dictionary counts for it. */
  readonly variants: ReadonlyMap<number, number>
  /** Two words beside each other that stand for it too: "time out" for "timeout". */
  readonly splits: readonly { readonly left: ReadonlySet<number>; readonly right: ReadonlySet<number> }[]
}

export interface ParsedQuery {
  readonly concepts: readonly Concept[]
  /** Words that stand together in the query, in "quotes". A word that no text has is -1. */
  readonly phrases: readonly (readonly number[])[]
}

/** What is asked for, in words of the dictionary. `having` says how many texts have a word. */
export const readQuery = (query: string, dictionary: Dictionary, having: (term: number) => number): ParsedQuery => {
  const text = query.slice(0, MAX_CHARACTERS)
  const words = [...new Set(wordsOf(text))].slice(0, MAX_WORDS).map(word => word.slice(0, MAX_LETTERS))
  const isTyping = /[\p{L}\p{N}]$/u.test(text)
  let errors = 0
  const concepts = words.map((word, place): Concept => {
    const variants = new Map<number, number>()
    const vary = (terms: readonly number[], weight: number) => {
      for (const term of terms) if (term !== -1 && !variants.has(term)) variants.set(term, weight)
    }
    const most = (terms: readonly number[]): readonly number[] =>
      terms.length <= MAX_VARIANTS
        ? terms
        : terms.toSorted((one, other) => having(other) - having(one)).slice(0, MAX_VARIANTS)
    vary([dictionary.find(word)], EXACT)
    vary(most(dictionary.formsOf(word)), FORM)
    for (const joined of [(words[place - 1] ?? '') + word, word + (words[place + 1] ?? '')]) {
      if (joined !== word && joined.length >= LEAST_JOINED) vary(most(dictionary.formsOf(joined)), JOINED)
    }
    const found = (): number => sum([...variants.keys()].map(having))
    if (isTyping && place === words.length - 1 && word.length >= LEAST_BEGINNING) {
      vary(most(dictionary.beginningWith(word, MAX_BEGINNINGS)), BEGINNING)
    }
    const splits = splitsOf(word, dictionary, having)
    const canErr = word.length >= LEAST_WITH_ERROR && !/\p{N}/u.test(word) && errors < MAX_ERRORS
    if (canErr && found() <= RARE) {
      errors += 1
      const least = found() * 2
      vary(most(dictionary.oneErrorFrom(word).filter(term => having(term) > least)), ERROR)
    }
    return { variants, splits }
  })
  const phrases = [...text.matchAll(/"([^"]+)"/g)].flatMap(([, quoted = '']) => {
    const terms = wordsOf(quoted).map(word => dictionary.find(word))
    return terms.length === 0 ? [] : [terms]
  })
  return { concepts, phrases }
}

/** The places at which a word comes apart into two that texts have, those first whose halves are the most frequent. */
const splitsOf = (word: string, dictionary: Dictionary, having: (term: number) => number): Concept['splits'] => {
  const splits: { readonly left: readonly number[]; readonly right: readonly number[]; readonly texts: number }[] = []
  for (let place = LEAST_HALF; place <= word.length - LEAST_HALF; place += 1) {
    const left = [dictionary.find(word.slice(0, place))].filter(term => term !== -1)
    const right = dictionary.formsOf(word.slice(place))
    const texts = Math.min(sum(left.map(having)), sum(right.map(having)))
    if (texts > 0) splits.push({ left, right, texts })
  }
  return splits
    .toSorted((one, other) => other.texts - one.texts)
    .slice(0, MAX_SPLITS)
    .map(({ left, right }) => ({ left: new Set(left), right: new Set(right) }))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
