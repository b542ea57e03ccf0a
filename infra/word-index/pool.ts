/** The array, or one twice as long or more with the same numbers where it is too short for so many. */
export const longEnough = <
  Numbers extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array,
>(
  numbers: Numbers,
  count: number,
): Numbers => {
  if (count <= numbers.length) return numbers
  // The constructor of a typed array makes another of its kind, which its type does not say.
  const grown = new (numbers.constructor as new (length: number) => Numbers)(Math.max(count, numbers.length * 2))
  grown.set(numbers)
  return grown
}

const PAGE_BITS = 15

/** The longest run that can be taken, in numbers. */
export const LONGEST_RUN = 1 << PAGE_BITS
const INSIDE = LONGEST_RUN - 1
/** The first page begins this small, since most workspaces are. */
const FIRST_PAGE = 512

/**
 * Numbers of 32 bits in pages: growing copies no more than the first of them. A run of them has an address, which is
 * never 0.
 */
interface Pool {
  readonly bytes: number
  /**
   * Takes so many numbers that lie beside each other, all 0. Throws a RangeError, and takes nothing, for more than
   * `LONGEST_RUN`.
   */
  take(count: number): number
  page(address: number): Uint32Array
}

/** Where in its page an address is. */
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
