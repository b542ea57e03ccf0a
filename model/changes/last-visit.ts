import type { Transaction } from '../../infra/postgres/port.ts'
import type { KeyId, UserId, WorkspaceId } from '../../schemas/domain/ids.ts'

/**
 * What a transaction wrote carries the time at which it began; it may have committed after a look that came later. A look
 * begins so much before the last one ended, and may show something twice, but misses nothing.
 */
const OVERLAP_MS = 10_000

const LAST = `select looked_at from last_looks where viewer_id = $1`

const LOOKED = `
  insert into last_looks as known (workspace_id, viewer_id, looked_at) values ($1, $2, $3)
  on conflict (workspace_id, viewer_id) do update set looked_at = greatest(known.looked_at, excluded.looked_at)`

/** From when on a key, or a member in the app, has not seen what changed; null before its first look. */
export const readLastVisit = async (transaction: Transaction, viewer: KeyId | UserId): Promise<Date | null> => {
  const [last] = await transaction.query<{ looked_at: Date }>(LAST, [viewer])
  return last === undefined ? null : new Date(last.looked_at.getTime() - OVERLAP_MS)
}

/** Remembers that what changed until `at` was seen. */
export const storeLastVisit = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  viewer: KeyId | UserId,
  at: Date,
): Promise<void> => {
  await transaction.query(LOOKED, [workspaceId, viewer, at])
}
