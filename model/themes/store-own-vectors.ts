import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { lockWorkspaces } from '../signals/scope.ts'
import { storeVectors } from '../signals/store-signals.ts'
import type { LookedAt } from './looked-at.ts'
import type { OwnText } from './own-text.ts'

/** A vector that was made anew, of the own text of a signal. */
export interface MadeVector {
  readonly signal: LookedAt
  readonly own: OwnText
  readonly vector: Float32Array
}

const UNCHANGED = `
  select signals.id from unnest($2::uuid[], $3::text[]) as read (id, text) join signals on signals.id = read.id
  where signals.workspace_id = $1 and left(signals.text, 4000) = read.text`

/** Stores vectors of signals whose texts nobody has changed since they were read. */
export const storeOwnVectors = async (
  inside: <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>,
  { workspaceId, model }: { readonly workspaceId: WorkspaceId; readonly model: string },
  made: readonly MadeVector[],
): Promise<void> => {
  if (made.length === 0) return
  await inside(async transaction => {
    await lockWorkspaces(transaction, [workspaceId], 'signals')
    const values = [workspaceId, made.map(({ signal }) => signal.id), made.map(({ signal }) => signal.text)]
    const rows = await transaction.query<{ id: SignalId }>(UNCHANGED, values)
    const unchanged = new Set(rows.map(({ id }) => id))
    await storeVectors(
      transaction,
      made
        .filter(({ signal }) => unchanged.has(signal.id))
        .map(({ signal, own, vector }) => ({ signalId: signal.id, workspaceId, model, vector, ownText: own.hash })),
    )
  })
}
