import type { Transaction } from '../../infra/postgres/port.ts'
import type { KeyId, UserId, WorkspaceId } from '../../schemas/domain/ids.ts'

/** What lies after `from` and not after `to`. */
export interface Window {
  readonly from: Date
  readonly to: Date
}

/** So many of a kind in the window, and those of them that are shown. */
export interface Changes<Row> {
  readonly count: number
  readonly rows: readonly Row[]
}

/** The rows of a statement that answers `in_all`, how many there are without its `limit`, beside each row. */
export const counted = <Row extends object>(rows: readonly (Row & { readonly in_all: number })[]): Changes<Row> => ({
  count: rows[0]?.in_all ?? 0,
  rows,
})

/**
 * What a transaction wrote carries the time at which it began; it may have committed after a look that came later. A
 * look begins so much before the last one ended, and may show something twice, but misses nothing.
 */
const OVERLAP_MS = 10_000

const LAST = `select visited_at from last_visits where viewer_id = $1`

const LOOKED = `
  insert into last_visits as known (workspace_id, viewer_id, visited_at) values ($1, $2, $3)
  on conflict (workspace_id, viewer_id) do update set visited_at = greatest(known.visited_at, excluded.visited_at)`

/** From when on a key, or a member in the app, has not seen what changed; null before its first look. */
export const readLastVisit = async (transaction: Transaction, viewer: KeyId | UserId): Promise<Date | null> => {
  const [last] = await transaction.query<{ visited_at: Date }>(LAST, [viewer])
  return last === undefined ? null : new Date(last.visited_at.getTime() - OVERLAP_MS)
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
