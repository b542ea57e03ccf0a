import { createBest, createPostingLists, LONGEST_LIST } from './number-lists.ts'
import { longEnough } from './pool.ts'
import { likeness, type WordIndex, type WordMatch } from './port.ts'
import { COUNTS, COUNTS_BITS, createStoredTexts, FREQUENCY_WEIGHTS } from './stored-texts.ts'
import { MAX_BEHIND, readTerms } from './terms.ts'
import { createVocabulary } from './vocabulary.ts'

/** How many entries of lists a look-up reads; the list of the rarest word is read in any case. */
const EFFORT = 8_000
/** How many of the best by what was read are scored exactly. */
const SCORED = 40
/** The term of a word that no text has, as an entry holds -1. */
const UNKNOWN = -1 >>> COUNTS_BITS

// Room that every look-up of every index uses, all 0 between two.
let sums = new Float32Array(0)
let touched = new Uint32Array(0)
let weightOf = new Float64Array(0)
let isInTitle = new Uint8Array(0)
const list = new Uint32Array(LONGEST_LIST)

/** Adds to the sum of each text that `list` names; answers how many texts are named so far. */
const addList = (length: number, factor: number, namedBefore: number): number => {
  const [into, names] = [sums, touched]
  let named = namedBefore
  for (let index = 0; index < length; index += 1) {
    const entry = list[index] ?? 0
    const key = entry >>> COUNTS_BITS
    const sum = into[key] ?? 0
    // Without a branch, which a processor would guess wrongly every other time: what is written stays where the count
    // moves on.
    names[named] = key
    named += Number(sum === 0)
    into[key] = sum + factor * (FREQUENCY_WEIGHTS[entry & COUNTS] ?? 0)
  }
  return named
}

/**
 * The best of the texts that are named, at most so many, by their sums over their lengths, and leaves no sum behind.
 */
const bestOf = (named: number, atMost: number, inverses: Float32Array, except: number): readonly number[] => {
  const [from, names] = [sums, touched]
  const best = createBest(atMost)
  let least = 0
  for (let index = 0; index < named; index += 1) {
    const key = names[index] ?? 0
    const score = (from[key] ?? 0) * (inverses[key] ?? 0)
    from[key] = 0
    if (score > least && key !== except) least = best.offer(key, score)
  }
  return best.keys()
}

/** A text that is looked for: what each of its terms weighs, and whether its title has the term, 1 or 0. */
interface Query {
  readonly terms: readonly number[]
  readonly weights: readonly number[]
  readonly inTitle: readonly number[]
  /** Of these and of the words that no text has: the length of the vector, and rarities together. */
  readonly length: number
  readonly rarity: number
  readonly titleRarity: number
  readonly titleTerms: number
}

/**
 * An inverted index in memory, with each text's own words beside it. A look-up reads the lists of the rarest words, as
 * many as `effort` allows, and scores the best of what they name by all words. That is exact where the lists are short,
 * and bounded where they are not.
 */
export const createWordIndex = (): WordIndex => {
  const vocabulary = createVocabulary()
  const texts = createStoredTexts(vocabulary)
  const postings = createPostingLists()
  let added = 0
  let removed = 0

  const queryOf = (entries: ArrayLike<number>): Query => {
    const terms: number[] = []
    const weights: number[] = []
    const inTitle: number[] = []
    let squares = 0
    let raritySum = 0
    let titleRarity = 0
    let titleTerms = 0
    for (let place = 0; place < entries.length; place += 1) {
      const entry = entries[place] ?? 0
      const term = entry >>> COUNTS_BITS
      const counts = entry & COUNTS
      const rarity = vocabulary.rarity(term)
      const weight = (FREQUENCY_WEIGHTS[counts] ?? 0) * rarity
      const isTitle = Number(counts > MAX_BEHIND)
      squares += weight * weight
      raritySum += rarity
      titleRarity += isTitle * rarity
      titleTerms += isTitle
      if (term === UNKNOWN) continue
      terms.push(term)
      weights.push(weight)
      inTitle.push(isTitle)
    }
    return { terms, weights, inTitle, length: Math.sqrt(squares), rarity: raritySum, titleRarity, titleTerms }
  }

  /** Adds up what the lists of the rarest words say; answers how many texts they name, which `touched` has. */
  const addUp = ({ terms, weights }: Query, effort: number): number => {
    const rarestFirst = terms
      .map((_, place) => place)
      .sort((one, other) => vocabulary.having(terms[one] ?? 0) - vocabulary.having(terms[other] ?? 0))
    sums = longEnough(sums, added)
    let read = 0
    let named = 0
    for (const place of rarestFirst) {
      const term = terms[place] ?? 0
      const length = postings.length(term)
      if (read > 0 && read + length > effort) break
      read += length
      postings.read(term, list)
      touched = longEnough(touched, named + length + 1)
      named = addList(length, (weights[place] ?? 0) * vocabulary.rarity(term), named)
    }
    return named
  }
  const compareAll = (query: Query, keys: readonly number[]): readonly WordMatch[] => {
    const { terms, weights, inTitle } = query
    weightOf = longEnough(weightOf, vocabulary.terms)
    isInTitle = longEnough(isInTitle, vocabulary.terms)
    for (let place = 0; place < terms.length; place += 1) {
      const term = terms[place] ?? 0
      weightOf[term] = weights[place] ?? 0
      isInTitle[term] = inTitle[place] ?? 0
    }
    const one = { ...query, weights: weightOf, inTitle: isInTitle }
    const matches = keys.map(key => texts.compare(key, one))
    for (const term of terms) {
      weightOf[term] = 0
      isInTitle[term] = 0
    }
    return matches
  }
  const find = (query: Query, count: number, effort: number, except: number): readonly WordMatch[] => {
    const named = addUp(query, effort)
    const keys = bestOf(named, Math.max(SCORED, 2 * count), texts.inverses(), except)
    return compareAll(query, keys)
      .toSorted((one, other) => likeness(other) - likeness(one) || one.key - other.key)
      .slice(0, count)
  }

  return {
    get texts() {
      return added - removed
    },
    get removed() {
      return removed
    },
    get bytes() {
      return vocabulary.bytes + texts.bytes + postings.bytes
    },
    add: given => {
      const terms: number[] = []
      const entries: number[] = []
      readTerms(given, (hash, counts) => {
        const term = vocabulary.findOrAdd(hash)
        terms.push(term)
        entries.push((term << COUNTS_BITS) | counts)
        postings.append(term, (added << COUNTS_BITS) | counts)
      })
      if (terms.length > 0) vocabulary.addText(terms)
      texts.measure(texts.add(entries))
      added += 1
    },
    remove: key => {
      if (!texts.has(key)) return
      removed += 1
      vocabulary.removeText(Array.from(texts.entries(key), entry => entry >>> COUNTS_BITS))
      texts.remove(key)
    },
    nearest: (given, count, effort = EFFORT) => {
      const entries: number[] = []
      readTerms(given, (hash, counts) => entries.push((vocabulary.find(hash) << COUNTS_BITS) | counts))
      return find(queryOf(entries), count, effort, -1)
    },
    nearestTo: (key, count, effort = EFFORT) => find(queryOf(texts.entries(key)), count, effort, key),
    compare: (key, keys) => compareAll(queryOf(texts.entries(key)), keys),
  }
}
