import { createStoredRuns } from './number-lists.ts'
import { insidePage, longEnough } from './pool.ts'
import type { WordMatch } from './port.ts'
import { MAX_BEHIND, MAX_IN_TITLE, TITLE_SHIFT } from './terms.ts'
import type { Vocabulary } from './vocabulary.ts'

/** How much a word of the title counts against one behind it. */
const TITLE_WEIGHT = 3

/**
 * What a text's counts of a word weigh, by the byte that holds them: the logarithm, since the tenth time says less than
 * the first.
 */
export const FREQUENCY_WEIGHTS: Float64Array = Float64Array.from({ length: 256 }, (_, counts) => {
  const frequency = TITLE_WEIGHT * ((counts >>> TITLE_SHIFT) & MAX_IN_TITLE) + (counts & MAX_BEHIND)
  return frequency === 0 ? 0 : 1 + Math.log(frequency)
})

/** A term's number, and in the lowest byte how often the text has it. */
export const COUNTS_BITS = 8
export const COUNTS = (1 << COUNTS_BITS) - 1

/** A text that others are compared with. */
export interface Compared {
  /** What each term weighs in it, by the term's number, and whether its title has the term. */
  readonly weights: Float64Array
  readonly inTitle: Uint8Array
  /** Of the vector of weights. */
  readonly length: number
  /** The rarities of its terms, and of its title's, together. */
  readonly rarity: number
  readonly titleRarity: number
  readonly titleTerms: number
}

/** Keeps the share of a title whose words all say nothing near 0: a part of the highest rarity. */
const DAMPING = 0.1

/** What each text has of words, by its key: keys count up from 0. */
interface StoredTexts {
  readonly bytes: number
  add(entries: readonly number[]): number
  remove(key: number): void
  /** Empty for one that was removed. */
  entries(key: number): Uint32Array
  has(key: number): boolean
  /**
   * One divided by the length of each text's vector, as it was measured last: it changes as the others do. 0 for one
   * that was removed.
   */
  inverses(): Float32Array
  /** Measures it, and others that were measured longer ago. */
  measure(key: number): void
  /** How a text compares with one: it is the other. */
  compare(key: number, one: Compared): WordMatch
}

/**
 * With each text that is added so many others are measured again: all of them, by the time that there are twice as
 * many.
 */
const MEASURED_AGAIN = 2

export const createStoredTexts = (vocabulary: Pick<Vocabulary, 'rarities'>): StoredTexts => {
  const runs = createStoredRuns()
  const { entries } = runs
  let inverses = new Float32Array(0)
  let measuredNext = 0

  const measureOne = (key: number): void => {
    const { highest, below } = vocabulary.rarities()
    const own = entries(key)
    let squares = 0
    for (let place = 0; place < own.length; place += 1) {
      const entry = own[place] ?? 0
      const weight = (FREQUENCY_WEIGHTS[entry & COUNTS] ?? 0) * (highest - (below[entry >>> COUNTS_BITS] ?? 0))
      squares += weight * weight
    }
    inverses[key] = squares === 0 ? 0 : 1 / Math.sqrt(squares)
  }

  return {
    get bytes() {
      return runs.bytes + inverses.byteLength
    },
    add: added => {
      inverses = longEnough(inverses, runs.size + 1)
      return runs.add(added)
    },
    remove: key => {
      runs.remove(key)
      inverses[key] = 0
    },
    entries,
    has: key => runs.length(key) > 0,
    inverses: () => inverses,
    measure: key => {
      measureOne(key)
      for (let again = 0; again < MEASURED_AGAIN; again += 1) {
        measureOne(measuredNext)
        measuredNext = (measuredNext + 1) % runs.size
      }
    },
    compare: (key, { weights, inTitle, length, rarity: ownRarity, titleRarity, titleTerms }) => {
      const { highest, below } = vocabulary.rarities()
      // Read where it lies: a look-up compares with dozens, and a view of each costs as much as reading it.
      const address = runs.address(key)
      const page = runs.page(address)
      const begin = insidePage(address)
      const end = begin + runs.length(key)
      // Each declared by itself: taken out of an array, a number is put on the heap anew by each addition.
      let dot = 0
      let squares = 0
      let shared = 0
      let onlyOther = 0
      let titleShared = 0
      let otherTitleShared = 0
      let otherTitleRarity = 0
      let titleTermsShared = 0
      let otherTitleTerms = 0
      for (let at = begin; at < end; at += 1) {
        const entry = page[at] ?? 0
        const term = entry >>> COUNTS_BITS
        const rarity = highest - (below[term] ?? 0)
        const weight = (FREQUENCY_WEIGHTS[entry & COUNTS] ?? 0) * rarity
        squares += weight * weight
        const own = weights[term] ?? 0
        const isInTitle = (entry & COUNTS) > MAX_BEHIND
        if (isInTitle) {
          otherTitleTerms += 1
          otherTitleRarity += rarity
        }
        if (own === 0) {
          onlyOther += rarity
          continue
        }
        dot += weight * own
        shared += rarity
        const isInOwnTitle = inTitle[term] ?? 0
        titleShared += isInOwnTitle * rarity
        if (!isInTitle) continue
        otherTitleShared += rarity
        titleTermsShared += isInOwnTitle
      }
      const damping = DAMPING * highest
      return {
        key,
        words: dot === 0 ? 0 : dot / (Math.sqrt(squares) * length),
        titleShared: titleShared / (titleRarity + damping),
        otherTitleShared: otherTitleShared / (otherTitleRarity + damping),
        onlyOne: (ownRarity - shared) / highest,
        onlyOther: onlyOther / highest,
        titlesDiffer: titleTermsShared < titleTerms && titleTermsShared < otherTitleTerms,
      }
    },
  }
}
