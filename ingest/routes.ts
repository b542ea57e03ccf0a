import { createRateLimit, type RateLimit } from './limits/limits.ts'
import type { Receiver } from './receivers/receiver.ts'

/** Every path below belongs to the edge, also those that no receiver has: they never reach the handler behind it. */
export const OWN_PATHS = '/api/webhooks/'

export interface Route {
  readonly receiver: Receiver
  readonly limit: RateLimit
  /** What follows the receiver's path, in lower case; perhaps no id at all. */
  readonly endpoint: string
}

export type FindRoute = (path: string) => Route | null

export const createRoutes = (receivers: readonly Receiver[]): FindRoute => {
  const doors = receivers.map(receiver => ({ receiver, limit: createRateLimit(receiver.limit) }))
  return path => {
    const door = doors.find(({ receiver }) => path.startsWith(receiver.path))
    return door ? { ...door, endpoint: path.slice(door.receiver.path.length).toLowerCase() } : null
  }
}
