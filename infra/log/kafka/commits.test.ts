import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Offsets } from 'kafkajs'
import { createCommits } from './commits.ts'
import type { FetchBuffer } from './fetch-buffer.ts'

/** Partitions of one member, and the requests that their commits became: each as its partitions and offsets. */
const startCommitting = (answer: (partitions: readonly string[]) => void) => {
  const requests: string[][] = []
  const commits = createCommits()
  const request = async ({ topics }: Offsets): Promise<void> => {
    const partitions = topics.flatMap(one => one.partitions.map(({ partition, offset }) => `${partition} at ${offset}`))
    requests.push(partitions)
    answer(partitions)
  }
  const commitOf = (partition: number, isAssigned = () => true) => {
    // A commit uses only these parts of a buffer.
    const buffer = {
      topic: 'things',
      partition,
      highWatermark: () => 9,
      commit: () => request,
    } as unknown as FetchBuffer
    return commits.of({ buffer, isAssigned })
  }
  return { requests, commitOf }
}

const refuse = (type: string): never => {
  throw Object.assign(new Error(type), { name: 'KafkaJSProtocolError', type })
}

test('Commits of one turn are one request; a partition that was lost is not in it.', async () => {
  const { requests, commitOf } = startCommitting(() => {})
  const lost = assert.rejects(commitOf(3, () => false)({ offset: 4, metadata: '' }), { code: 'partition_lost' })
  await Promise.all([1, 2].map(partition => commitOf(partition)({ offset: partition + 4, metadata: '' })))
  await lost
  assert.deepEqual(requests, [['1 at 5', '2 at 6']])
})

test('One that is refused for what it says keeps no other out.', async () => {
  const { requests, commitOf } = startCommitting(partitions => {
    if (partitions.includes('2 at 5')) refuse('OFFSET_METADATA_TOO_LARGE')
  })
  const [first, second] = await Promise.allSettled(
    [1, 2].map(partition => commitOf(partition)({ offset: 5, metadata: '' })),
  )
  assert.equal(first?.status, 'fulfilled')
  assert.equal(second?.status === 'rejected' && second.reason.code, 'too_large')
  assert.deepEqual(requests, [['1 at 5', '2 at 5'], ['1 at 5'], ['2 at 5']])
})

test('While the group rebalances they are tried again, together.', async () => {
  let refusals = 2
  const { requests, commitOf } = startCommitting(() => {
    refusals -= 1
    if (refusals >= 0) refuse('REBALANCE_IN_PROGRESS')
  })
  await Promise.all([1, 2].map(partition => commitOf(partition)({ offset: 5, metadata: '' })))
  assert.deepEqual(
    requests,
    Array.from({ length: 3 }, () => ['1 at 5', '2 at 5']),
  )
})
