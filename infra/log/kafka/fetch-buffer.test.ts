import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EachBatchPayload } from 'kafkajs'
import { createFetchBuffer } from './fetch-buffer.ts'

const START = { offset: 0, maxRecords: 10, maxBytes: 1000 }

/** A feed, and what it told kafkajs. */
const feedUnderTest = () => {
  const told: string[] = []
  const feed = createFetchBuffer({
    topic: 'things',
    partition: 0,
    highWatermark: 0,
    seek: offset => told.push(`seek ${offset}`),
    pause: () => told.push('pause'),
    resume: () => told.push('resume'),
  })
  return { feed, told }
}

const payload = (offsets: readonly number[], highWatermark: number, isStale = false): EachBatchPayload => {
  const messages = offsets.map(offset => ({
    key: null,
    value: Buffer.from(`${offset}`),
    timestamp: '1',
    attributes: 0,
    offset: `${offset}`,
    headers: {},
  }))
  const batch = { topic: 'things', partition: 0, highWatermark: `${highWatermark}`, messages }
  // The feed uses only these parts of what kafkajs hands over.
  return { batch, isStale: () => isStale, commitOffsetsIfNecessary: async () => {} } as unknown as EachBatchPayload
}

test('A batch that is newer than the end the broker noted moves the end.', async () => {
  const { feed } = feedUnderTest()
  const fetched = feed.fetch(START)
  const accepted = feed.offer(payload([0, 1, 2], 1))
  assert.equal((await fetched).highWatermark, 3)
  assert.equal(feed.highWatermark(), 3)
  feed.end()
  await accepted
})

test('kafkajs goes on at once when a batch is worked off, and is told nothing.', async () => {
  const { feed, told } = feedUnderTest()
  const fetched = feed.fetch(START)
  const accepted = feed.offer(payload([0, 1], 2))
  await fetched
  const next = feed.fetch({ ...START, offset: 2 })
  await accepted
  assert.deepEqual(told, ['seek 0', 'resume'])
  feed.cancel()
  assert.deepEqual((await next).records, [])
})

test('A slow handler does not hold kafkajs up: the partition is paused until the batch is worked off.', async () => {
  const { feed, told } = feedUnderTest()
  const fetched = feed.fetch({ ...START, maxRecords: 1 })
  await feed.offer(payload([0, 1], 2))
  assert.deepEqual(told, ['seek 0', 'resume', 'pause'])
  assert.equal((await fetched).records.length, 1)
  const rest = await feed.fetch({ ...START, offset: 1 })
  assert.deepEqual(
    rest.records.map(({ offset }) => offset),
    [1],
  )
  assert.equal(told.length, 3)
  const next = feed.fetch({ ...START, offset: 2 })
  assert.deepEqual(told.slice(3), ['resume'])
  feed.end()
  await next
})

test('What was fetched before a seek is not delivered after it.', async () => {
  const { feed, told } = feedUnderTest()
  void feed.fetch(START)
  feed.cancel()
  const fetched = feed.fetch({ ...START, offset: 5 })
  assert.deepEqual(told, ['seek 0', 'resume', 'seek 5'])
  await feed.offer(payload([0, 1], 9, true))
  await feed.offer(payload([0, 1], 9))
  assert.equal(told.at(-1), 'seek 5')
  const accepted = feed.offer(payload([4, 5, 6], 9))
  assert.deepEqual(
    (await fetched).records.map(({ offset }) => offset),
    [5, 6],
  )
  feed.end()
  await accepted
})
