import { wordsOf } from '../word-index/terms.ts'
import { type Dictionary, stemOf } from './dictionary.ts'

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
/** A word that so few texts have may be one that all of them mistyped: two, or one in so many. */
const RARE = 2
const RARE_ONE_IN = 10_000
/** Words that share no more than three letters may have nothing to do with each other: `mooring` and `more`. */
const LEAST_TELLING_STEM = 4
const LEAST_BEGINNING = 2
const LEAST_HALF = 2
const LEAST_HALF_WITH_ERROR = 3
const LEAST_JOINED = 5

const EXACT = 1
const FORM = 0.9
const JOINED = 0.9
const BEGINNING = 0.6
const ERROR = 0.5
/** What a word that all texts have counts for a typing error, against one that hardly any has. */
const ERROR_OF_FREQUENT = 0.5

/** Two words beside each other that stand for one: "time out" for "timeout". */
interface Split {
  readonly left: ReadonlySet<number>
  readonly right: ReadonlySet<number>
}

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
    const exact = dictionary.find(word)
    const forms = dictionary.formsOf(word)
    const formsTell = exact !== -1 || stemOf(word).length >= LEAST_TELLING_STEM
    vary([exact], EXACT)
    if (formsTell) vary(most(forms), FORM)
    for (const joined of [(words[place - 1] ?? '') + word, word + (words[place + 1] ?? '')]) {
      if (joined !== word && joined.length >= LEAST_JOINED) vary(most(dictionary.formsOf(joined)), JOINED)
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
    if (variants.size === 0 && splits.length === 0) splits.push(...splitsWithError(word, dictionary, having))
    return { variants, splits }
  })
  const phrases = [...text.matchAll(/"([^"]+)"/g)].flatMap(([, quoted = '']) => {
    const terms = wordsOf(quoted).map(word => dictionary.find(word))
    return terms.length === 0 ? [] : [terms]
  })
  return { concepts, phrases }
}

interface Halves {
  readonly left: readonly number[]
  readonly right: readonly number[]
}

/** The halves that some text has, those first that the most have. */
const mostFrequent = (halves: readonly Halves[], having: (term: number) => number): Split[] =>
  halves
    .map(({ left, right }) => ({ left, right, texts: Math.min(sum(left.map(having)), sum(right.map(having))) }))
    .filter(({ texts }) => texts > 0)
    .toSorted((one, other) => other.texts - one.texts)
    .slice(0, MAX_SPLITS)
    .map(({ left, right }) => ({ left: new Set(left), right: new Set(right) }))

/** A word in two, at each place that leaves as many letters on both sides. */
const halvesOf = (word: string, least: number): readonly (readonly [left: string, right: string])[] =>
  Array.from({ length: Math.max(0, word.length - 2 * least + 1) }, (_, place) => [
    word.slice(0, place + least),
    word.slice(place + least),
  ])

/**
 * The places at which a word comes apart into two that texts have. The first half counts in all its forms ("timed out")
 * where no text has the word itself: each word of a sentence is asked.
 */
const splitsOf = (word: string, { find, formsOf }: Dictionary, having: (term: number) => number): Split[] => {
  const isKnown = find(word) !== -1
  const formsOfLeft = (left: string) => (isKnown ? [find(left)].filter(term => term !== -1) : formsOf(left))
  return mostFrequent(
    halvesOf(word, LEAST_HALF).map(([left, right]) => ({ left: formsOfLeft(left), right: formsOf(right) })),
    having,
  )
}

/** The same where one error was made in either half, or the letters that meet there were swapped. */
const splitsWithError = (
  word: string,
  { formsOf, oneErrorFrom }: Dictionary,
  having: (term: number) => number,
): Split[] => {
  const halves = halvesOf(word, LEAST_HALF_WITH_ERROR).flatMap(([left, right]): Halves[] => {
    const [ofLeft, ofRight] = [formsOf(left), formsOf(right)]
    return [
      { left: ofLeft, right: ofLeft.length === 0 ? [] : oneErrorFrom(right) },
      { left: ofRight.length === 0 ? [] : oneErrorFrom(left), right: ofRight },
      { left: formsOf(left.slice(0, -1) + right.slice(0, 1)), right: formsOf(left.slice(-1) + right.slice(1)) },
    ]
  })
  return mostFrequent(halves, having)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
