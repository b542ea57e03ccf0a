import { longEnough } from './growing.ts'
import { createPool, insidePage } from './pool.ts'

/** A list grows by runs of these lengths, of which the first number is the address of the next. */
const FIRST_RUN = 4
const LAST_RUN = 2048
/** How long a list gets unless told. */
export const LONGEST_LIST = 1 << 16

/** Lists of 32-bit numbers, numbered from 0. */
export interface PostingLists {
  readonly bytes: number
  /** Adds to the end of a list, unless it is as long as a list gets. */
  append(list: number, entry: number): void
  length(list: number): number
  /** Copies a list, the first entry first, to the beginning of `into`, which has room for it. */
  read(list: number, into: Uint32Array): void
}

export const createPostingLists = (longest = LONGEST_LIST): PostingLists => {
  const pool = createPool()
  let firstRun = new Uint32Array(0)
  let lastRun = new Uint32Array(0)
  let lengths = new Uint32Array(0)
  /** How much of the last run is used, its head too, and how long it is. */
  let used = new Uint16Array(0)
  let runLength = new Uint16Array(0)

  const makeRoom = (list: number): void => {
    firstRun = longEnough(firstRun, list + 1)
    lastRun = longEnough(lastRun, list + 1)
    lengths = longEnough(lengths, list + 1)
    used = longEnough(used, list + 1)
    runLength = longEnough(runLength, list + 1)
  }
  const addRun = (list: number): void => {
    const last = lastRun[list] ?? 0
    const count = last === 0 ? FIRST_RUN : Math.min(LAST_RUN, (runLength[list] ?? 0) * 2)
    const address = pool.take(count)
    if (last === 0) firstRun[list] = address
    else pool.page(last)[insidePage(last)] = address
    lastRun[list] = address
    runLength[list] = count
    used[list] = 1
  }

  return {
    get bytes() {
      return (
        pool.bytes +
        firstRun.byteLength +
        lastRun.byteLength +
        lengths.byteLength +
        used.byteLength +
        runLength.byteLength
      )
    },
    append: (list, entry) => {
      makeRoom(list)
      const length = lengths[list] ?? 0
      if (length >= longest) return
      if (used[list] === runLength[list]) addRun(list)
      const address = lastRun[list] ?? 0
      const place = used[list] ?? 0
      pool.page(address)[insidePage(address) + place] = entry
      used[list] = place + 1
      lengths[list] = length + 1
    },
    length: list => lengths[list] ?? 0,
    read: (list, into) => {
      const length = lengths[list] ?? 0
      let address = firstRun[list] ?? 0
      let count = FIRST_RUN
      for (let read = 0; read < length; ) {
        const page = pool.page(address)
        const inside = insidePage(address)
        const entries = Math.min(count - 1, length - read)
        for (let index = 0; index < entries; index += 1) into[read + index] = page[inside + 1 + index] ?? 0
        read += entries
        address = page[inside] ?? 0
        count = Math.min(LAST_RUN, count * 2)
      }
    },
  }
}
