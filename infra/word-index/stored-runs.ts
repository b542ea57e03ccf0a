import { longEnough } from '../word-index/growing.ts'
import { createPool, insidePage } from '../word-index/pool.ts'

/** A word's number, and above it the number of its field. */
export const FIELD_SHIFT = 28
export const WORD = (1 << FIELD_SHIFT) - 1

/** The words of each text in their order, by the text's key. */
export interface StoredWords {
  readonly bytes: number
  add(entries: readonly number[]): void
  remove(key: number): void
  /** Empty for one that was removed. */
  entries(key: number): Uint32Array
}

export const createStoredWords = (): StoredWords => {
  const pool = createPool()
  let addresses = new Uint32Array(0)
  let counts = new Uint16Array(0)
  let size = 0
  return {
    get bytes() {
      return pool.bytes + addresses.byteLength + counts.byteLength
    },
    add: entries => {
      addresses = longEnough(addresses, size + 1)
      counts = longEnough(counts, size + 1)
      const address = pool.take(entries.length)
      pool.page(address).set(entries, insidePage(address))
      addresses[size] = address
      counts[size] = entries.length
      size += 1
    },
    remove: key => {
      counts[key] = 0
    },
    entries: key => {
      const address = addresses[key] ?? 0
      const begin = insidePage(address)
      return pool.page(address).subarray(begin, begin + (counts[key] ?? 0))
    },
  }
}
