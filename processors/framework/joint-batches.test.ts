import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Batch, BatchContext } from '../../infra/log/port.ts'
import { coalesceBatches, type PartitionBatch } from './joint-batches.ts'

const LIMITS = { maxRecords: 10, maxBytes: 1000 }

const batchOf = (partition: number, records: number, bytes = 1): Batch => ({
  topic: 'things',
  partition,
  records: Array.from({ length: records }, (_, offset) => ({
    ...{ topic: 'things', partition, offset, timestamp: 0, key: null, headers: {} },
    value: new Uint8Array(bytes),
  })),
  committed: null,
  highWatermark: records,
})

const contextOf = (signal = new AbortController().signal): BatchContext => ({
  signal,
  commit: async () => {},
  heartbeat: async () => {},
  before: Promise.resolve(),
})

/** Joint batches that are under way until the test ends each; `worked` has the partitions of each, in order. */
const startJoining = () => {
  const worked: number[][] = []
  const ends: ((end: 'done' | 'failed') => void)[] = []
  const join = coalesceBatches(LIMITS, async (joint: readonly PartitionBatch[]) => {
    worked.push(joint.map(({ batch }) => batch.partition))
    const end = await new Promise<'done' | 'failed'>(resolve => ends.push(resolve))
    if (end === 'failed') throw new Error('The store is away.')
    return joint.map(({ batch }) => `${batch.partition} is done`)
  })
  return { worked, ends, bring: (batch: Batch, context = contextOf()) => join(batch, context) }
}

test('batches that come in one turn are one, and each has its own answer', async () => {
  const { worked, ends, bring } = startJoining()
  const brought = [bring(batchOf(3, 1)), bring(batchOf(1, 2))]
  await nextTurn()
  assert.deepEqual(worked, [[3, 1]])
  ends[0]?.('done')
  assert.deepEqual(await Promise.all(brought), ['3 is done', '1 is done'])
})

test('a joint batch has no more records or bytes than one of a partition; the oldest is in it, however large', async () => {
  const { worked, bring } = startJoining()
  const sizes: [records: number, bytes: number][] = [
    [20, 1],
    [4, 1],
    [7, 1],
    [6, 1],
    [1, 999],
  ]
  for (const [partition, [records, bytes]] of sizes.entries()) void bring(batchOf(partition, records, bytes))
  await nextTurn()
  assert.deepEqual(worked, [[0], [1, 3], [2], [4]])
})

test('while four are under way, what comes is joined for the next', async () => {
  const { worked, ends, bring } = startJoining()
  for (const partition of [0, 1, 2, 3]) void bring(batchOf(partition, LIMITS.maxRecords))
  await nextTurn()
  for (const partition of [4, 5, 6]) {
    void bring(batchOf(partition, 1))
    await nextTurn()
  }
  assert.deepEqual(worked, [[0], [1], [2], [3]])
  ends[1]?.('done')
  await nextTurn()
  assert.deepEqual(worked.slice(4), [[4, 5, 6]])
})

test('what fails fails for each of its partitions, and the next ones go on', async () => {
  const { worked, ends, bring } = startJoining()
  const failing = [bring(batchOf(0, 5)), bring(batchOf(1, 5))]
  const rejected = Promise.all(failing.map(one => assert.rejects(one, /The store is away/)))
  const other = bring(batchOf(2, 5))
  await nextTurn()
  ends[0]?.('failed')
  await rejected
  ends[1]?.('done')
  assert.equal(await other, '2 is done')
  assert.deepEqual(worked, [[0, 1], [2]])
})

test('a partition that is lost while it waits is not worked on', async () => {
  const { worked, ends, bring } = startJoining()
  for (const partition of [0, 1, 2, 3]) void bring(batchOf(partition, LIMITS.maxRecords))
  await nextTurn()
  const lost = new AbortController()
  const rejected = assert.rejects(bring(batchOf(4, 1), contextOf(lost.signal)), { code: 'partition_lost' })
  const held = bring(batchOf(5, 1))
  lost.abort()
  ends[0]?.('done')
  await rejected
  assert.deepEqual(worked.at(-1), [5])
  ends[4]?.('done')
  await held
})
