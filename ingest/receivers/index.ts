import { codeHostReceiver } from './code-host/receiver.ts'
import type { Receiver } from './receiver.ts'
import { signalReceiver } from './signal/receiver.ts'

/** Every way in. A new receiver is a folder beside these and a line here. */
export const RECEIVERS: readonly Receiver[] = [
  signalReceiver,
  codeHostReceiver('github', { eventHeader: 'X-GitHub-Event', deliveryHeader: 'X-GitHub-Delivery' }),
]
