import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EachBatchPayload } from 'kafkajs'
import { createFetchBuffer } from './fetch-buffer.ts'

const START = { offset: 0, maxRecords: 10, maxBytes: 1000 }

/** A buffer, and the calls it made to kafkajs. */
const bufferUnderTest = () => {
  const calls: string[] = []
  const buffer = createFetchBuffer({
    topic: 'things',
    partition: 0,
    highWatermark: 0,
    seek: offset => calls.push(`seek ${offset}`),
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
  })
  return { buffer, calls }
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
  // The buffer uses only these parts of what kafkajs hands over.
  return { batch, isStale: () => isStale, commitOffsetsIfNecessary: async () => {} } as unknown as EachBatchPayload
}

test('A batch that is newer than the end the broker noted moves the end.', async () => {
  const { buffer } = bufferUnderTest()
  const fetched = buffer.fetch(START)
  const accepted = buffer.offer(payload([0, 1, 2], 1))
  assert.equal((await fetched).highWatermark, 3)
  assert.equal(buffer.highWatermark(), 3)
  buffer.end()
  await accepted
})

test('kafkajs goes on at once when a batch is worked off, and is given no call.', async () => {
  const { buffer, calls } = bufferUnderTest()
  const fetched = buffer.fetch(START)
  const accepted = buffer.offer(payload([0, 1], 2))
  await fetched
  const next = buffer.fetch({ ...START, offset: 2 })
  await accepted
  assert.deepEqual(calls, ['seek 0', 'resume'])
  buffer.cancel()
  assert.deepEqual((await next).records, [])
})

test('A slow handler does not hold kafkajs up: the partition is paused until the batch is worked off.', async () => {
  const { buffer, calls } = bufferUnderTest()
  const fetched = buffer.fetch({ ...START, maxRecords: 1 })
  await buffer.offer(payload([0, 1], 2))
  assert.deepEqual(calls, ['seek 0', 'resume', 'pause'])
  assert.equal((await fetched).records.length, 1)
  const rest = await buffer.fetch({ ...START, offset: 1 })
  assert.deepEqual(
    rest.records.map(({ offset }) => offset),
    [1],
  )
  assert.equal(calls.length, 3)
  const next = buffer.fetch({ ...START, offset: 2 })
  assert.deepEqual(calls.slice(3), ['resume'])
  buffer.end()
  await next
})

test('What was fetched before a seek is not delivered after it.', async () => {
  const { buffer, calls } = bufferUnderTest()
  void buffer.fetch(START)
  buffer.cancel()
  const fetched = buffer.fetch({ ...START, offset: 5 })
  assert.deepEqual(calls, ['seek 0', 'resume', 'seek 5'])
  await buffer.offer(payload([0, 1], 9, true))
  await buffer.offer(payload([0, 1], 9))
  assert.equal(calls.at(-1), 'seek 5')
  const accepted = buffer.offer(payload([4, 5, 6], 9))
  assert.deepEqual(
    (await fetched).records.map(({ offset }) => offset),
    [5, 6],
  )
  buffer.end()
  await accepted
})
