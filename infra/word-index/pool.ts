/** The array itself when it has `count` numbers, else a copy of at least twice its length. */
export const longEnough = <
  Numbers extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array,
>(
  numbers: Numbers,
  count: number,
): Numbers => {
  if (count <= numbers.length) return numbers
  // The constructor of a typed array makes another of its kind, unlike its type says.
  const grown = new (numbers.constructor as new (length: number) => Numbers)(Math.max(count, numbers.length * 2))
  grown.set(numbers)
  return grown
}

const PAGE_BITS = 15

/** Limit of a run's length, in numbers. */
export const LONGEST_RUN = 1 << PAGE_BITS
const INSIDE = LONGEST_RUN - 1
/** Size of the first page at its start: most workspaces are small. */
const FIRST_PAGE = 512

/** 32-bit numbers in pages, so that growing copies only the first page. A run has an address, never 0. */
interface Pool {
  readonly bytes: number
  /**
   * Takes a run of adjacent numbers, all 0. Throws a RangeError without taking anything for more than `LONGEST_RUN`.
   */
  take(count: number): number
  page(address: number): Uint32Array
}

/** An address' index in its page. */
export const insidePage = (address: number): number => address & INSIDE

export const createPool = (): Pool => {
  const pages: Uint32Array[] = [new Uint32Array(FIRST_PAGE)]
  let free = 1
  return {
    get bytes() {
      return ((pages[0]?.length ?? 0) + (pages.length - 1) * LONGEST_RUN) * Uint32Array.BYTES_PER_ELEMENT
    },
    take: count => {
      if (count > LONGEST_RUN) throw new RangeError(`A run has at most ${LONGEST_RUN} numbers, not ${count}.`)
      if (insidePage(free) + count > LONGEST_RUN || free === pages.length << PAGE_BITS) {
        free = pages.length << PAGE_BITS
        pages.push(new Uint32Array(LONGEST_RUN))
      }
      const address = free
      free += count
      const [first] = pages
      if (pages.length === 1 && first !== undefined) pages[0] = longEnough(first, Math.min(LONGEST_RUN, free))
      return address
    },
    page: address => pages[address >>> PAGE_BITS] ?? new Uint32Array(),
  }
}
