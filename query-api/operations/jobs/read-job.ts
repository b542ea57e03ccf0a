import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import type { JobKind } from '../../../schemas/domain/vocabulary.ts'
import { JOB_COLUMNS, type JobRow } from './job-shape.ts'

const BY_ID = `select ${JOB_COLUMNS} from jobs where id = $1`
const RUNNING = `select ${JOB_COLUMNS} from jobs where kind = $1 and state = 'running' order by created_at limit 1`

export const findJob = async (transaction: Transaction, id: string): Promise<JobRow | undefined> =>
  (await transaction.query<JobRow>(BY_ID, [id]))[0]

/** Throws `not_found` for a job of another workspace. */
export const readJob = async (transaction: Transaction, id: string): Promise<JobRow> => {
  const job = await findJob(transaction, id)
  if (job !== undefined) return job
  throw new AssayError(
    'not_found',
    `No job of this workspace is ${id}. service_support mode jobs lists those that there are.`,
  )
}

/** The job of a kind that is running; undefined when none is. */
export const runningJob = async (transaction: Transaction, kind: JobKind): Promise<JobRow | undefined> =>
  (await transaction.query<JobRow>(RUNNING, [kind]))[0]
