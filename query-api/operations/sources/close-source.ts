import type { Transaction } from '../../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { noSource } from './find-source.ts'

// A tombstone: the edge polls for changes and would never see a row that is gone.
const CLOSE = `
  update sources set deleted_at = now(), changed_at = now()
  where workspace_id = $1 and id = $2 and deleted_at is null
  returning id`

/** Rejects with `not_found`. */
export const closeSource = async (transaction: Transaction, workspaceId: WorkspaceId, id: string): Promise<void> => {
  const closed = await transaction.query(CLOSE, [workspaceId, id])
  if (closed.length === 0) noSource(id)
}
