import type { Codec } from '../../../infra/log/codec.ts'
import type { StoredRecord } from '../../../infra/log/port.ts'
import type { Sealer } from '../../../infra/runtime/secrets.ts'
import type { SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { SignalRecord } from '../../../schemas/events/signal.ts'
import { HEADERS } from '../../../schemas/events/topics.ts'
import { deliveryOf, integerHeader } from '../../framework/delivery.ts'

/** A row of `dead_letters`, as `dead-letters.ts` stores it. */
export interface DeadLetter {
  readonly signal_id: SignalId
  readonly step: string
  readonly workspace_id: WorkspaceId
  readonly topic: string
  readonly fault: string
  readonly error_class: string
  readonly message: string
  readonly attempts: number
  readonly first_failed_at: string
  readonly last_failed_at: string
  readonly trace_id: string
  readonly sealed: boolean
  /** The record in base64. One that is sealed is the seal of its base64, in base64 itself as it is bytes again. */
  readonly record: string
  readonly replay: number
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Reads a record of the `dead-letters` topic. Rejects when the record inside is not a signal: nobody knows whose it is then. */
export const readDeadLetter = async (
  stored: StoredRecord,
  codec: Codec<SignalRecord>,
  { seal }: Pick<Sealer, 'seal'>,
): Promise<DeadLetter> => {
  const { headers, value, timestamp } = stored
  const { signal_id, workspace_id } = await codec.decode(value)
  const { attempt, replay, traceId } = deliveryOf(stored)
  const lastFailedAt = integerHeader(headers, HEADERS.lastFailedAt, timestamp)
  const sealed = headers[HEADERS.personal] !== 'false'
  return {
    signal_id,
    workspace_id,
    step: headers[HEADERS.step] ?? '',
    topic: headers[HEADERS.returnTo] ?? '',
    fault: headers[HEADERS.fault] ?? 'ours',
    error_class: headers[HEADERS.errorClass] ?? '',
    message: headers[HEADERS.errorMessage] ?? '',
    attempts: attempt,
    first_failed_at: new Date(integerHeader(headers, HEADERS.firstFailedAt, lastFailedAt)).toISOString(),
    last_failed_at: new Date(lastFailedAt).toISOString(),
    trace_id: traceId,
    sealed,
    record: sealed ? base64(seal(base64(value))) : base64(value),
    replay,
  }
}
