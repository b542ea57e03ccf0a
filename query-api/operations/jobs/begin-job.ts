import type { Transaction } from '../../../infra/postgres/port.ts'
import { type NewJob, startJob, startJobUnlessRunning } from '../../../model/jobs/start-job.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import type { JobId } from '../../../schemas/domain/ids.ts'
import type { WriteContext } from '../define.ts'

/**
 * Starts a job that the caller asks for; null, and nothing is started, while one of its kind is running in the workspace, but for replays.
 * Rejects with `quota_exceeded` when as many are running as may.
 */
export const beginJob = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  newJob: Pick<NewJob, 'kind' | 'input' | 'total'>,
): Promise<JobId | null> => {
  await requireQuota(transaction, services.quotas, 'jobs', caller.workspaceId)
  const job = { ...newJob, workspaceId: caller.workspaceId, startedBy: caller.userName }
  const { kind } = job
  return kind === 'replay' ? startJob(transaction, job) : startJobUnlessRunning(transaction, { ...job, kind })
}
