import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { lockWorkspaces } from '../signals/scope.ts'

/** ClickHouse's tables with workspaces. A test compares the list with the schema. */
export const ANALYTICS_TABLES = [
  'activity',
  'activity_by_hour',
  'activity_by_day',
  'activity_moved_by_hour',
  'activity_moved_by_day',
  'first_receipts',
  'metric_points',
  'erased_subjects',
]

/**
 * Removes a workspace from ClickHouse. Rejects with `unavailable` while ClickHouse is away. A repetition changes
 * nothing.
 */
export const deleteActivity = async (analytics: Analytics, workspaceId: WorkspaceId): Promise<void> => {
  for (const table of ANALYTICS_TABLES) {
    await analytics.remove(table, 'workspace_id = {workspace: UUID}', { workspace: workspaceId })
  }
}

const CLOSE_SOURCES = `
  update sources set deleted_at = now(), changed_at = now() where workspace_id = $1 and deleted_at is null`
const LAST_PLACES = `
  select model, max(place)::integer as place from signal_vectors where workspace_id = $1 group by model`
const EMPTY = `select empty_sandbox()`

interface LastPlace {
  readonly model: string
  readonly place: number
}

/**
 * Removes every row of a sandbox in a transaction of `assay_sandbox`, and closes its sources. Answers the last place of
 * each model's vectors: later vectors must come behind it, because other processes have read up to there.
 */
export const emptySandbox = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
): Promise<readonly LastPlace[]> => {
  await lockWorkspaces(transaction, [workspaceId], 'signals')
  await lockWorkspaces(transaction, [workspaceId], 'claims')
  const places = await transaction.query<LastPlace>(LAST_PLACES, [workspaceId])
  await transaction.query(CLOSE_SOURCES, [workspaceId])
  await transaction.query(EMPTY)
  return places
}

// In two steps, because a place must be free when a row takes it.
const TURN = `update signal_vectors set place = -place where workspace_id = $1 and model = $2`
const MOVE = `update signal_vectors set place = $3 - place where workspace_id = $1 and model = $2`

/** Moves the places of vectors that were stored since behind the earlier ones. */
export const continueNumbers = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  places: readonly LastPlace[],
): Promise<void> => {
  for (const { model, place } of places) {
    await transaction.query(TURN, [workspaceId, model])
    await transaction.query(MOVE, [workspaceId, model, place])
  }
}
