import { longEnough } from './pool.ts'

const FIRST_CAPACITY = 256
/** How full it may get: a look at a free place ends each search. */
const FULL_AT = 0.6

/** Numbers hashes from 0 in the order in which they come. */
interface TermNumbers {
  readonly size: number
  readonly bytes: number
  /** -1 for a hash that has none. */
  find(hash: number): number
  findOrAdd(hash: number): number
}

/** Open addressing with linear probing: 8 bytes a place, a tenth of what a `Map` takes. */
const createTermNumbers = (): TermNumbers => {
  let hashes = new Uint32Array(FIRST_CAPACITY)
  /** The number and 1; 0 where a place is free. */
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

/** The words that texts have, and how many of the texts have each. */
export interface Vocabulary {
  /** How many texts there are. */
  readonly texts: number
  readonly terms: number
  readonly bytes: number
  /** The term's number; -1 for a hash that no text had yet. */
  find(hash: number): number
  findOrAdd(hash: number): number
  /** Of one text: each of its terms, once. */
  addText(terms: readonly number[]): void
  removeText(terms: readonly number[]): void
  having(term: number): number
  /** How much a term says: ln((1 + texts) / (1 + having)) + 1, so that a word of all texts counts a little. */
  rarity(term: number): number
  /**
   * What `rarity` is made of, for those who ask very often: what a word that no text has says, and how much less each
   * term says.
   */
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
