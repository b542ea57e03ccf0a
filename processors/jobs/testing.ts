import assert from 'node:assert/strict'
import type { TestDatabase } from '../../infra/postgres/testing.ts'
import { nextNumbers } from '../../model/references/next-numbers.ts'
import { insertSignals } from '../../model/signals/store-signals.ts'
import { type JobId, newId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { type FinishedFields, finished } from '../steps/testing.ts'
import type { JobDefinition, SliceResult } from './job-kind.ts'

/** Helpers of the job tests: a workspace with signals, and a job that runs as in the runner. */

export const newWorkspace = async (db: TestDatabase): Promise<WorkspaceId> => {
  const [id] = await db.workspaces(1)
  assert.ok(id)
  return id
}

/** Stores signals as the step insert does, numbered in order. */
export const addSignals = async (
  db: TestDatabase,
  workspaceId: WorkspaceId,
  ...written: readonly (readonly [text: string, finish?: FinishedFields])[]
): Promise<readonly SignalId[]> => {
  const signals = await Promise.all(written.map(([text, finish]) => finished(workspaceId, text, finish)))
  await db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, async transaction => {
    const numbers = await nextNumbers(
      transaction,
      'signal',
      signals.map(() => workspaceId),
    )
    await insertSignals(
      transaction,
      signals.flatMap((signal, index) => ({ signal, number: numbers[index] ?? 0 })),
    )
  })
  return signals.map(signal => signal.signal_id)
}

const ADD_MANY = `
  insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at, received_at,
    classification, classification_confidence, classification_version)
  select gen_random_uuid(), $1, number, 'webhook', 'Text ' || number, sha256(convert_to('text ' || number, 'UTF8')), 'customer', 'user',
    now(), now(), 'problem', 0.9, 'test'
  from generate_series($2::int, $3::int) as number`

/** Stores signals numbered from 1, without vectors. */
export const addManySignals = async (db: TestDatabase, workspaceId: WorkspaceId, count: number): Promise<void> => {
  // One statement for all of them would exceed its timeout on a busy machine.
  for (let first = 1; first <= count; first += 1000)
    await db.pool.query(ADD_MANY, [workspaceId, first, Math.min(first + 999, count)])
}

/** A job's result, as its row shows it. */
export interface Outcome {
  readonly done: number
  readonly failed: number
  readonly total: number | null
  readonly messages: readonly string[]
  readonly slices: number
}

export interface JobRun {
  /** Id of the job, where other rows refer to it. */
  readonly jobId?: JobId
  readonly input?: unknown
  /** Cursor to start with, as `stopped` received it. */
  readonly from?: unknown
  /** Called after each slice with its stored cursor. The run ends when it answers true. */
  readonly after?: (cursor: unknown, result: SliceResult) => boolean | undefined | Promise<boolean | undefined>
}

/** Runs a job's slices one after the other, each from the stored form of the cursor, until the job is done. */
export const runJob = async (
  definition: JobDefinition,
  workspaceId: WorkspaceId,
  { jobId = newId<JobId>(), input = {}, from = null, after }: JobRun = {},
): Promise<Outcome> => {
  const messages: string[] = []
  const outcome = { done: 0, failed: 0, total: null as number | null, slices: 0 }
  for (let cursor = from; ; ) {
    const result = await definition.slice({ jobId, workspaceId, input, cursor })
    cursor = JSON.parse(JSON.stringify(result.cursor))
    outcome.done += result.done
    outcome.failed += result.failed
    outcome.total = result.total ?? outcome.total
    outcome.slices += 1
    if (result.message !== undefined) messages.push(result.message)
    if ((await after?.(cursor, result)) || cursor === null) return { ...outcome, messages }
    assert.ok(outcome.slices < 1000, 'the job comes to no end')
  }
}

/**
 * Runs a job through a crash: the second slice, or the slice behind the first cursor that `stopAt` accepts, takes
 * effect and loses its cursor, so that it runs again. `first` is the result before the crash, `rest` the result after
 * it.
 */
export const runJobThroughCrash = async (
  definition: () => JobDefinition,
  workspaceId: WorkspaceId,
  stopAt: (cursor: unknown) => boolean = () => true,
): Promise<{ readonly first: Outcome; readonly rest: Outcome }> => {
  let crashed: unknown = null
  const first = await runJob(definition(), workspaceId, {
    after: cursor => {
      crashed = cursor
      return stopAt(cursor)
    },
  })
  await runJob(definition(), workspaceId, { from: crashed, after: () => true })
  return { first, rest: await runJob(definition(), workspaceId, { from: crashed }) }
}
