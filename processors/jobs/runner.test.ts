import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { joinJob, startJob } from '../../model/jobs/start-job.ts'
import type { JobId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Polling } from '../framework/poll.ts'
import { testObserver } from '../framework/testing.ts'
import type { JobDefinition, JobSlice, SliceResult } from './job-kind.ts'
import { startJobRunner } from './runner.ts'

let postgres: TestDatabase
let workspace: WorkspaceId
const running: Polling[] = []

before(async () => {
  postgres = await startTestDatabase()
  const [made] = await postgres.workspaces(1)
  assert.ok(made)
  workspace = made
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(runner => runner.stop()))
  await postgres.pool.query('delete from jobs')
})
after(() => postgres.stop())

/** A runner that looks often, as a processor of its own. */
const run = (slice: JobDefinition['slice'], known: { leaseMs?: number } = {}): Polling => {
  const kinds = [{ kind: 'replay', slice }] as const
  const { database } = postgres
  const pauses = { firstMs: 5, longestMs: 20 }
  const runner = startJobRunner({ database, kinds, observer: testObserver(), intervalMs: 5, pauses, ...known })
  running.push(runner)
  return runner
}

const start = (): Promise<JobId> =>
  postgres.database.transaction({ role: 'assay_app', workspaceId: workspace }, transaction =>
    startJob(transaction, {
      workspaceId: workspace,
      kind: 'replay',
      input: { of: 'it' },
      total: null,
      startedBy: 'Test',
    }),
  )

interface Row {
  readonly state: string
  readonly cursor: unknown
  readonly total: number | null
  readonly done: number
  readonly failed: number
  readonly message: string | null
  readonly finished_at: Date | null
  readonly leased_until: Date | null
}
const rowOf = async (id: JobId): Promise<Row> => {
  const { rows } = await postgres.pool.query<Row>('select * from jobs where id = $1', [id])
  assert.ok(rows[0])
  return rows[0]
}
const becomes = (id: JobId, state: string): Promise<Row> =>
  eventually(`the job is ${state}`, async () => {
    const row = await rowOf(id)
    return row.state === state && row
  })

/** Counts to `last`, one a slice. */
const counting =
  (last: number, seen: unknown[] = []) =>
  async ({ cursor }: JobSlice): Promise<SliceResult> => {
    seen.push(cursor)
    const next = Number(cursor ?? 0) + 1
    return { cursor: next === last ? null : next, done: 1, failed: 0, total: last }
  }

/** A slice that waits until it is let go. */
const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, open: resolve }
}

describe('a job', () => {
  it('is not over where somebody asked for more of it during its last slice', async () => {
    let slices = 0
    run(async () => {
      slices += 1
      const inside = { role: 'assay_app', workspaceId: workspace } as const
      if (slices === 1) await postgres.database.transaction(inside, transaction => joinJob(transaction, 'replay'))
      return { cursor: null, done: 1, failed: 0 }
    })
    const { done } = await becomes(await start(), 'done')
    assert.deepEqual([slices, done], [2, 2])
  })

  it('is done slice by slice, each from where the one before ended', async () => {
    const seen: unknown[] = []
    const given: JobSlice[] = []
    const id = await start()
    run(slice => {
      given.push(slice)
      return counting(3, seen)(slice)
    })
    const row = await becomes(id, 'done')
    assert.deepEqual(seen, [null, 1, 2])
    assert.deepEqual(given[0], { jobId: id, workspaceId: workspace, input: { of: 'it' }, cursor: null })
    assert.partialDeepStrictEqual(row, {
      cursor: null,
      total: 3,
      done: 3,
      failed: 0,
      message: null,
      leased_until: null,
    })
    assert.ok(row.finished_at)
  })

  it('is worked on by one of several processors at a time, and no slice is done twice', async () => {
    const ids = await Promise.all([start(), start(), start()])
    const seen = new Map<JobId, unknown[]>()
    let most = 0
    const busy = new Map<JobId, number>()
    const slice = async (given: JobSlice): Promise<SliceResult> => {
      const { jobId } = given
      busy.set(jobId, (busy.get(jobId) ?? 0) + 1)
      most = Math.max(most, busy.get(jobId) ?? 0)
      const cursors = seen.get(jobId) ?? []
      seen.set(jobId, cursors)
      const result = await counting(8, cursors)(given)
      await new Promise(setImmediate)
      busy.set(jobId, (busy.get(jobId) ?? 0) - 1)
      return result
    }
    run(slice)
    run(slice)
    for (const id of ids) {
      await becomes(id, 'done')
      assert.deepEqual(seen.get(id), [null, 1, 2, 3, 4, 5, 6, 7])
    }
    assert.equal(most, 1)
  })

  it('goes on at its cursor when the processor that had it is gone, and not before its lease is over', async () => {
    const id = await start()
    await postgres.pool.query(
      `update jobs set cursor = '2', done = 2, lease_id = gen_random_uuid(), leased_until = now() + interval '1 hour'`,
    )
    const seen: unknown[] = []
    run(counting(4, seen))
    const other = await start()
    await becomes(other, 'done')
    assert.deepEqual(seen, [null, 1, 2, 3])
    await postgres.pool.query('update jobs set leased_until = now() where id = $1', [id])
    assert.equal((await becomes(id, 'done')).done, 4)
    assert.deepEqual(seen.slice(4), [2, 3])
  })

  it('keeps its lease for as long as a slice takes', async () => {
    const [entered, leave] = [gate(), gate()]
    let slices = 0
    const slice = async (): Promise<SliceResult> => {
      slices += 1
      entered.open()
      await leave.promise
      return { cursor: null, done: 1, failed: 0 }
    }
    const id = await start()
    run(slice, { leaseMs: 300 })
    run(slice, { leaseMs: 300 })
    await entered.promise
    const { leased_until: first } = await rowOf(id)
    assert.ok(first)
    await eventually(
      'the lease was extended twice',
      async () => Number((await rowOf(id)).leased_until) > Number(first) + 300,
    )
    leave.open()
    await becomes(id, 'done')
    assert.equal(slices, 1)
  })

  it('is not written to by a slice that lost its lease', async () => {
    const [entered, leave] = [gate(), gate()]
    const id = await start()
    const runner = run(async () => {
      entered.open()
      await leave.promise
      return { cursor: 'mine', done: 1, failed: 0 }
    })
    await entered.promise
    await postgres.pool.query(
      `update jobs set cursor = '"theirs"', lease_id = gen_random_uuid(), leased_until = now() + interval '1 hour'`,
    )
    leave.open()
    await runner.stop()
    assert.partialDeepStrictEqual(await rowOf(id), { state: 'running', cursor: 'theirs', done: 0 })
  })

  it('that is cancelled has no further slice, and the one under way changes nothing of it', async () => {
    const [entered, leave] = [gate(), gate()]
    let slices = 0
    const id = await start()
    const runner = run(async () => {
      slices += 1
      entered.open()
      await leave.promise
      return { cursor: slices, done: 1, failed: 0 }
    })
    await entered.promise
    await postgres.pool.query(`update jobs set state = 'cancelled', finished_at = now()`)
    leave.open()
    const other = await start()
    await eventually('another job had its turn', async () => (await rowOf(other)).done > 0)
    await runner.stop()
    assert.partialDeepStrictEqual(await rowOf(id), { state: 'cancelled', cursor: null, done: 0 })
  })

  it('fails with what was wrong, and with nothing of an error that nobody foresaw', async () => {
    const [told, internalFailure] = [await start(), await start()]
    run(async ({ jobId }) => {
      if (jobId === told) throw new AssayError('invalid_input', 'There is no such step.')
      throw new TypeError('a record’s words')
    })
    assert.equal((await becomes(told, 'failed')).message, 'There is no such step.')
    const { message, finished_at } = await becomes(internalFailure, 'failed')
    assert.match(message ?? '', /nobody foresaw \(TypeError\)/)
    assert.ok(finished_at)
  })

  it('waits while something that it needs is away, says for what, and goes on', async () => {
    const id = await start()
    let away = true
    let tries = 0
    run(async slice => {
      tries += 1
      if (away) throw new AssayError('unavailable', 'The embedder is away.')
      return counting(1)(slice)
    })
    await eventually('it was tried a third time', () => tries >= 3)
    assert.partialDeepStrictEqual(await rowOf(id), {
      state: 'running',
      message: 'Waiting: The embedder is away.',
      done: 0,
    })
    away = false
    assert.partialDeepStrictEqual(await becomes(id, 'done'), { message: null, done: 1 })
  })

  it('says why the last item that came to nothing did', async () => {
    const id = await start()
    run(async ({ cursor }) =>
      cursor === null
        ? { cursor: 1, done: 2, failed: 1, message: 'It is gone.' }
        : { cursor: null, done: 1, failed: 0 },
    )
    assert.partialDeepStrictEqual(await becomes(id, 'done'), { done: 3, failed: 1, message: 'It is gone.' })
  })

  it('rests between slices for as long as a slice asks', async () => {
    const id = await start()
    run(async () => ({ cursor: 1, done: 1, failed: 0, pauseMs: 3_600_000 }))
    const other = await eventually('the first slice is stored', async () => (await rowOf(id)).done === 1)
    assert.ok(other)
    const { rows } = await postgres.pool.query(`select not_before > now() + interval '50 minutes' as rests from jobs`)
    assert.deepEqual(rows, [{ rests: true }])
  })
})

describe('a runner', () => {
  it('that is stopped finishes its slice and stores it', async () => {
    const [entered, leave] = [gate(), gate()]
    const id = await start()
    // The other worker may be asking for work just then, and get the job once more.
    let begun = 0
    const runner = run(async () => {
      begun += 1
      entered.open()
      await leave.promise
      return { cursor: 'next', done: 1, failed: 0 }
    })
    await entered.promise
    const stopped = runner.stop()
    leave.open()
    await stopped
    assert.ok(begun <= 2)
    assert.partialDeepStrictEqual(await rowOf(id), {
      state: 'running',
      cursor: 'next',
      done: begun,
      leased_until: null,
    })
  })

  it('leaves kinds that it does not know to others', async () => {
    const id = await start()
    await postgres.pool.query(`update jobs set kind = 're_judge' where id = $1`, [id])
    const known = await start()
    run(counting(1))
    await becomes(known, 'done')
    assert.partialDeepStrictEqual(await rowOf(id), { state: 'running', done: 0 })
  })
})
