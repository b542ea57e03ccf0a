import type { Sealer } from '../../../infra/runtime/secrets.ts'
import type { SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'

/** A stored letter, as far as replaying it goes. */
export interface WaitingDeadLetter {
  readonly signal_id: SignalId
  readonly step: string
  readonly workspace_id: WorkspaceId
  readonly topic: string
  readonly trace_id: string
  readonly sealed: boolean
  readonly record: Uint8Array
  readonly replay: number
}

export const SELECT_WAITING_DEAD_LETTER = 'signal_id, step, workspace_id, topic, trace_id, sealed, record, replay'

/** The record as the log had it. Throws `internal` for one that was sealed with another installation's key. */
export const recordOf = (
  { sealed, record }: Pick<WaitingDeadLetter, 'sealed' | 'record'>,
  { unseal }: Pick<Sealer, 'unseal'>,
): Uint8Array => (sealed ? Buffer.from(unseal(record), 'base64') : record)
