import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { findJob, type JobRow } from '../../../model/jobs/jobs.ts'

/** Throws `not_found` for a job of another workspace. */
export const readJob = async (transaction: Transaction, id: string): Promise<JobRow> => {
  const job = await findJob(transaction, id)
  if (job !== undefined) return job
  throw new AssayError(
    'not_found',
    `No job of this workspace is ${id}. service_support mode jobs lists those that there are.`,
  )
}
