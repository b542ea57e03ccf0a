import { createStoredRuns } from './number-lists.ts'
import { insidePage, longEnough } from './pool.ts'
import type { WordComparison, WordOverlap } from './port.ts'
import { MAX_BEHIND, MAX_IN_TITLE, TITLE_SHIFT } from './terms.ts'
import type { Vocabulary } from './vocabulary.ts'

/** How much a word of the title counts against one behind it. */
const TITLE_WEIGHT = 3

/** What a text's counts of a word weigh, by the byte that holds them: the logarithm, since the tenth time says less than the first. */
export const FREQUENCY_WEIGHTS: Float64Array = Float64Array.from({ length: 256 }, (_, counts) => {
  const frequency = TITLE_WEIGHT * ((counts >>> TITLE_SHIFT) & MAX_IN_TITLE) + (counts & MAX_BEHIND)
  return frequency === 0 ? 0 : 1 + Math.log(frequency)
})

/** The same for the title alone. */
export const TITLE_WEIGHTS: Float64Array = Float64Array.from({ length: 256 }, (_, counts) => {
  const frequency = (counts >>> TITLE_SHIFT) & MAX_IN_TITLE
  return frequency === 0 ? 0 : 1 + Math.log(frequency)
})

/** A term's number, and in the lowest byte how often the text has it. */
export const COUNTS_BITS = 8
export const COUNTS = (1 << COUNTS_BITS) - 1

/** What each term weighs in a text, by its number, and in the text's title; and how long the two vectors are. */
interface Weights {
  readonly words: Float64Array
  readonly titles: Float64Array
  readonly wordsLength: number
  readonly titlesLength: number
}

/** What each text has of words, by its key: keys count up from 0. */
interface StoredTexts {
  readonly bytes: number
  add(entries: readonly number[]): number
  remove(key: number): void
  /** Empty for one that was removed. */
  entries(key: number): Uint32Array
  has(key: number): boolean
  /** One divided by the length of each text's vector, as it was measured last: it changes as the others do. 0 for one that was removed. */
  inverses(): Float32Array
  /** Measures it, and others that were measured longer ago. */
  measure(key: number): void
  /** How a text compares with another one. */
  compare(key: number, other: Weights): WordComparison
  overlap(one: number, other: number): WordOverlap
}

/** With each text that is added so many others are measured again: all of them, by the time that there are twice as many. */
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
    compare: (key, { words, titles, wordsLength, titlesLength }) => {
      const { highest, below } = vocabulary.rarities()
      // Read where it lies: a look-up compares with dozens, and a view of each costs as much as reading it.
      const address = runs.address(key)
      const page = runs.page(address)
      const begin = insidePage(address)
      const end = begin + runs.length(key)
      let [dot, squares, titleDot, titleSquares] = [0, 0, 0, 0]
      for (let at = begin; at < end; at += 1) {
        const entry = page[at] ?? 0
        const term = entry >>> COUNTS_BITS
        const rarity = highest - (below[term] ?? 0)
        const weight = (FREQUENCY_WEIGHTS[entry & COUNTS] ?? 0) * rarity
        squares += weight * weight
        dot += weight * (words[term] ?? 0)
        if ((entry & COUNTS) <= MAX_BEHIND) continue
        const titleWeight = (TITLE_WEIGHTS[entry & COUNTS] ?? 0) * rarity
        titleSquares += titleWeight * titleWeight
        titleDot += titleWeight * (titles[term] ?? 0)
      }
      return { words: cosine(dot, squares, wordsLength), titles: cosine(titleDot, titleSquares, titlesLength) }
    },
    overlap: (one, other) => {
      const { highest, below } = vocabulary.rarities()
      const rarityOf = (term: number) => (highest - (below[term] ?? 0)) / highest
      const [own, others] = [countsByTerm(entries(one)), countsByTerm(entries(other))]
      const [left, right] = [onlyIn(own, others, rarityOf), onlyIn(others, own, rarityOf)]
      return {
        rarestShared: left.rarestShared,
        onlyOne: left.only,
        onlyOther: right.only,
        title: left.title,
        otherTitle: right.title,
        titlesDiffer: left.hasTitleOfItsOwn && right.hasTitleOfItsOwn,
      }
    },
  }
}

const cosine = (dot: number, squares: number, length: number): number =>
  dot === 0 ? 0 : dot / (Math.sqrt(squares) * length)

type Counts = ReadonlyMap<number, number>

const countsByTerm = (entries: Uint32Array): Counts => {
  const counts = new Map<number, number>()
  for (let at = 0; at < entries.length; at += 1)
    counts.set((entries[at] ?? 0) >>> COUNTS_BITS, (entries[at] ?? 0) & COUNTS)
  return counts
}

const isInTitle = (counts: number): boolean => counts > MAX_BEHIND

/** What one text has that another has not, and what of its title the other one says. */
const onlyIn = (own: Counts, others: Counts, rarityOf: (term: number) => number) => {
  let [only, rarestShared, total, shared] = [0, 0, 0, 0]
  let hasTitleOfItsOwn = false
  for (const [term, counts] of own) {
    const rarity = rarityOf(term)
    const otherCounts = others.get(term)
    if (otherCounts === undefined) only += rarity
    else rarestShared = Math.max(rarestShared, rarity)
    if (!isInTitle(counts)) continue
    total += rarity
    if (otherCounts !== undefined) shared += rarity
    if (otherCounts === undefined || !isInTitle(otherCounts)) hasTitleOfItsOwn = true
  }
  return { only, rarestShared, title: { total, shared }, hasTitleOfItsOwn }
}
