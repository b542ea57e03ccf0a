import { randomFillSync } from 'node:crypto'

const pool = new Uint8Array(8192)
let taken = pool.length

/**
 * So many random bytes, at most 64, never given out before. The system is asked for many at once: asked for each id by itself, it was
 * a tenth of what the edge did. A view, to be used at once: the pool is filled anew when it is used up.
 */
export const randomBytes = (count: number): Uint8Array => {
  if (taken + count > pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  taken += count
  return pool.subarray(taken - count, taken)
}
