import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { OutgoingRecord } from '../../../infra/log/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { putBack, takeOut } from '../../../model/duplicates/taken-out.ts'
import type { JobId } from '../../../schemas/domain/ids.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import { signalsTopic } from '../../../schemas/events/topics.ts'
import { signalCodec, testSignal } from '../../framework/testing.ts'
import { appendSignals, hostForTest, startTestLog, watchTopic } from '../../framework/testing-log.ts'
import { segmentGroup } from '../../framework/topics.ts'
import { createBuiltInClassifier } from '../../steps/classify/built-in/classifier.ts'
import { embedder, freshNeighbours, freshWords } from '../../steps/testing.ts'
import { createTopology, type DEFAULT_HEADS } from '../../topology.ts'
import { newWorkspace } from '../testing.ts'
import { createTakeOutJob } from './take-out.ts'

let postgres: TestDatabase
before(async () => {
  postgres = await startTestDatabase()
})
after(() => postgres.stop())

const problem = 'The export of large boards fails with an error every time we try it.'

/** A workspace with a Signal and its repeat, which came in through the whole pipeline. */
const start = async (t: TestContext) => {
  const workspaceId = await newWorkspace(postgres)
  const { database } = postgres
  const pipeline = createTopology({
    database,
    neighbours: freshNeighbours(),
    words: freshWords(),
    judge: null,
    classifier: createBuiltInClassifier(),
    actorKey: address => address,
    embedder,
  })
  const log = await startTestLog(t, pipeline)
  for (const { head } of pipeline.segments) await hostForTest(log, pipeline, head, { lane: 'live' })
  const atCluster = await watchTopic(log, signalsTopic('cluster'))
  const [original, repeat] = [1, 2].map(() => testSignal(problem, { workspace_id: workspaceId }))
  assert.ok(original && repeat)
  const query = async (statement: string, values: readonly unknown[] = [workspaceId]) =>
    (await postgres.pool.query(statement, [...values])).rows
  const clustered = (signals: number) =>
    eventually('the segment is idle', async () => {
      const at = await log.lag('assay.cluster')
      return atCluster.length === signals && at.reduce((sum, { committed }) => sum + committed, 0) === signals
    })
  // What a segment sends on is on the log before its offset is committed.
  const idle = () =>
    eventually('the pipeline is idle', async () => {
      for (const { head } of pipeline.segments) {
        const at = await log.lag(segmentGroup(head, 'live'))
        if (at.some(({ committed, highWatermark }) => committed !== highWatermark)) return false
      }
      return true
    })
  await appendSignals(log, 'validate', [original])
  await clustered(1)
  await appendSignals(log, 'validate', [repeat])
  await eventually(
    'it is an occurrence',
    async () => (await query('select from occurrences where workspace_id = $1')).length > 0,
  )

  const through = (work: typeof takeOut) =>
    database.transaction({ role: 'assay_app', workspaceId }, transaction =>
      work(transaction, repeat.signal_id, new Date()),
    )
  const slice = (to: { append: (records: readonly OutgoingRecord[]) => Promise<void> } = log) =>
    createTakeOutJob({ log: to, database, embedder, signalCodec, pipeline }).slice({
      jobId: newId<JobId>(),
      workspaceId,
      input: {},
      cursor: null,
    })
  return {
    log,
    original,
    repeat,
    query,
    clustered,
    idle,
    slice,
    takeOut: () => through(takeOut),
    putBack: () => through(putBack),
    sums: () =>
      query(
        `select title, signals from priority_totals join claims on claims.id = target_id
         where priority_totals.workspace_id = $1 order by claims.number`,
      ),
  }
}

describe('a repeat that is taken out', () => {
  it('is a signal of its own with its own id, once, though it is sent twice; the sums of the claims follow', async t => {
    const { log, original, repeat, query, clustered, slice, takeOut, sums } = await start(t)
    assert.deepEqual(
      (await sums()).map(({ signals }) => signals),
      [2],
    )
    await takeOut()
    const crashing = {
      append: async (records: readonly OutgoingRecord[]) => {
        for (let time = 0; time < 2; time += 1) await log.append(records)
        throw new AssayError('unavailable', 'The log does not answer.')
      },
    }
    await assert.rejects(slice(crashing), { code: 'unavailable' })
    // It is sent once more, unless the pipeline has stored it by then.
    const { done } = await slice()
    if (done === 1) assert.deepEqual(await slice(), { cursor: null, done: 0, failed: 0 })
    await clustered(3 + done)
    const signals = await query('select id, text, classification from signals where workspace_id = $1 order by number')
    assert.deepEqual(signals, [
      { id: original.signal_id, text: problem, classification: 'problem' },
      { id: repeat.signal_id, text: problem, classification: 'problem' },
    ])
    assert.deepEqual(await query('select from occurrences where workspace_id = $1'), [])
    assert.deepEqual(
      (await sums()).map(({ signals }) => signals),
      [1, 1],
    )
  })

  it('and put back while it is on its way stays what it was', async t => {
    const { log, repeat, query, idle, slice, takeOut, putBack, sums } = await start(t)
    await takeOut()
    const kept: OutgoingRecord[] = []
    await slice({ append: async records => void kept.push(...records) })
    await putBack()
    await log.append(kept)
    await idle()
    assert.deepEqual(await query('select id from occurrences where workspace_id = $1'), [{ id: repeat.signal_id }])
    assert.deepEqual(
      (await sums()).map(({ signals }) => signals),
      [2],
    )
    assert.equal(kept.length, 1)
  })

  it('enters at anchor with its vector where embed is no head, and says what to do where neither is', async t => {
    const { slice: _, takeOut, repeat } = await start(t)
    await takeOut()
    const { database } = postgres
    const topology = (heads: typeof DEFAULT_HEADS) =>
      createTopology(
        {
          database,
          neighbours: freshNeighbours(),
          words: freshWords(),
          judge: null,
          classifier: createBuiltInClassifier(),
          actorKey: String,
          embedder,
        },
        heads,
      )
    const sliceAt = async (heads: typeof DEFAULT_HEADS) => {
      const kept: OutgoingRecord[] = []
      const log = { append: async (records: readonly OutgoingRecord[]) => void kept.push(...records) }
      const job = createTakeOutJob({ log, database, embedder, signalCodec, pipeline: topology(heads) })
      await job.slice({ jobId: newId<JobId>(), workspaceId: repeat.workspace_id, input: {}, cursor: null })
      return kept
    }
    await assert.rejects(sliceAt(['validate', 'cluster']), /add one to PIPELINE_HEADS/)
    const [sent] = await sliceAt(['validate', 'anchor', 'cluster'])
    assert.ok(sent)
    assert.deepEqual([sent.topic, sent.key], ['signals.anchor', repeat.workspace_id])
    assert.equal((await signalCodec.decode(sent.value)).embedding?.model, embedder.model)
  })
})
