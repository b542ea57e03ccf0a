import type { StoredRecord } from '../../infra/log/port.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { Delivery } from './delivery.ts'

/** A signal on its way through a segment: the record as the log has it, and as the steps so far have made it. */
export interface BatchItem {
  readonly stored: StoredRecord
  readonly delivery: Delivery
  readonly signal: SignalRecord
}
