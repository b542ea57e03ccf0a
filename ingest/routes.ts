import type { Valkey } from '../infra/valkey/port.ts'
import { type EndpointPorts, handleEndpoint } from './intake/endpoint.ts'
import type { Route } from './intake/route.ts'
import { createRateLimit } from './limits/limits.ts'
import { EMAIL_PATH } from './receivers/email/receiver.ts'
import type { Receiver } from './receivers/receiver.ts'

/** Every path below belongs to the edge, also those that no receiver has: they never reach the handler behind it. */
export const OWN_PATHS = '/api/webhooks/'

export type FindRoute = (path: string) => Route | null

interface RoutesPorts extends EndpointPorts {
  readonly receivers: readonly Receiver[]
  /** The way in for mail, whose path has no id. */
  readonly email: Route
  /** Edges with the same Valkey limit together. */
  readonly valkey: Valkey | null
}

export const createRoutes = ({ receivers, email, valkey, ...ports }: RoutesPorts): FindRoute => {
  const doors = receivers.map(receiver => {
    const limit = createRateLimit(receiver.name, receiver.limit, valkey)
    return { receiver, handle: handleEndpoint(ports, receiver, limit) }
  })
  return path => {
    if (path === EMAIL_PATH) return email
    const door = doors.find(({ receiver }) => path.startsWith(receiver.path))
    // Perhaps no id at all; hexadecimal digits may come in either case.
    return door ? { ...door, handle: door.handle(path.slice(door.receiver.path.length).toLowerCase()) } : null
  }
}
