import type { Transaction } from '../../infra/postgres/port.ts'
import { type JobId, newId } from '../../schemas/domain/ids.ts'
import type { JobKind } from '../../schemas/domain/vocabulary.ts'
import type { NewJob } from './start-job.ts'

const INSERT = `
  insert into jobs (id, workspace_id, kind, input, total, started_by) values ($1, $2, $3, $4, $5, $6)
  on conflict (workspace_id, kind) where state = 'running' and kind <> 'replay' do nothing
  returning id`

/** Work that is done again: what newer rules, another model or another map make of what is stored. */
export type RepeatedWork = Exclude<JobKind, 'replay'>

/** Starts a job as `startJob` does; null, and nothing is started, while one of its kind is running in the workspace. */
export const startJobUnlessRunning = async (
  transaction: Transaction,
  job: NewJob & { readonly kind: RepeatedWork },
): Promise<JobId | null> => {
  const { workspaceId, kind, input, total, startedBy } = job
  const values = [newId<JobId>(), workspaceId, kind, JSON.stringify(input), total, startedBy]
  const [started] = await transaction.query<{ id: JobId }>(INSERT, values)
  return started?.id ?? null
}
