import { randomUUID } from 'node:crypto'
import type { Database } from '../../infra/postgres/port.ts'
import { timerMs } from '../../infra/runtime/timers.ts'
import { inBackground } from '../../infra/runtime/yielding.ts'
import type { JobId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { JobKind } from '../../schemas/domain/vocabulary.ts'
import { type Polling, startPolling } from '../framework/poll.ts'
import type { Observer } from '../framework/step.ts'
import { classifyThrown, framesOf } from '../framework/thrown.ts'
import type { JobDefinition, SliceResult } from './job-kind.ts'

/** A job that this processor holds. Its row is written only under its lease, while it is running. */
interface LeasedJob {
  readonly id: JobId
  readonly workspace_id: WorkspaceId
  readonly kind: JobKind
  readonly input: unknown
  readonly cursor: unknown
  readonly lease_id: string
}

const TAKE = `
  update jobs set lease_id = $1, leased_until = now() + $2 * interval '1 millisecond'
  where id = (
    select id from jobs
    where state = 'running' and not_before <= now() and (leased_until is null or leased_until <= now()) and kind = any ($3)
    order by not_before, id
    limit 1
    for update skip locked)
  returning id, workspace_id, kind, input, cursor, lease_id`

const HELD = `where id = $1 and lease_id = $2 and state = 'running'`

const EXTEND = `update jobs set leased_until = now() + $3 * interval '1 millisecond' ${HELD}`

/** Nothing is left to do, and nobody has asked for more since the job was taken. */
const IS_OVER = '$3::jsonb is null and input = $9::jsonb'

/** A success clears the message of a wait. The message of the last failed item stays until another item fails. */
const STORE = `
  update jobs set
    cursor = $3, done = done + $4, failed = failed + $5, total = coalesce($6, total),
    message = coalesce($7, case when waits = 0 then message end), waits = 0,
    state = case when ${IS_OVER} then 'done' else state end,
    finished_at = case when ${IS_OVER} then now() end,
    not_before = now() + $8 * interval '1 millisecond', leased_until = null, lease_id = null, updated_at = now()
  ${HELD}`

const WAIT = `
  update jobs set
    message = $3, waits = waits + 1,
    not_before = now() + least($5, $4 * 2 ^ least(waits, 30)) * interval '1 millisecond',
    leased_until = null, lease_id = null, updated_at = now()
  ${HELD}`

const FAIL = `
  update jobs set state = 'failed', message = $3, finished_at = now(), leased_until = null, lease_id = null, updated_at = now()
  ${HELD}`

/** Pauses after a slice without its dependency, ms: doubled each time, up to the longest. */
interface BackoffPauses {
  readonly firstMs: number
  readonly longestMs: number
}

/** Leases of jobs in every workspace. */
export const createLeases = (database: Database, leaseMs: number) => {
  const ask = <Row extends object>(statement: string, values: readonly unknown[]): Promise<Row[]> =>
    database.transaction({ role: 'assay_accounts', isDivisible: true }, transaction =>
      transaction.query<Row>(statement, values),
    )
  const write = async ({ id, lease_id }: LeasedJob, statement: string, values: readonly unknown[]): Promise<void> => {
    await ask(statement, [id, lease_id, ...values])
  }
  return {
    /** Takes the job of these kinds that has rested longest; null when none may start. */
    async take(kinds: readonly JobKind[]): Promise<LeasedJob | null> {
      const [job] = await ask<LeasedJob>(TAKE, [randomUUID(), leaseMs, kinds])
      return job ?? null
    },
    extend: (job: LeasedJob) => write(job, EXTEND, [leaseMs]),
    /** Stores a slice's result and releases the job, so that any processor runs the next slice. */
    store: (job: LeasedJob, { cursor, done, failed, total, message, pauseMs }: SliceResult) => {
      const next = cursor === null ? null : JSON.stringify(cursor)
      const given = JSON.stringify(job.input)
      return write(job, STORE, [next, done, failed, total ?? null, message ?? null, pauseMs ?? 0, given])
    },
    wait: (job: LeasedJob, message: string, { firstMs, longestMs }: BackoffPauses) =>
      write(job, WAIT, [message, firstMs, longestMs]),
    fail: (job: LeasedJob, message: string) => write(job, FAIL, [message]),
  }
}

type Leases = ReturnType<typeof createLeases>

const LEASE_MS = 60_000
const EVERY_MS = 500
const PAUSES: BackoffPauses = { firstMs: 1000, longestMs: 60_000 }
/** Slices that run at once, so that a kind that waits for a slow model leaves room for others. */
const SLICE_CONCURRENCY = 2

interface JobRunnerOptions {
  readonly database: Database
  readonly kinds: readonly JobDefinition[]
  readonly observer: Observer
  /** Time after which other processors take the job of a silent processor, ms. */
  readonly leaseMs?: number
  /** Poll interval without a job, ms. */
  readonly intervalMs?: number
  readonly pauses?: BackoffPauses
}

/**
 * Runs the jobs of every workspace, a slice at a time, the job that rested longest first. Any number of processors may
 * run: each job is held by one processor and released after each slice. Jobs run in the background of people's requests
 * and live signals. A slice that a crash ended begins again at its cursor.
 */
export const startJobRunner = (options: JobRunnerOptions): Polling => {
  const { database, observer, leaseMs = LEASE_MS, intervalMs = EVERY_MS } = options
  const leases = createLeases(database, leaseMs)
  const work = () => runSlice(leases, options, leaseMs)
  const workers = Array.from({ length: SLICE_CONCURRENCY }, () =>
    startPolling({ what: 'The job runner', work, intervalMs, observer }),
  )
  return { stop: async () => void (await Promise.all(workers.map(worker => worker.stop()))) }
}

/** Runs one slice. Answers false when there was no job. */
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

/** Extends the lease while the work runs. */
const holding = async <Result>(
  job: LeasedJob,
  leases: Leases,
  leaseMs: number,
  work: () => Promise<Result>,
): Promise<Result> => {
  // After a failed extension the lease may be lost. Nothing is then written under it.
  const timer = setInterval(() => leases.extend(job).catch(() => {}), timerMs(leaseMs / 3))
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
