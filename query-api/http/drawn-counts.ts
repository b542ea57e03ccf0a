import { createHmac, randomBytes } from 'node:crypto'
import { createWindowCounts, type WindowCounts } from '../../infra/runtime/window-counts.ts'

/** Number of counts, shared by all keys, so that many keys of strangers do not fill the memory. */
const COUNTS = 16_384

export interface DrawnCounts extends Pick<WindowCounts, 'count' | 'read'> {
  /** Takes counts back, one by default, if the key's window still has them. */
  giveBack(key: string, times?: number): void
}

/**
 * Window counts for keys that strangers choose, such as addresses. A random seed of each process decides which keys
 * share a count, so that nobody can use up another key's count on purpose.
 */
export const createDrawnCounts = (windowSeconds: number): DrawnCounts => {
  const counts = createWindowCounts(windowSeconds)
  const drawn = randomBytes(16)
  const drawnOf = (key: string): string =>
    String(createHmac('sha256', drawn).update(key).digest().readUInt32BE(0) % COUNTS)
  return {
    count: (key, times) => counts.count(drawnOf(key), times),
    read: key => counts.read(drawnOf(key)),
    giveBack: (key, times = 1) => {
      const counted = counts.read(drawnOf(key))
      if (counted !== null) counts.count(drawnOf(key), -Math.min(times, counted.times))
    },
  }
}
