import { isReplayInput, type ReplayInput, selectionInWords } from '../../../model/dead-letters/selection.ts'
import { findJob, type JobRow } from '../../../model/jobs/jobs.ts'
import { joinJob, type NewJob, startJob, startJobUnlessRunning } from '../../../model/jobs/start-job.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { isReviewJobInput } from '../../../model/reviews/reviews.ts'
import type { JobId } from '../../../schemas/domain/ids.ts'
import { JOB_KINDS, JOB_STATES } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Static, type Transaction, Type, type WriteContext } from '../define.ts'
import { instant, nullable, oneOf, uuid } from '../parts/fields.ts'

/** A job as every operation shows it. */
export const JobShape = Type.Object({
  id: uuid,
  kind: oneOf(JOB_KINDS),
  state: oneOf(JOB_STATES, { description: 'Only a running job is worked on.' }),
  done: Type.Integer({ description: 'Items worked off, those that came to nothing included.' }),
  total: nullable(Type.Integer({ description: 'How many there are; null until they are counted.' })),
  failed: Type.Integer({ description: 'Of those done, how many came to nothing.' }),
  message: nullable(
    Type.String({
      description: 'What it waits for, why the last item came to nothing, why it failed, or what it found.',
    }),
  ),
  started_by: Type.String({ description: 'A member’s name, or what began it by itself.' }),
  cancelled_by: nullable(Type.String({ description: 'The member who ended it early.' })),
  about: nullable(
    Type.String({ description: 'Of a replay: which letters, from where, and how fast. Of a review: its title.' }),
  ),
  created_at: instant,
  updated_at: instant,
  finished_at: nullable(instant),
})
type JobShape = Static<typeof JobShape>
/** A replay's request in words. */
const aboutReplay = ({ selection, from_step, per_second }: ReplayInput): string => {
  const from = from_step === null ? 'where each stands' : from_step
  return `${selectionInWords(selection)}; from ${from}; at most ${per_second} a second`
}

const aboutJob = ({ kind, input }: JobRow): string | null => {
  if (kind === 'replay') return isReplayInput(input) ? aboutReplay(input) : null
  return kind === 'review' && isReviewJobInput(input) ? input.title : null
}

export const jobShape = (row: JobRow): JobShape => {
  const { input: _, created_at, updated_at, finished_at, ...rest } = row
  return {
    ...rest,
    about: aboutJob(row),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  }
}

/** Throws `not_found` for a job of another workspace. */
export const readJob = async (transaction: Transaction, id: string): Promise<JobRow> => {
  const job = await findJob(transaction, id)
  if (job !== undefined) return job
  throw new AssayError(
    'not_found',
    `No job of this workspace is ${id}. service_support mode jobs lists those that there are.`,
  )
}

/**
 * Starts a job for the caller; null when a job of its kind already runs in the workspace, except for replays. Rejects
 * with `quota_exceeded` at the limit of running jobs.
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

/** Starts a job like `beginJob`, or adds the request to its kind's running job; null when that job has just ended. */
export const beginOrJoinJob = async (
  transaction: Transaction,
  context: WriteContext,
  newJob: Pick<NewJob, 'kind' | 'input' | 'total'>,
): Promise<JobId | null> => (await beginJob(transaction, context, newJob)) ?? (await joinJob(transaction, newJob.kind))
