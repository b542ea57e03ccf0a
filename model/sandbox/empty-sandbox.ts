import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { lockWorkspaces } from '../signals/scope.ts'

/** What ClickHouse keeps of workspaces; a test holds it to its tables. */
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
 * Removes what ClickHouse has of a workspace. Rejects with `unavailable` while it is away; done again, it changes
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
 * Removes every row of a sandbox, in a transaction of `assay_sandbox`, and closes its sources. Answers the last place
 * of each model’s vectors: what is stored afterwards must come after it, as other processes have followed the places so
 * far.
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

// In two steps, since a place must be free in the moment that a row takes it.
const TURN = `update signal_vectors set place = -place where workspace_id = $1 and model = $2`
const MOVE = `update signal_vectors set place = $3 - place where workspace_id = $1 and model = $2`

/** Moves the places of vectors that were stored since behind those that were there before. */
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
