import { CODE_HOSTS } from '../../schemas/domain/vocabulary.ts'
import { codeHostReceiver } from './code-host/receiver.ts'
import { connectionReceiver } from './connection/receiver.ts'
import { metricReceiver } from './metric/receiver.ts'
import type { Receiver } from './receiver.ts'
import { signalReceiver } from './signal/receiver.ts'

/** Every way in. A new receiver is a folder beside these and a line here. */
export const RECEIVERS: readonly Receiver[] = [
  signalReceiver,
  metricReceiver,
  ...CODE_HOSTS.map(codeHost => codeHostReceiver(codeHost)),
  connectionReceiver,
]
