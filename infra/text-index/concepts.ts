import { type Dictionary, stemOf } from './dictionary.ts'
import { type Split, splitsOf, splitsWithError } from './halves.ts'
import { wordsOfQuery } from './query-words.ts'
import { isUnspaced, wordsOf } from './words.ts'

/** Characters of a query that are read. */
const MAX_CHARACTERS = 600
/** Limits for a word: words that are read with its beginning, and words that are looked up. */
const MAX_BEGINNINGS = 20_000
const MAX_VARIANTS = 60
/** Pairs that begin with a single character of a query, in scripts without spaces. */
const MAX_PAIRS = 1_000
/** Words of a query that may have a typing error. */
const MAX_ERRORS = 3
const LEAST_WITH_ERROR = 4
/** A word in so few texts may be a typing error in all of them: in two, or in one of 10,000. */
const RARE = 2
const RARE_ONE_IN = 10_000
/** Words that share three letters or fewer may be unrelated: `mooring` and `more`. */
const LEAST_TELLING_STEM = 4
const LEAST_BEGINNING = 2
const LEAST_JOINED = 5

const EXACT = 1
const FORM = 0.9
const JOINED = 0.9
const BEGINNING = 0.6
const ERROR = 0.5
/** Weight of a frequent word as a correction of a typing error, relative to a rare one. */
const ERROR_OF_FREQUENT = 0.5

/** A word of a query, with the words that may stand for it in a text. */
export interface Concept {
  /** The weight of each dictionary word. */
  readonly variants: ReadonlyMap<number, number>
  readonly splits: readonly Split[]
}

export interface ParsedQuery {
  readonly concepts: readonly Concept[]
  /** Words in "quotes" in the query, which must stand together. -1 for a word that no text has. */
  readonly phrases: readonly (readonly number[])[]
}

/** True when a word and a number may be one word, such as `utf` and `8`. */
const isNumbered = (word: string, number: string): boolean => /^\p{L}+$/u.test(word) && /^\d{1,4}$/.test(number)

/** Reads a query in words of the dictionary. `having` returns the number of texts with a word. */
export const readQuery = (
  query: string,
  dictionary: Dictionary,
  { texts, having }: { readonly texts: number; readonly having: (term: number) => number },
): ParsedQuery => {
  const rare = Math.max(RARE, texts / RARE_ONE_IN)
  /** From 0 for a word in all texts to 1 for a word in a single text. */
  const rarityOf = (term: number): number => 1 - Math.log(1 + having(term)) / Math.log(2 + texts)
  const text = query.slice(0, MAX_CHARACTERS)
  const queried = wordsOfQuery(text)
  const words = queried.map(({ word }) => word)
  const isTyping = /[\p{L}\p{N}]$/u.test(text)
  let errors = 0
  const concepts = queried.map(({ word, signed, joined }, place): Concept => {
    const variants = new Map<number, number>()
    const vary = (terms: readonly number[], weight: number) => {
      for (const term of terms) if (term !== -1 && !variants.has(term)) variants.set(term, weight)
    }
    const most = (terms: readonly number[], count = MAX_VARIANTS): readonly number[] =>
      terms.length <= count ? terms : terms.toSorted((one, other) => having(other) - having(one)).slice(0, count)
    if (signed !== null) vary([dictionary.find(signed)], EXACT)
    const isPlain = variants.size === 0
    const exact = dictionary.find(exactOf(word, dictionary))
    const forms = dictionary.formsOf(word)
    const formsTell = exact !== -1 || stemOf(word).length >= LEAST_TELLING_STEM
    vary([exact], isPlain ? EXACT : FORM)
    if (isUnspaced(word) && Array.from(word).length === 1)
      vary(most(dictionary.beginningWith(word, MAX_BEGINNINGS), MAX_PAIRS), EXACT)
    // Particles follow a noun without a space.
    if (HANGUL.test(word))
      vary(most(dictionary.beginningWith(word, MAX_BEGINNINGS)), word.length > 1 ? FORM : BEGINNING)
    if (formsTell) vary(most(forms), FORM)
    for (const one of joined) vary(most(dictionary.formsOf(one)), JOINED)
    const [left = '', right = ''] = [words[place - 1], words[place + 1]]
    for (const [one, other] of [
      [left, word],
      [word, right],
    ] as const) {
      const isLong = one.length + other.length >= LEAST_JOINED
      if (one !== '' && other !== '' && (isLong || isNumbered(one, other)))
        vary(most(dictionary.formsOf(one + other)), JOINED)
    }
    const found = (): number => sum([...variants.keys()].map(having))
    const least = found() * 2
    if (isTyping && place === words.length - 1 && word.length >= LEAST_BEGINNING) {
      vary(most(dictionary.beginningWith(word, MAX_BEGINNINGS)), BEGINNING)
    }
    const splits = splitsOf(word, dictionary, having)
    const canErr = word.length >= LEAST_WITH_ERROR && !/\p{N}/u.test(word) && errors < MAX_ERRORS
    if (!canErr || found() > rare) {
      vary(most(forms), FORM)
      return { variants, splits }
    }
    errors += 1
    const corrected = [...(formsTell ? [] : forms), ...dictionary.oneErrorFrom(word)]
    for (const term of most(corrected.filter(each => having(each) > least)))
      vary([term], ERROR * (ERROR_OF_FREQUENT + (1 - ERROR_OF_FREQUENT) * rarityOf(term)))
    if (splits.length === 0 && found() <= rare) splits.push(...splitsWithError(word, dictionary, having))
    return { variants, splits }
  })
  const phrases = [...text.matchAll(/"([^"]+)"/g)].flatMap(([, quoted = '']) => {
    const terms = wordsOf(quoted).map(word => dictionary.find(word))
    return terms.length === 0 ? [] : [terms]
  })
  return { concepts, phrases }
}

/** The query without words that only resemble: longer words, corrections of typing errors, two words for one. */
export const asWritten = ({ concepts, phrases }: ParsedQuery): ParsedQuery => ({
  phrases,
  concepts: concepts.map(({ variants }) => ({
    variants: new Map([...variants].filter(([, weight]) => weight >= FORM)),
    splits: [],
  })),
})

const HANGUL = /^\p{Script=Hangul}+$/u
/** `c++`, or without its sign where no text has it. */
const exactOf = (word: string, { find }: Dictionary): string =>
  find(word) === -1 ? word.replace(/(?:\+\+|#)$/, '') : word

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
