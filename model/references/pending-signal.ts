import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { isUuid, type SignalId, type WorkspaceId, wasAccepted } from '../../schemas/domain/ids.ts'

/** What is asked about a signal that this workspace accepted, and that is not stored yet. It may succeed when it is repeated. */
export class SignalPending extends AssayError {
  readonly signalId: SignalId

  constructor(
    id: SignalId,
    message = `The signal ${id} was accepted and is on its way. Call again in a second or two.`,
  ) {
    super('conflict', message, { retriable: true, retryAfterSeconds: 2, context: { status: 'in_pipeline' } })
    this.signalId = id
  }
}

const OWN_WORKSPACE = `select nullif(current_setting('assay.workspace_id', true), '') as id`

/** Throws `SignalPending` for the id of a signal that the transaction's workspace accepted. For ids that no row has. */
export const requireNoPendingSignal = async (transaction: Transaction, identifier: string): Promise<void> => {
  const id = identifier.trim().toLowerCase()
  if (!isUuid(id)) return
  const [own] = await transaction.query<{ readonly id: WorkspaceId | null }>(OWN_WORKSPACE)
  // The mark says that it is a signal's.
  if (own?.id && wasAccepted(own.id, id)) throw new SignalPending(id as SignalId)
}
