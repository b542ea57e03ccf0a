import assert from 'node:assert/strict'
import type { TestDatabase } from '../../infra/postgres/testing.ts'
import { nextNumbers } from '../../model/references/next-numbers.ts'
import { insertSignals } from '../../model/signals/store-signals.ts'
import { type JobId, newId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { type FinishedFields, finished } from '../steps/testing.ts'
import type { JobDefinition, SliceResult } from './job-kind.ts'

/** What the tests of jobs share: a workspace with signals, and a job done as the runner does it. */

export const newWorkspace = async (db: TestDatabase): Promise<WorkspaceId> => {
  const [id] = await db.workspaces(1)
  assert.ok(id)
  return id
}

/** Stores signals as insert does, numbered in their order. */
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
  // A statement for all of them would take longer than it may, on a machine that has much else to do.
  for (let first = 1; first <= count; first += 1000)
    await db.pool.query(ADD_MANY, [workspaceId, first, Math.min(first + 999, count)])
}

/** What came of a job, as its row would show it. */
export interface Outcome {
  readonly done: number
  readonly failed: number
  readonly total: number | null
  readonly messages: readonly string[]
  readonly slices: number
}

export interface JobRun {
  readonly input?: unknown
  /** Where to go on: what `stopped` was given. */
  readonly from?: unknown
  /** Called after each slice with its cursor as it would be stored; what it answers true for ends the course there. */
  readonly after?: (cursor: unknown, result: SliceResult) => boolean | undefined | Promise<boolean | undefined>
}

/** Does a job's slices one after the other, each from the stored form of the cursor, until it is done. */
export const runJob = async (
  definition: JobDefinition,
  workspaceId: WorkspaceId,
  { input = {}, from = null, after }: JobRun = {},
): Promise<Outcome> => {
  const jobId = newId<JobId>()
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
 * Does a job as after a crash: the slice behind the first one, or behind the first whose cursor `stopAt` says yes to,
 * takes effect and its cursor is lost, so that it is done again. `first` is what came before it, `rest` what came
 * after.
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
