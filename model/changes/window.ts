import type { Transaction } from '../../infra/postgres/port.ts'
import type { KeyId, UserId, WorkspaceId } from '../../schemas/domain/ids.ts'

/** Times after `from`, up to and including `to`. */
export interface Window {
  readonly from: Date
  readonly to: Date
}

/** The number of changes in the window, and the shown rows. */
export interface Changes<Row> {
  readonly count: number
  readonly rows: readonly Row[]
}

/** Splits rows with `in_all`, the number of rows without `limit`, into rows and number. */
export const counted = <Row extends object>(rows: readonly (Row & { readonly in_all: number })[]): Changes<Row> => ({
  count: rows[0]?.in_all ?? 0,
  rows,
})

/**
 * Rows carry the start of their transaction, which may commit after a later look. Each look therefore begins this much
 * before the end of the last one: it may show a row twice, but misses none.
 */
const OVERLAP_MS = 10_000

const LAST = `select visited_at from last_visits where viewer_id = $1`

const LOOKED = `
  insert into last_visits as known (workspace_id, viewer_id, visited_at) values ($1, $2, $3)
  on conflict (workspace_id, viewer_id) do update set visited_at = greatest(known.visited_at, excluded.visited_at)`

/** End of what a key, or a member in the app, has already seen; null before the first look. */
export const readLastVisit = async (transaction: Transaction, viewer: KeyId | UserId): Promise<Date | null> => {
  const [last] = await transaction.query<{ visited_at: Date }>(LAST, [viewer])
  return last === undefined ? null : new Date(last.visited_at.getTime() - OVERLAP_MS)
}

/** Stores that changes until `at` were seen. */
export const storeLastVisit = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  viewer: KeyId | UserId,
  at: Date,
): Promise<void> => {
  await transaction.query(LOOKED, [workspaceId, viewer, at])
}
