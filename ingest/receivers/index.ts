import { CODE_HOSTS, type SourceKind } from '../../schemas/domain/vocabulary.ts'
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
