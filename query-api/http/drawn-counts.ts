import { createHmac, randomBytes } from 'node:crypto'
import { createWindowCounts, type WindowCounts } from '../../infra/runtime/window-counts.ts'

/** Keys share this many counts, so that strangers who choose many keys fill no memory. */
const COUNTS = 16_384

export interface DrawnCounts extends Pick<WindowCounts, 'count' | 'read'> {
  /** Takes so many back, one unless given, of those that the key's window still has. */
  giveBack(key: string, times?: number): void
}

/**
 * Window counts for keys that strangers choose, such as addresses. Which keys share a count is drawn anew in each
 * program, so that nobody can use up the count of another on purpose.
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
