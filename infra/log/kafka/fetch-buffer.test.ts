import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EachBatchPayload } from 'kafkajs'
import type { Fetched } from '../partition-loop.ts'
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

const payload = (
  offsets: readonly number[],
  highWatermark: number,
  isStale = false,
  value = Buffer.from('one'),
): EachBatchPayload => {
  const messages = offsets.map(offset => ({
    key: null,
    value,
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

const offsetsOf = ({ records }: Fetched): number[] => records.map(({ offset }) => offset)
const upTo = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, place) => from + place)

test('The next batch is fetched while one is worked off, where the log has a whole one, and no more than that.', async () => {
  const { buffer, calls } = bufferUnderTest()
  const fetched = buffer.fetch(START)
  await buffer.offer(payload(upTo(0, 12), 100))
  assert.deepEqual(offsetsOf(await fetched), upTo(0, 10), 'kafkajs goes on though nobody has asked for more')
  await buffer.offer(payload(upTo(12, 25), 100))
  assert.deepEqual(calls, ['seek 0', 'resume', 'pause'], 'a whole batch is here, so that it waits')

  assert.deepEqual(offsetsOf(await buffer.fetch({ ...START, offset: 10 })), upTo(10, 20), 'of both fetches one batch')
  assert.deepEqual(calls.slice(3), ['resume'], 'and the next is fetched behind it')
  buffer.end()
})

test('Few records are left to come together: they are fetched when the loop asks.', async () => {
  const { buffer, calls } = bufferUnderTest()
  const fetched = buffer.fetch(START)
  const accepted = buffer.offer(payload(upTo(0, 10), 13))
  assert.deepEqual(offsetsOf(await fetched), upTo(0, 10))
  await accepted
  assert.deepEqual(calls, ['seek 0', 'resume', 'pause'])
  buffer.end()
})

test('Records are fetched ahead up to the bytes of a batch.', async () => {
  const { buffer, calls } = bufferUnderTest()
  const fetched = buffer.fetch(START)
  await buffer.offer(payload([0, 1, 2, 3], 100, false, Buffer.alloc(400)))
  assert.deepEqual(offsetsOf(await fetched), [0, 1])
  assert.equal(calls.at(-1), 'resume')
  await buffer.offer(payload([4], 100, false, Buffer.alloc(400)))
  assert.equal(calls.at(-1), 'pause')
  buffer.end()
})

test('A batch that failed is here still, and what was fetched behind it too.', async () => {
  const { buffer, calls } = bufferUnderTest()
  const fetched = buffer.fetch(START)
  await buffer.offer(payload(upTo(0, 10), 100))
  await fetched
  await buffer.offer(payload(upTo(10, 20), 100))
  assert.deepEqual(offsetsOf(await buffer.fetch(START)), upTo(0, 10))
  assert.deepEqual(offsetsOf(await buffer.fetch({ ...START, offset: 10 })), upTo(10, 20))
  const seeks = (): readonly string[] => calls.filter(call => call.startsWith('seek'))
  assert.deepEqual(seeks(), ['seek 0'])
  await buffer.offer(payload(upTo(20, 30), 100))
  const earlier = buffer.fetch(START)
  assert.deepEqual(seeks(), ['seek 0', 'seek 0'], 'one before it is fetched anew')
  buffer.end()
  await earlier
})
