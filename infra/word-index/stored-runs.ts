import { longEnough } from './growing.ts'
import { createPool, insidePage } from './pool.ts'

/** The entries of each text in their order, by the text's key: keys count up from 0. */
export interface StoredRuns {
  readonly bytes: number
  /** How many were added. */
  readonly size: number
  add(entries: readonly number[]): number
  remove(key: number): void
  /** How many entries a text has: 0 once it is removed. */
  length(key: number): number
  /** Empty for one that was removed. */
  entries(key: number): Uint32Array
  /** Where its entries lie: `insidePage` says where in the page of that address they begin. */
  address(key: number): number
  page(address: number): Uint32Array
}

export const createStoredRuns = (): StoredRuns => {
  const pool = createPool()
  let addresses = new Uint32Array(0)
  let lengths = new Uint16Array(0)
  let size = 0
  return {
    get bytes() {
      return pool.bytes + addresses.byteLength + lengths.byteLength
    },
    get size() {
      return size
    },
    add: entries => {
      const key = size
      size += 1
      addresses = longEnough(addresses, size)
      lengths = longEnough(lengths, size)
      const address = pool.take(entries.length)
      pool.page(address).set(entries, insidePage(address))
      addresses[key] = address
      lengths[key] = entries.length
      return key
    },
    remove: key => {
      lengths[key] = 0
    },
    length: key => lengths[key] ?? 0,
    entries: key => {
      const address = addresses[key] ?? 0
      const begin = insidePage(address)
      return pool.page(address).subarray(begin, begin + (lengths[key] ?? 0))
    },
    address: key => addresses[key] ?? 0,
    page: pool.page,
  }
}
