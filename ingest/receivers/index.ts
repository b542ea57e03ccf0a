import { CODE_HOSTS, type SourceKind } from '../../schemas/domain/vocabulary.ts'
import { type EndpointPorts, handleEndpoint } from '../intake/endpoint.ts'
import type { FoundReceiver, RequestHandler } from '../intake/intake.ts'
import { type EmailPorts, handlePostedMail } from '../intake/mail.ts'
import { createRateLimit, type LimitStores } from '../limits/rate-limit.ts'
import { codeHostReceiver } from './code-host/receiver.ts'
import { connectionReceiver } from './connection/receiver.ts'
import { emailReceiver } from './email/receiver.ts'
import { metricReceiver } from './metric/receiver.ts'
import type { Receiver } from './receiver.ts'
import { signalReceiver } from './signal/receiver.ts'

/** The receivers of each kind of source. A new one is a folder beside these and a line here. */
const OF_KIND: Readonly<Record<SourceKind, readonly Receiver[]>> = {
  signal: [signalReceiver],
  metric: [metricReceiver],
  code_host: CODE_HOSTS.map(codeHost => codeHostReceiver(codeHost)),
  connection: [connectionReceiver],
  email: [emailReceiver],
}

/** Every way in. */
export const RECEIVERS = Object.values(OF_KIND).flat()

/** Those whose addresses end in a source's id. */
export const ENDPOINT_RECEIVERS = RECEIVERS.filter(receiver => receiver.takes === 'endpoint')

/** The receiver that a path leads to, with what becomes of a request there; null when there is none. */
export type FindReceiver = (path: string) => FoundReceiver | null

interface ReceiverPorts extends EndpointPorts, EmailPorts {
  readonly receivers: readonly Receiver[]
  readonly limits: LimitStores
}

/**
 * Answers what becomes of requests to a path, by what follows the receiver's own; null when that is no address of it.
 */
type HandlerFor = (rest: string) => RequestHandler | null

export const createFindReceiver = ({ receivers, limits, ...ports }: ReceiverPorts): FindReceiver => {
  const handlerOf = (receiver: Receiver): HandlerFor => {
    if (receiver.takes === 'mail') {
      const handle = handlePostedMail(ports, receiver)
      return rest => (rest === '' ? handle : null)
    }
    const handle = handleEndpoint(ports, receiver, createRateLimit(receiver.name, receiver.limit, limits))
    // Perhaps no id at all; hexadecimal digits may come in either case.
    return rest => handle(rest.toLowerCase())
  }
  const all = receivers.map(receiver => ({ receiver, handlerFor: handlerOf(receiver) }))
  return path => {
    const found = all.find(({ receiver }) => path.startsWith(receiver.path))
    const handle = found?.handlerFor(path.slice(found.receiver.path.length)) ?? null
    return found === undefined || handle === null ? null : { receiver: found.receiver, handle }
  }
}
