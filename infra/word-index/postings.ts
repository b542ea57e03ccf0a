import { createPool, insidePage, longEnough } from './pool.ts'

/** Lengths of a list's runs, which double up to the limit. A run's first number is the address of the next run. */
const FIRST_RUN = 4
const LAST_RUN = 2048
/** Default limit of a list's length. */
export const LONGEST_LIST = 1 << 16

/**
 * Lists of 32-bit numbers, numbered from 0. A list is a chain of runs in pages: `append` writes to its last run, and
 * starts a run of twice the length when that is full, until the list has its maximal length.
 */
interface PostingLists {
  readonly bytes: number
  /** Adds an entry, unless the list has its maximal length. */
  append(list: number, entry: number): void
  length(list: number): number
  /** Copies a list in order to the beginning of `into`, which must be long enough. */
  read(list: number, into: Uint32Array): void
}

export const createPostingLists = (longest = LONGEST_LIST): PostingLists => {
  const pool = createPool()
  let firstRun = new Uint32Array(0)
  let lastRun = new Uint32Array(0)
  let lengths = new Uint32Array(0)
  /** Used numbers of the last run, including its head, and its length. */
  let used = new Uint16Array(0)
  let runLength = new Uint16Array(0)

  const makeRoom = (list: number): void => {
    if (list < lengths.length) return
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

/** The entries of each text in order, by its key; keys count from 0. */
interface StoredRuns {
  readonly bytes: number
  /** Number of added texts. */
  readonly size: number
  /** Throws a RangeError without adding anything for more than `LONGEST_RUN` entries. */
  add(entries: ArrayLike<number>): number
  remove(key: number): void
  /** Number of a text's entries; 0 once it is removed. */
  length(key: number): number
  /** Empty for a removed text. */
  entries(key: number): Uint32Array
  /** Address of its entries; `insidePage` is where they begin in the address' page. */
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
      // Throws before anything changes.
      const address = pool.take(entries.length)
      const key = size
      size += 1
      addresses = longEnough(addresses, size)
      lengths = longEnough(lengths, size)
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

/** Keeps the best keys by score, at most `atMost`: a heap with the worst on top. */
export const createBest = (atMost: number) => {
  const keys = new Uint32Array(atMost)
  const scores = new Float32Array(atMost)
  let size = 0
  const put = (place: number, key: number, score: number) => {
    keys[place] = key
    scores[place] = score
  }
  return {
    /** Returns the score that the next key must exceed; 0 until the heap is full. */
    offer: (key: number, score: number): number => {
      let place = 0
      if (size < atMost) {
        place = size
        size += 1
        for (let above = (place - 1) >> 1; place > 0 && score < (scores[above] ?? 0); above = (place - 1) >> 1) {
          put(place, keys[above] ?? 0, scores[above] ?? 0)
          place = above
        }
      } else {
        for (let below = 1; below < size; below = 2 * place + 1) {
          if (below + 1 < size && (scores[below + 1] ?? 0) < (scores[below] ?? 0)) below += 1
          if (score <= (scores[below] ?? 0)) break
          put(place, keys[below] ?? 0, scores[below] ?? 0)
          place = below
        }
      }
      put(place, key, score)
      return size < atMost ? 0 : (scores[0] ?? 0)
    },
    keys: (): readonly number[] => Array.from(keys.subarray(0, size)),
  }
}
