import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  BatchContext,
  ConsumeOptions,
  Consumer,
  Continuation,
  Log,
  OutgoingRecord,
} from '../../../infra/log/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import type { SignalRecord } from '../../../schemas/events/signal.ts'
import type { Pipeline } from '../pipeline.ts'
import { next, retry } from '../step.ts'
import { stored, testPipeline, testSignal, testStep } from '../testing.ts'
import { appendSignals, hostForTest, startTestLog, watchTopic } from '../testing-log.ts'

// A batch has its price, whatever is in it: a transaction or two for each step, an append, a commit. So what several
// partitions of a consumer have waiting is worked off as one. Each partition keeps its own place: it moves when its own
// records are done, and what is lost, cut or failed comes again for the partition that it is of. What comes of a batch
// is appended while the next one is worked on, and never overtakes what came of the one before.

const PARTITIONS = 8
const forwarding = testStep('embed', async batch => batch.map(() => next({})))
const textOf = ({ received }: SignalRecord): string => received?.body ?? ''

const signals = (count: number): SignalRecord[] => Array.from({ length: count }, (_, index) => testSignal(`${index}`))

/** A segment on a log that is played by hand: `deliver` brings it a record at offset 5 of a partition. */
const hostByHand = async (pipeline: Pipeline) => {
  const appended: OutgoingRecord[] = []
  const committed: string[] = []
  const record = await stored(testSignal('any'), { offset: 5 })
  const brought = Promise.withResolvers<ConsumeOptions['onBatch']>()
  // The segment uses only these calls of a log.
  const log = {
    append: async (records: readonly OutgoingRecord[]) => void appended.push(...records),
    consume: async ({ onBatch }: ConsumeOptions) => {
      brought.resolve(onBatch)
      return {} as Consumer
    },
  } as unknown as Log
  await hostForTest(log, pipeline, 'validate')
  const onBatch = await brought.promise
  const deliver = (partition: number, known: Partial<BatchContext> = {}): Promise<Continuation> =>
    onBatch(
      { ...record, partition, records: [{ ...record, partition }], committed: null, highWatermark: 6 },
      {
        signal: new AbortController().signal,
        commit: async offset => void committed.push(`${partition} at ${offset}`),
        heartbeat: async () => {},
        before: Promise.resolve(),
        ...known,
      },
    )
  return { appended, committed, deliver }
}

const committedIn = async (log: Log): Promise<number> =>
  (await log.lag('assay.validate')).reduce((sum, { committed }) => sum + committed, 0)

test('what waits in eight partitions is few batches, and every place moves', async t => {
  const batches: number[] = []
  const validate = testStep('validate', async batch => {
    batches.push(batch.length)
    return batch.map(() => next({}))
  })
  const pipeline = testPipeline([validate, forwarding], ['validate', 'embed'])
  const log = await startTestLog(t, pipeline, PARTITIONS)
  const done = await watchTopic(log, 'signals.embed')
  const sent = signals(80)
  await appendSignals(log, 'validate', sent)
  await hostForTest(log, pipeline, 'validate')

  await eventually('every place is committed', async () => (await committedIn(log)) === sent.length)
  await eventually('every signal went on', () => done.length >= sent.length)
  assert.deepEqual(new Set(done.map(({ key }) => key)), new Set(sent.map(({ signal_id }) => signal_id)))
  assert.equal(done.length, sent.length)
  assert.ok(batches.length < PARTITIONS, `${batches.length} batches of ${batches}`)
})

test('of a batch that is cut, each partition brings again what was not done, and a retry is of its own signal', async t => {
  const validate = {
    ...testStep('validate', async batch => {
      const end = performance.now() + 3 * batch.length
      while (performance.now() < end);
      return batch.map(signal => (textOf(signal).includes('"7"') ? retry('Later.') : next({})))
    }),
    isPerSignal: true as const,
  }
  const pipeline = testPipeline([validate, forwarding], ['validate', 'embed'])
  const log = await startTestLog(t, pipeline, PARTITIONS)
  const done = await watchTopic(log, 'signals.embed')
  const delayed = await watchTopic(log, 'retry.10s')
  const sent = signals(100)
  await appendSignals(log, 'validate', sent)
  await hostForTest(log, pipeline, 'validate', { pace: { cpuBudgetMs: 10_000, batchMs: 50 } })

  await eventually('every place is committed', async () => (await committedIn(log)) === sent.length)
  await eventually('every signal went on', () => done.length + delayed.length >= sent.length)
  assert.deepEqual(
    delayed.map(({ key }) => key),
    [sent[7]?.signal_id],
  )
  const expected = sent.filter((_, index) => index !== 7).map(({ signal_id }) => signal_id)
  assert.deepEqual(done.map(({ key }) => key).sort(), expected.sort())
})

test('where a partition is lost in the middle, nothing of the batch is appended, and the others bring theirs again', async () => {
  const lost = new AbortController()
  let runs = 0
  const validate = testStep('validate', async batch => {
    runs += 1
    lost.abort()
    return batch.map(() => next({}))
  })
  const pipeline = testPipeline([validate, forwarding], ['validate', 'embed'])
  const { appended, committed, deliver } = await hostByHand(pipeline)

  const both = await Promise.all([deliver(1, { signal: lost.signal }), deliver(2)])
  assert.deepEqual(both, [{ next: 5 }, { next: 5 }])
  assert.deepEqual([runs, appended.length, committed], [1, 0, []])
  const { next: reached, completion } = await deliver(2)
  await completion
  assert.deepEqual([reached, runs, committed], [6, 2, ['2 at 6']])
  assert.ok(appended.length > 0)
})

test('what comes of a batch waits for the batch before of each of its partitions, and fails with it', async () => {
  const pipeline = testPipeline(
    [testStep('validate', async batch => batch.map(() => next({}))), forwarding],
    ['validate', 'embed'],
  )
  const { appended, committed, deliver } = await hostByHand(pipeline)
  const before = Promise.withResolvers<void>()
  const [one, other] = await Promise.all([deliver(1, { before: before.promise }), deliver(2)])
  await new Promise(setImmediate)
  assert.deepEqual([appended.length, committed], [0, []], 'the answer is there, and nothing is appended yet')
  before.resolve()
  await Promise.all([one.completion, other.completion])
  assert.deepEqual(committed, ['1 at 6', '2 at 6'])

  const already = appended.length
  const failing = Promise.withResolvers<void>()
  const both = await Promise.all([deliver(1, { before: failing.promise }), deliver(2)])
  failing.reject(new AssayError('unavailable', 'The log does not answer.'))
  const completions = both.map(({ completion = Promise.resolve() }) => completion)
  await Promise.all(completions.map(completion => assert.rejects(completion, { code: 'unavailable' })))
  assert.deepEqual([appended.length, committed.length], [already, 2])
})
