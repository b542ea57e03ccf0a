import { endianness } from 'node:os'
import { countDifferingBits, ENTRIES_A_BLOCK } from './differing-bits.ts'
import { type BitIndex, type Near, SIGN_WORDS, type SignBits } from './port.ts'

const BITS_A_WORD = 32
const LITTLE = endianness() === 'LE'

/** The sign bits of 1,024 numbers. */
export const signBits = (vector: Float32Array): SignBits => {
  const bits = new Uint32Array(SIGN_WORDS)
  for (let word = 0; word < SIGN_WORDS; word += 1) {
    let set = 0
    for (let bit = 0; bit < BITS_A_WORD; bit += 1) {
      set = (set << 1) | ((vector[word * BITS_A_WORD + bit] ?? 0) > 0 ? 1 : 0)
    }
    bits[word] = set
  }
  return bits
}

/**
 * Reads the bits of vectors, 128 bytes each, as PostgreSQL's `bit_send` writes them. The results share a buffer of
 * their own.
 */
export const readSignBits = (bytes: Uint8Array): readonly SignBits[] => {
  const copy = Uint8Array.from(bytes)
  if (LITTLE) Buffer.from(copy.buffer).swap32()
  const words = new Uint32Array(copy.buffer)
  return Array.from({ length: words.length / SIGN_WORDS }, (_, row) =>
    words.subarray(row * SIGN_WORDS, (row + 1) * SIGN_WORDS),
  )
}

/** The number of differing bits, of 1,024; `at` is where the second one's words begin. */
export const differingBits = (one: SignBits, other: Uint32Array, at = 0): number => {
  let count = 0
  for (let word = 0; word < SIGN_WORDS; word += 1) {
    let bits = (one[word] ?? 0) ^ (other[at + word] ?? 0)
    // Counts a word's set bits in parallel (Warren, Hacker's Delight, figure 5-2).
    bits -= (bits >>> 1) & 0x55555555
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}

const FIRST_CAPACITY = 16

/** Compares with every entry: exact, built for free, and fastest for few entries. */
export const createScannedIndex = (): BitIndex & { readonly entry: (key: number) => Uint32Array } => {
  let words = new Uint32Array(FIRST_CAPACITY * SIGN_WORDS)
  let size = 0
  return {
    get size() {
      return size
    },
    get bytes() {
      return words.byteLength
    },
    entry: key => words.subarray(key * SIGN_WORDS, (key + 1) * SIGN_WORDS),
    add: entries => {
      for (const bits of entries) {
        if ((size + 1) * SIGN_WORDS > words.length) {
          const grown = new Uint32Array(words.length * 2)
          grown.set(words)
          words = grown
        }
        words.set(bits, size * SIGN_WORDS)
        size += 1
      }
    },
    nearest: (bits, count) => {
      const found: Near[] = []
      let worst = Number.POSITIVE_INFINITY
      for (let from = 0; from < size; from += ENTRIES_A_BLOCK) {
        const end = Math.min(size, from + ENTRIES_A_BLOCK)
        const distances = countDifferingBits(bits, words.subarray(from * SIGN_WORDS, end * SIGN_WORDS))
        for (let place = 0; place < distances.length; place += 1) {
          const distance = distances[place] ?? 0
          if (distance >= worst) continue
          let insertAt = found.length
          for (; insertAt > 0; insertAt -= 1) {
            const before = found[insertAt - 1]
            if (before === undefined || before.distance <= distance) break
            found[insertAt] = before
          }
          found[insertAt] = { key: from + place, distance }
          if (found.length > count) found.pop()
          if (found.length === count) worst = found.at(-1)?.distance ?? worst
        }
      }
      return found
    },
    save: () => false,
  }
}
