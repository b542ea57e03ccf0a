import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createReviewJob } from '../../../processors/jobs/review/review.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

const NOW = new Date('2027-06-01T12:00:00Z')
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000)

describe('A Product Review in the app', () => {
  let kit: OperationsKit
  let workspace: Workspace
  before(async () => {
    kit = await startOperations()
  })
  after(() => kit.stop())
  beforeEach(async () => {
    kit.now = NOW
    workspace = await kit.workspace()
  })

  const start = async (input: object = {}) => (await workspace.inApp('start_review', input)).data
  const read = async (id: string) => (await workspace.inApp('read_review', { id })).data

  /** A slice of the job, as the runner does it: again from its stored cursor. */
  const slice = async (jobId: string, cursor: unknown) => {
    const { rows } = await kit.database.pool.query('select input from jobs where id = $1', [jobId])
    const job = { jobId, workspaceId: workspace.id, input: rows[0].input, cursor }
    const { cursor: next } = await createReviewJob(kit.database).slice(
      job as Parameters<ReturnType<typeof createReviewJob>['slice']>[0],
    )
    return JSON.parse(JSON.stringify(next))
  }
  const prepare = async (jobId: string): Promise<void> => {
    let cursor: unknown = null
    do cursor = await slice(jobId, cursor)
    while (cursor !== null)
  }

  const signals = async (days: number, count: number) => {
    for (let place = 0; place < count; place += 1) {
      const { id } = await workspace.signal({ text: `It hangs, ${days} and ${place}.`, occurredAt: daysAgo(days) })
      await kit.database.pool.query('update signals set inserted_at = $2 where id = $1', [id, daysAgo(days)])
    }
  }

  it('compares whole months with as many months before, by the clocks of its zone', async () => {
    const time = { from: '2027-04-01', to: '2027-05-01', time_zone: 'Europe/Berlin' }
    const job = await start({ time, title: 'April' })
    await prepare(job.id)
    const { review } = await read(job.id)
    assert.equal(review.period_from, '2027-03-31T22:00:00.000Z')
    assert.equal(review.previous_period_from, '2027-02-28T23:00:00.000Z')
  })

  it('is prepared by a job whose id it takes, and reads whole, with what charts are drawn from', async () => {
    await signals(8, 2)
    await signals(4, 3)
    await signals(1, 1)
    const job = await start({ time: { from: '2027-05-25T12:00:00Z' }, title: 'The week' })
    assert.partialDeepStrictEqual(job, { kind: 'review', state: 'running', done: 0, total: 6, about: 'The week' })
    const waiting = await read(job.id)
    assert.deepEqual([waiting.review, waiting.job.id], [null, job.id])

    await prepare(job.id)
    const { review, job: over } = await read(job.id)
    assert.deepEqual([over, review.id, review.title], [null, job.id, 'The week'])
    assert.equal(review.previous_period_from, '2027-05-18T12:00:00.000Z')
    const { signals: told } = review.figures
    assert.deepEqual([told.count, told.previous_count], [4, 2])
    assert.deepEqual(told.by_classification, [{ classification: 'problem', signals: 4, previous_signals: 2 }])
    assert.deepEqual(
      told.time_series.map((part: { signals: number; previous_signals: number }) => [
        part.signals,
        part.previous_signals,
      ]),
      [
        [0, 0],
        [0, 0],
        [0, 0],
        [3, 0],
        [0, 0],
        [0, 0],
        [1, 2],
      ],
    )
    assert.equal(told.time_series[0].from, '2027-05-25T12:00:00.000Z')
  })

  it('has the figures that an agent gets, who is spared what only charts need', async () => {
    await signals(3, 2)
    const { id } = await start({ title: 'May' })
    await prepare(id)
    const { figures } = (await read(id)).review
    const { data } = await workspace.call('service_analyze', 'reviews', { id, depth: 'full' })
    const { time_series, ...counted } = figures.signals
    assert.equal(time_series.length, 30)
    assert.deepEqual(data.items[0].figures, { ...figures, signals: counted })
    const { data: prepared } = await workspace.call('service_analyze', 'prepare_review', {
      title: 'May',
      depth: 'full',
    })
    assert.deepEqual(prepared.figures, data.items[0].figures)
  })

  it('is saved once, though its last part be done twice', async () => {
    const { id } = await start({ title: 'May' })
    let [cursor, last]: unknown[] = [null, null]
    do {
      last = cursor
      cursor = await slice(id, cursor)
    } while (cursor !== null)
    await slice(id, last)
    assert.equal((await workspace.call('service_analyze', 'reviews')).data.count, 1)
  })

  it('saves nothing when it is cancelled, and says who did', async () => {
    const { id } = await start()
    await workspace.inApp('cancel_job', { id })
    const { review, job } = await read(id)
    assert.deepEqual([review, job.state, job.cancelled_by], [null, 'cancelled', 'Owner'])
    assert.equal((await workspace.call('service_analyze', 'reviews')).data.count, 0)
    await start()
  })

  it('is one at a time, of a time that has begun, by a member', async () => {
    for (const [time, message] of [
      [{ from: '2027-06-02', to: '2027-06-03' }, /past/],
      [{ from: '2027-06-02' }, /before/],
      [{ from: '2027-05-02', to: '2027-05-01' }, /before/],
      [{ from: 'May' }, /ISO 8601/],
    ] as const) {
      await assert.rejects(start({ time }), failsWith('invalid_input', message))
    }
    await assert.rejects(start({ title: ' ' }), failsWith('invalid_input', /title/))
    await assert.rejects(workspace.inApp('start_review', {}, 'viewer'), failsWith('forbidden'))
    await start()
    await assert.rejects(start(), failsWith('conflict', /Another Product Review/))
  })

  it('is of its workspace alone, and no other job is one', async () => {
    const { id } = await start()
    const stranger = await kit.workspace()
    await assert.rejects(stranger.inApp('read_review', { id }), failsWith('not_found'))
    await prepare(id)
    await assert.rejects(stranger.inApp('read_review', { id }), failsWith('not_found'))
    const { data: other } = await workspace.call('service_support', 'start_job', { job_kind: 're_scrub' })
    await assert.rejects(read(other.id), failsWith('not_found', /No Product Review/))
  })

  it('reads what was saved before series and counts of the time before were kept', async () => {
    const { data } = await workspace.call('service_analyze', 'review', { title: 'Old' })
    await kit.database.pool.query(
      `update product_reviews set figures = jsonb_set(figures #- '{previous_decisions}' #- '{signals,time_series}',
         '{metrics}', '[]') where id = $1`,
      [data.id],
    )
    const { figures } = (await read(data.id)).review
    assert.deepEqual([figures.previous_decisions, figures.signals.time_series], [undefined, undefined])
  })
})
