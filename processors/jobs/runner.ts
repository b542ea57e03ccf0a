import { randomUUID } from 'node:crypto'
import type { Database } from '../../infra/postgres/port.ts'
import { timerMs } from '../../infra/runtime/timers.ts'
import { inBackground } from '../../infra/runtime/turns.ts'
import type { JobId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { JobKind } from '../../schemas/domain/vocabulary.ts'
import { type Polling, startPolling } from '../framework/poll.ts'
import type { Observer } from '../framework/step.ts'
import { classifyThrown, framesOf } from '../framework/thrown.ts'
import type { JobDefinition, SliceResult } from './job-kind.ts'

/** A job that is held here. Whatever is written about it is written under its lease, and only while it is running. */
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

/** What a wait said is over once a slice succeeds; why the last item failed stays until another one does. */
const STORE = `
  update jobs set
    cursor = $3, done = done + $4, failed = failed + $5, total = coalesce($6, total),
    message = coalesce($7, case when waits = 0 then message end), waits = 0,
    state = case when $3::jsonb is null then 'done' else state end,
    finished_at = case when $3::jsonb is null then now() end,
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

/** Pauses after a slice that found a dependency away, in milliseconds: twice as long each time, up to the longest. */
interface BackoffPauses {
  readonly firstMs: number
  readonly longestMs: number
}

/** The jobs as the processors see them, of every workspace. */
export const createLeases = (database: Database, leaseMs: number) => {
  const ask = <Row extends object>(statement: string, values: readonly unknown[]): Promise<Row[]> =>
    database.transaction({ role: 'assay_accounts', isDivisible: true }, transaction =>
      transaction.query<Row>(statement, values),
    )
  const write = async ({ id, lease_id }: LeasedJob, statement: string, values: readonly unknown[]): Promise<void> => {
    await ask(statement, [id, lease_id, ...values])
  }
  return {
    /** Takes the job of these kinds whose turn it is; null when there is none. */
    async take(kinds: readonly JobKind[]): Promise<LeasedJob | null> {
      const [job] = await ask<LeasedJob>(TAKE, [randomUUID(), leaseMs, kinds])
      return job ?? null
    },
    extend: (job: LeasedJob) => write(job, EXTEND, [leaseMs]),
    /** Stores what a slice came to, and lets the job go: whoever is free does the next slice. */
    store: (job: LeasedJob, { cursor, done, failed, total, message, pauseMs }: SliceResult) => {
      const next = cursor === null ? null : JSON.stringify(cursor)
      return write(job, STORE, [next, done, failed, total ?? null, message ?? null, pauseMs ?? 0])
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
/** A kind whose slices wait for a slow model leaves room for the others. */
const SLICES_AT_ONCE = 2

interface JobRunnerOptions {
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
  const timer = setInterval(() => leases.extend(job).catch(() => {}), timerMs(leaseMs / 3))
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
