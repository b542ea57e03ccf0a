import { type Dictionary, stemOf } from './dictionary.ts'
import { type Split, splitsOf, splitsWithError } from './halves.ts'
import { wordsOfQuery } from './query-words.ts'
import { isUnspaced, wordsOf } from './words.ts'

/** What a query is read of. */
const MAX_CHARACTERS = 600
/** Of one word: as many as are looked at, and as many as are looked up. */
const MAX_BEGINNINGS = 20_000
const MAX_VARIANTS = 60
/** Pairs that begin with the one character that is asked for, of a script without spaces. */
const MAX_PAIRS = 1_000
/** How many words of a query may have an error in typing. */
const MAX_ERRORS = 3
const LEAST_WITH_ERROR = 4
/** A word that so few texts have may be one that all of them mistyped: two, or one in so many. */
const RARE = 2
const RARE_ONE_IN = 10_000
/** Words that share no more than three letters may have nothing to do with each other: `mooring` and `more`. */
const LEAST_TELLING_STEM = 4
const LEAST_BEGINNING = 2
const LEAST_JOINED = 5

const EXACT = 1
const FORM = 0.9
const JOINED = 0.9
const BEGINNING = 0.6
const ERROR = 0.5
/** What a word that all texts have counts for a typing error, against one that hardly any has. */
const ERROR_OF_FREQUENT = 0.5

/** One word of a query, and what may stand for it in a text. */
export interface Concept {
  /** How much each word of the dictionary counts for it. */
  readonly variants: ReadonlyMap<number, number>
  readonly splits: readonly Split[]
}

export interface ParsedQuery {
  readonly concepts: readonly Concept[]
  /** Words that stand together in the query, in "quotes". A word that no text has is -1. */
  readonly phrases: readonly (readonly number[])[]
}

/** Whether a word and a number may be one word together, such as `utf` and `8`. */
const isNumbered = (word: string, number: string): boolean => /^\p{L}+$/u.test(word) && /^\d{1,4}$/.test(number)

/** What is asked for, in words of the dictionary. `having` says how many of the texts have a word. */
export const readQuery = (
  query: string,
  dictionary: Dictionary,
  { texts, having }: { readonly texts: number; readonly having: (term: number) => number },
): ParsedQuery => {
  const rare = Math.max(RARE, texts / RARE_ONE_IN)
  /** 0 for a word that all texts have, 1 for one that a single text has. */
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

/**
 * Without what only resembles a word: longer ones that begin with it, errors in typing, two words that stand for it.
 */
export const asWritten = ({ concepts, phrases }: ParsedQuery): ParsedQuery => ({
  phrases,
  concepts: concepts.map(({ variants }) => ({
    variants: new Map([...variants].filter(([, weight]) => weight >= FORM)),
    splits: [],
  })),
})

const HANGUL = /^\p{Script=Hangul}+$/u
/** `c++`, or its letter where no text has it with the sign. */
const exactOf = (word: string, { find }: Dictionary): string =>
  find(word) === -1 ? word.replace(/(?:\+\+|#)$/, '') : word

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
