import { longEnough } from './pool.ts'

const FIRST_CAPACITY = 256
/** Limit of occupied slots: each search ends at a free slot. */
const FULL_AT = 0.6

/** Numbers hashes from 0 in order of appearance. */
interface TermNumbers {
  readonly size: number
  readonly bytes: number
  /** -1 for an unknown hash. */
  find(hash: number): number
  findOrAdd(hash: number): number
}

/** Open addressing with linear probing: 8 bytes a slot, a tenth of a `Map`. */
const createTermNumbers = (): TermNumbers => {
  let hashes = new Uint32Array(FIRST_CAPACITY)
  /** The number plus 1; 0 for a free slot. */
  let numbers = new Uint32Array(FIRST_CAPACITY)
  let size = 0

  const placeOf = (hash: number): number => {
    const mask = hashes.length - 1
    let place = hash & mask
    while (numbers[place] !== 0 && hashes[place] !== hash) place = (place + 1) & mask
    return place
  }
  const grow = (): void => {
    const [oldHashes, oldNumbers] = [hashes, numbers]
    hashes = new Uint32Array(oldHashes.length * 2)
    numbers = new Uint32Array(oldNumbers.length * 2)
    for (const [old, number] of oldNumbers.entries()) {
      if (number === 0) continue
      const hash = oldHashes[old] ?? 0
      const place = placeOf(hash)
      hashes[place] = hash
      numbers[place] = number
    }
  }

  return {
    get size() {
      return size
    },
    get bytes() {
      return hashes.byteLength + numbers.byteLength
    },
    find: hash => (numbers[placeOf(hash)] ?? 0) - 1,
    findOrAdd: hash => {
      const place = placeOf(hash)
      const known = numbers[place] ?? 0
      if (known !== 0) return known - 1
      hashes[place] = hash
      size += 1
      numbers[place] = size
      if (size > hashes.length * FULL_AT) grow()
      return size - 1
    },
  }
}

/** The words of texts, with the number of texts that have each. */
export interface Vocabulary {
  /** Number of texts. */
  readonly texts: number
  readonly terms: number
  readonly bytes: number
  /** The term's number; -1 for a hash that no text had. */
  find(hash: number): number
  findOrAdd(hash: number): number
  /** Adds one text, with each of its terms once. */
  addText(terms: readonly number[]): void
  removeText(terms: readonly number[]): void
  having(term: number): number
  /**
   * ln((1 + texts) / (1 + having)) + 1, the smooth inverse document frequency: even a word in all texts counts a
   * little.
   */
  rarity(term: number): number
  /** The parts of `rarity`, for frequent use: the rarity of a word in no text, and the reduction for each term. */
  rarities(): { readonly highest: number; readonly below: Float32Array }
}

export const createVocabulary = (): Vocabulary => {
  const numbers = createTermNumbers()
  let having = new Uint32Array(0)
  let below = new Float32Array(0)
  let texts = 0
  let highest = 1
  const change = (terms: readonly number[], by: 1 | -1): void => {
    texts += by
    highest = Math.log(1 + texts) + 1
    having = longEnough(having, numbers.size)
    below = longEnough(below, numbers.size)
    for (const term of terms) {
      const count = (having[term] ?? 0) + by
      having[term] = count
      below[term] = Math.log(1 + count)
    }
  }
  return {
    get texts() {
      return texts
    },
    get terms() {
      return numbers.size
    },
    get bytes() {
      return numbers.bytes + having.byteLength + below.byteLength
    },
    find: numbers.find,
    findOrAdd: numbers.findOrAdd,
    addText: terms => change(terms, 1),
    removeText: terms => change(terms, -1),
    having: term => having[term] ?? 0,
    rarities: () => ({ highest, below }),
    rarity: term => highest - (term < 0 ? 0 : (below[term] ?? 0)),
  }
}
