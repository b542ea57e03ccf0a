import { createReadStream } from 'node:fs'
import { nullWhereMissing } from '../runtime/errors.ts'

/** Pairs of bytes index a table of all pairs. */
const PAIR_BYTES = 2
const PAIRS = 65_536

/** Counts occurrences of several byte strings in data that comes in pieces of any length. */
export interface ByteSearch {
  /** The number of occurrences of each string, in the order in which they were given. */
  count(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<readonly number[]>
}

/**
 * Searches for all strings at once, in about one step for each `shortest` bytes: S. Wu and U. Manber, "A fast algorithm
 * for multi-pattern searching" (1994), with pairs of bytes. Throws for a string of fewer than two bytes.
 */
export const createByteSearch = (strings: readonly Uint8Array[]): ByteSearch => {
  const shortest = Math.min(...strings.map(({ length }) => length))
  const longest = Math.max(...strings.map(({ length }) => length))
  if (shortest < PAIR_BYTES) throw new TypeError('A string that is searched for has two bytes or more.')
  /** By pair: how far the window may move; 0 where the pair may end the first window of a string. */
  const shifts = new Uint32Array(PAIRS).fill(strings.length === 0 ? 0 : shortest - PAIR_BYTES + 1)
  const endingWith = new Map<number, number[]>()
  for (const [index, string] of strings.entries())
    for (let at = 0; at + PAIR_BYTES <= shortest; at += 1) {
      const pair = pairAt(string, at)
      const shift = shortest - PAIR_BYTES - at
      shifts[pair] = Math.min(shifts[pair] ?? 0, shift)
      if (shift === 0) endingWith.set(pair, [...(endingWith.get(pair) ?? []), index])
    }

  /** Counts strings that begin before `end`. */
  const search = (bytes: Uint8Array, end: number, counts: number[]): void => {
    for (let at = shortest - PAIR_BYTES; at + PAIR_BYTES <= bytes.length && at - shortest + PAIR_BYTES < end; ) {
      const pair = pairAt(bytes, at)
      const shift = shifts[pair] ?? 0
      if (shift > 0) {
        at += shift
        continue
      }
      const start = at - shortest + PAIR_BYTES
      for (const index of endingWith.get(pair) ?? [])
        if (standsAt(bytes, start, strings[index])) counts[index] = (counts[index] ?? 0) + 1
      at += 1
    }
  }

  return {
    async count(pieces) {
      const counts = strings.map(() => 0)
      if (strings.length === 0) return counts
      let rest = new Uint8Array(0)
      for await (const piece of pieces) {
        const bytes = Buffer.concat([rest, piece])
        // A string that begins after `end` may continue in the next piece, and is counted with that.
        const end = Math.max(0, bytes.length - longest + 1)
        search(bytes, end, counts)
        rest = new Uint8Array(bytes.subarray(end))
      }
      search(rest, rest.length, counts)
      return counts
    },
  }
}

const pairAt = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)

const standsAt = (bytes: Uint8Array, start: number, string: Uint8Array | undefined): boolean => {
  if (string === undefined || start + string.length > bytes.length) return false
  for (let at = 0; at < string.length; at += 1) if (bytes[start + at] !== string[at]) return false
  return true
}

const CHUNK_BYTES = 1024 * 1024

/** Counts in a file; null when the file was removed meanwhile. */
export const countInFile = (search: ByteSearch, path: string): Promise<readonly number[] | null> =>
  nullWhereMissing(search.count(createReadStream(path, { highWaterMark: CHUNK_BYTES })))
