import { insidePage, longEnough } from './pool.ts'
import type { WordMatch } from './port.ts'
import { createStoredRuns } from './postings.ts'
import { MAX_BEHIND, MAX_IN_TITLE, TITLE_SHIFT } from './terms.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Weight of a word in the title, relative to the rest. */
const TITLE_WEIGHT = 3

/**
 * The weight of a word's frequency in a text, by the byte with its counts. Logarithmic, since a tenth occurrence says
 * less than the first.
 */
export const FREQUENCY_WEIGHTS: Float64Array = Float64Array.from({ length: 256 }, (_, counts) => {
  const frequency = TITLE_WEIGHT * ((counts >>> TITLE_SHIFT) & MAX_IN_TITLE) + (counts & MAX_BEHIND)
  return frequency === 0 ? 0 : 1 + Math.log(frequency)
})

/** An entry is a term's number with the counts byte lowest. */
export const COUNTS_BITS = 8
export const COUNTS = (1 << COUNTS_BITS) - 1

/** A text that is compared with others. */
export interface Compared {
  /** By term number: the term's weight in this text, and 1 when its title has the term. */
  readonly weights: Float64Array
  readonly inTitle: Uint8Array
  /** The length of the vector of weights. */
  readonly length: number
  /** Sum of the rarities of its terms, and of its title's terms. */
  readonly rarity: number
  readonly titleRarity: number
  readonly titleTerms: number
}

/**
 * Part of the highest rarity that is added to a title's sum, so that the share of a title with only frequent words
 * stays near 0.
 */
const DAMPING = 0.1

/** The words of each text, by its key; keys count from 0. */
interface StoredTexts {
  readonly bytes: number
  add(entries: readonly number[]): number
  remove(key: number): void
  /** Empty for a removed text. */
  entries(key: number): Uint32Array
  has(key: number): boolean
  /**
   * The inverse of each text's vector length, as last measured: lengths change when other texts are added. 0 for a
   * removed text.
   */
  inverses(): Float32Array
  /** Measures this text, and two texts whose measurement is oldest. */
  measure(key: number): void
  /** Compares a stored text with `one`; the stored text is the other. */
  compare(key: number, one: Compared): WordMatch
}

/** Texts measured again with each added text: all of them by the time the number has doubled. */
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
      // Read in place: a search compares with dozens of texts, and a view for each costs as much as reading.
      const address = runs.address(key)
      const page = runs.page(address)
      const begin = insidePage(address)
      const end = begin + runs.length(key)
      // Separate declarations: V8 allocates a number from a destructured array on the heap at each addition.
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
