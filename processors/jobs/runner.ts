import type { Database } from '../../infra/postgres/port.ts'
import { inBackground } from '../../infra/runtime/turns.ts'
import type { Observer } from '../framework/observer.ts'
import { type Polling, startPolling } from '../framework/poll.ts'
import { classifyThrown, framesOf } from '../framework/thrown.ts'
import type { JobDefinition } from './job-kind.ts'
import { type BackoffPauses, createLeases, type LeasedJob, type Leases } from './lease.ts'

const LEASE_MS = 60_000
const EVERY_MS = 500
const PAUSES: BackoffPauses = { firstMs: 1000, longestMs: 60_000 }
/** A kind whose slices wait for a slow model leaves room for the others. */
const SLICES_AT_ONCE = 2

export interface JobRunnerOptions {
  readonly database: Database
  readonly kinds: readonly JobDefinition[]
  readonly observer: Observer
  /** How long a processor that fell silent keeps a job from the others, in milliseconds. */
  readonly leaseMs?: number
  /** How often to look for a job when there was none, in milliseconds. */
  readonly intervalMs?: number
  readonly pauses?: BackoffPauses
}

/**
 * Works off the jobs of every workspace, a slice at a time and the one that rested longest first. Any number of
 * processors may do so at once: a job is in the hands of one, and free again after each slice. Its work waits for
 * people's and for live signals'. A slice that a crash cut short begins again at its cursor.
 */
export const startJobRunner = (options: JobRunnerOptions): Polling => {
  const { database, observer, leaseMs = LEASE_MS, intervalMs = EVERY_MS } = options
  const leases = createLeases(database, leaseMs)
  const work = () => runSlice(leases, options, leaseMs)
  const workers = Array.from({ length: SLICES_AT_ONCE }, () =>
    startPolling({ what: 'The job runner', work, intervalMs, observer }),
  )
  return { stop: async () => void (await Promise.all(workers.map(worker => worker.stop()))) }
}

/** One slice of the job whose turn it is; answers whether there was one. */
const runSlice = async (leases: Leases, options: JobRunnerOptions, leaseMs: number): Promise<boolean> => {
  const { kinds, observer, pauses = PAUSES } = options
  const job = await leases.take(kinds.map(({ kind }) => kind))
  const definition = kinds.find(({ kind }) => kind === job?.kind)
  if (job === null || definition === undefined) return false
  try {
    await leases.store(
      job,
      await holding(job, leases, leaseMs, () => inBackground(() => definition.slice(sliceOf(job)))),
    )
  } catch (error) {
    const { kind, errorClass, message } = classifyThrown(error)
    if (kind !== 'data') await leases.wait(job, `Waiting: ${message}`, pauses)
    else {
      observer.note('A job failed', { job: job.id, kind: job.kind, errorClass, frames: framesOf(error) })
      await leases.fail(job, message)
    }
  }
  return true
}

const sliceOf = ({ id, workspace_id, input, cursor }: LeasedJob) => ({
  jobId: id,
  workspaceId: workspace_id,
  input,
  cursor,
})

/** Does the work with the lease kept up meanwhile, however long it takes. */
const holding = async <Result>(
  job: LeasedJob,
  leases: Leases,
  leaseMs: number,
  work: () => Promise<Result>,
): Promise<Result> => {
  // A lease that could not be extended may be lost; then nothing is written under it.
  const timer = setInterval(() => leases.extend(job).catch(() => {}), leaseMs / 3)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
