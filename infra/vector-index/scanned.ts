import { type BitIndex, type Near, SIGN_WORDS } from './port.ts'
import { differingBits } from './sign-bits.ts'

const FIRST_CAPACITY = 16

/** Compares with every entry: exact, free to build, and quickest while there are few. */
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
      for (let key = 0; key < size; key += 1) {
        const distance = differingBits(bits, words, key * SIGN_WORDS)
        if (distance >= worst) continue
        let insertAt = found.length
        while (insertAt > 0 && (found[insertAt - 1]?.distance ?? 0) > distance) insertAt -= 1
        found.splice(insertAt, 0, { key, distance })
        if (found.length > count) found.pop()
        if (found.length === count) worst = found.at(-1)?.distance ?? worst
      }
      return found
    },
    save: () => false,
  }
}
