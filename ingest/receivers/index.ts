import { CODE_HOSTS, type SourceKind } from '../../schemas/domain/vocabulary.ts'
import { type EndpointPorts, handleEndpoint } from '../intake/endpoint.ts'
import type { RequestHandler, Route } from '../intake/intake.ts'
import { type EmailPorts, handlePostedMail } from '../intake/mail.ts'
import { createRateLimit, type LimitStores } from '../limits/rate-limit.ts'
import { codeHostReceiver } from './code-host/receiver.ts'
import { connectionReceiver } from './connection/receiver.ts'
import { emailReceiver } from './email/receiver.ts'
import { metricReceiver } from './metric/receiver.ts'
import type { Receiver } from './receiver.ts'
import { signalReceiver } from './signal/receiver.ts'

/** The receivers of each kind of source. A new kind needs a folder beside these and a line here. */
const OF_KIND: Readonly<Record<SourceKind, readonly Receiver[]>> = {
  signal: [signalReceiver],
  metric: [metricReceiver],
  code_host: CODE_HOSTS.map(codeHost => codeHostReceiver(codeHost)),
  connection: [connectionReceiver],
  email: [emailReceiver],
}

export const RECEIVERS = Object.values(OF_KIND).flat()

/** The receivers whose paths end in a source's id. */
export const ENDPOINT_RECEIVERS = RECEIVERS.filter(receiver => receiver.takes === 'endpoint')

/** The receiver of a path with its handler; null when there is none. */
export type FindRoute = (path: string) => Route | null

interface ReceiverPorts extends EndpointPorts, EmailPorts {
  readonly receivers: readonly Receiver[]
  readonly limits: LimitStores
}

/** The handler for the rest of a path after the receiver's own path; null when the rest is invalid. */
type HandlerFor = (rest: string) => RequestHandler | null

export const createRouter = ({ receivers, limits, ...ports }: ReceiverPorts): FindRoute => {
  const handlerOf = (receiver: Receiver): HandlerFor => {
    if (receiver.takes === 'mail') {
      const handle = handlePostedMail(ports, receiver)
      return rest => (rest === '' ? handle : null)
    }
    const handle = handleEndpoint(ports, receiver, createRateLimit(receiver.name, receiver.limit, limits))
    // May be no id at all. Hexadecimal digits may be in upper case.
    return rest => handle(rest.toLowerCase())
  }
  const all = receivers.map(receiver => ({ receiver, handlerFor: handlerOf(receiver) }))
  return path => {
    const found = all.find(({ receiver }) => path.startsWith(receiver.path))
    const handle = found?.handlerFor(path.slice(found.receiver.path.length)) ?? null
    return found === undefined || handle === null ? null : { receiver: found.receiver, handle }
  }
}
