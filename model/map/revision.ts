import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { startJobUnlessRunning } from '../jobs/start-job.ts'

const CHANGE = `
  insert into map_revisions as known (workspace_id, revision) values ($1, 1)
  on conflict (workspace_id) do update set revision = known.revision + 1`

const ADD = `insert into map_revisions (workspace_id) values ($1) on conflict (workspace_id) do nothing`
const LOCK = `select revision from map_revisions where workspace_id = $1 for update`
const NOTE_ANCHORED = `update map_revisions set anchored = revision where workspace_id = $1`

/**
 * Says that what signals are anchored by is about to change: the map's nodes, or the vectors. Holds the map until the transaction ends, and
 * has the workspace's signals anchored again after it: a job that is running begins anew by itself.
 */
export const changeMap = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  startedBy: string,
): Promise<void> => {
  await transaction.query(CHANGE, [workspaceId])
  await startJobUnlessRunning(transaction, { workspaceId, kind: 're_anchor', input: {}, total: null, startedBy })
}

/** Holds the map as it is until the transaction ends; answers its revision. */
export const lockMap = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<number> => {
  await transaction.query(ADD, [workspaceId])
  const [map] = await transaction.query<{ revision: number }>(LOCK, [workspaceId])
  if (map === undefined) throw new Error('A row that was just added is not there.')
  return map.revision
}

/** Notes that every signal was anchored by the map that the caller holds. */
export const noteAnchored = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<void> => {
  await transaction.query(NOTE_ANCHORED, [workspaceId])
}
