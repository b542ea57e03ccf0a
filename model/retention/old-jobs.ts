import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

const IS_OLD_EXPORT = `
  direction = 'export' and created_at < $2::timestamptz
  and not exists (select from jobs where jobs.id = transfers.job_id and state = 'running')`

/** The newest of a kind stays, by which the upkeep knows what was done; so do those of files that came in. */
const IS_OLD_JOB = `
  state <> 'running' and coalesce(finished_at, updated_at) < $2::timestamptz
  and exists (
    select from jobs as newer
    where newer.workspace_id = jobs.workspace_id and newer.kind = jobs.kind and newer.created_at > jobs.created_at)
  and not exists (
    select from transfers where transfers.workspace_id = $1 and jobs.id in (transfers.job_id, transfers.check_job_id)
      and not (${IS_OLD_EXPORT}))
  and not exists (select from erasures where erasures.job_id = jobs.id and finished_at is null)`

const REMOVE_EXPORTS = `
  delete from transfers where id in (
    select id from transfers where workspace_id = $1 and ${IS_OLD_EXPORT} order by id limit $3)
  returning 1`
const FIND_JOBS = `select id from jobs where workspace_id = $1 and ${IS_OLD_JOB} order by id limit $3`
const UNLINK = 'update erasures set job_id = null where workspace_id = $1 and job_id = any ($2::uuid[])'
const REMOVE_JOBS = 'delete from jobs where workspace_id = $1 and id = any ($2::uuid[]) returning 1'

export interface OldWork {
  readonly jobs: number
  readonly exports: number
}

/**
 * Removes at most so many exports and so many jobs that ended before a moment. Answers how many: none, when none is
 * left.
 */
export const removeOldJobs = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  before: string,
  most: number,
): Promise<OldWork> => {
  const exports = await transaction.query(REMOVE_EXPORTS, [workspaceId, before, most])
  const old = (await transaction.query<{ id: string }>(FIND_JOBS, [workspaceId, before, most])).map(({ id }) => id)
  await transaction.query(UNLINK, [workspaceId, old])
  const jobs = await transaction.query(REMOVE_JOBS, [workspaceId, old])
  return { jobs: jobs.length, exports: exports.length }
}

const COUNT = `
  select (select count(*)::integer from jobs where workspace_id = $1 and ${IS_OLD_JOB}) as jobs,
    (select count(*)::integer from transfers where workspace_id = $1 and ${IS_OLD_EXPORT}) as exports`

export const countOldJobs = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  before: string,
): Promise<OldWork> => {
  const [row] = await transaction.query<OldWork>(COUNT, [workspaceId, before])
  if (row === undefined) throw new Error('The statement answers a row.')
  return row
}
