import type { Transaction } from '../../infra/postgres/port.ts'
import type { JobId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { startJobUnlessRunning } from '../jobs/start-job.ts'

const CHANGE = `
  insert into map_revisions as known (workspace_id, revision) values ($1, 1)
  on conflict (workspace_id) do update set revision = known.revision + 1`

const ADD = `insert into map_revisions (workspace_id) values ($1) on conflict (workspace_id) do nothing`
const LOCK = `select revision from map_revisions where workspace_id = $1 for update`
const ANCHORING = `select id from jobs where workspace_id = $1 and kind = 're_anchor' and state = 'running'`
const NOTE_ANCHORED = `update map_revisions set anchored = revision where workspace_id = $1`

/**
 * Says that what signals are anchored by is about to change: the map's nodes, or the vectors. Holds the map until the transaction ends, and
 * has the workspace's signals anchored again after it: a job that is running begins anew by itself. Answers that job; null in the
 * instant that one ends in, since by the revision the processors start the next by themselves.
 */
export const changeMap = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  startedBy: string,
): Promise<JobId | null> => {
  await transaction.query(CHANGE, [workspaceId])
  const job = { workspaceId, kind: 're_anchor', input: {}, total: null, startedBy } as const
  const started = await startJobUnlessRunning(transaction, job)
  if (started !== null) return started
  const [running] = await transaction.query<{ id: JobId }>(ANCHORING, [workspaceId])
  return running?.id ?? null
}

/** Holds the map as it is until the transaction ends; answers its revision. */
export const lockMap = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<number> => {
  await transaction.query(ADD, [workspaceId])
  const [map] = await transaction.query<{ revision: number }>(LOCK, [workspaceId])
  if (map === undefined) throw new Error('A row that was just added is not there.')
  return map.revision
}

/** Notes that every signal was anchored by the map that the caller holds. */
export const recordAnchored = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<void> => {
  await transaction.query(NOTE_ANCHORED, [workspaceId])
}
