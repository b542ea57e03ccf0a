import { longEnough } from './growing.ts'
import { createTermNumbers } from './term-numbers.ts'

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
  /** What `rarity` is made of, for those who ask very often: what a word that no text has says, and how much less each term says. */
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
