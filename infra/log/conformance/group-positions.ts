import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../runtime/testing.ts'
import type { Bench } from './harness.ts'
import {
  afterBatch,
  commitAll,
  keyPerPartition,
  record,
  startReader,
  startTopic,
  textOf,
  uniqueName,
} from './reading.ts'

/** Where a group reads: its start, its lag, going back, waiting. */
export const describeGroupPositions = (bench: Bench): void => {
  describe('places', { concurrency: 4 }, () => {
    test('Groups read independently of each other, from the earliest record or the latest.', async () => {
      const topic = uniqueName('independent')
      const { log } = await bench.connect()
      await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }])
      await log.append([record(topic, 'old')])
      const one = await startReader(log, { group: uniqueName('group'), topics: [topic] })
      const other = await startReader(log, { group: uniqueName('group'), topics: [topic], from: 'earliest' })
      const late = await startReader(log, { group: uniqueName('group'), topics: [topic], from: 'latest' })
      await eventually('the late one is assigned', () => late.consumer.assignment().length === 1)
      await log.append([record(topic, 'new')])
      await eventually(
        'each has all that it wants',
        () => [one, other].every(reader => reader.texts().length === 2) && late.texts().length === 1,
      )
      assert.deepEqual(one.texts(), ['old', 'new'])
      assert.deepEqual(other.texts(), ['old', 'new'])
      assert.deepEqual(late.texts(), ['new'])
      await Promise.all([one, other, late].map(reader => reader.consumer.stop()))
    })

    test('A group that has a commit goes on there, wherever it is told to begin.', async () => {
      const { log, topic, group } = await startTopic(bench, 'goes-on', ['a'])
      const first = await startReader(log, { group, topics: [topic] })
      await eventually('it arrives', () => first.texts().length === 1)
      await first.consumer.stop()
      await log.append([record(topic, 'b')])
      const second = await startReader(log, { group, topics: [topic], from: 'latest' })
      await eventually('the one in between arrives', () => second.texts().length === 1)
      assert.deepEqual(second.texts(), ['b'])
      await second.consumer.stop()
    })

    test('seek() replays from where it is told, also while a batch is being handled.', async () => {
      const topic = uniqueName('seek')
      const { log } = await bench.connect()
      await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }])
      await log.append(['a', 'b', 'c', 'd'].map(text => record(topic, text)))
      let replayed = false
      const reader = await startReader(log, {
        group: uniqueName('group'),
        topics: [topic],
        maxRecords: 2,
        onBatch: async (batch, context) => {
          const result = await commitAll(batch, context)
          if (!replayed && result.next === 4) {
            replayed = true
            await reader.consumer.seek(batch, 1)
          }
          return result
        },
      })
      await eventually('the replay is through', () => reader.texts().length === 7)
      assert.deepEqual(reader.texts(), ['a', 'b', 'c', 'd', 'b', 'c', 'd'])
      await reader.consumer.seek({ topic, partition: 0 }, 3)
      await eventually('it reads again', () => reader.texts().length === 8)
      assert.equal(reader.texts().at(-1), 'd')
      await reader.consumer.stop()
    })

    test('A replay that fails goes on with the replay, not with the commit.', async () => {
      const topic = uniqueName('seek-fails')
      const { log } = await bench.connect()
      await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }])
      await log.append(['a', 'b'].map(text => record(topic, text)))
      let fail = false
      const reader = await startReader(log, {
        group: uniqueName('group'),
        topics: [topic],
        onBatch: async (batch, context) => {
          if (!fail) return commitAll(batch, context)
          fail = false
          throw new Error('The handler fails once.')
        },
      })
      await eventually('all were read', () => reader.texts().length === 2)
      fail = true
      await reader.consumer.seek({ topic, partition: 0 }, 0)
      await eventually('the replay is tried twice', () => reader.texts().length === 6)
      assert.deepEqual(reader.texts().slice(2), ['a', 'b', 'a', 'b'])
      await reader.consumer.stop()
    })

    test('seek() refuses a partition that is not assigned, and an offset that does not exist.', async () => {
      const topic = uniqueName('seek-refused')
      const { log } = await bench.connect()
      await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }])
      const reader = await startReader(log, { group: uniqueName('group'), topics: [topic] })
      await eventually('it is assigned', () => reader.consumer.assignment().length === 1)
      await assert.rejects(reader.consumer.seek({ topic, partition: 1 }, 0), { code: 'partition_lost' })
      await assert.rejects(reader.consumer.seek({ topic, partition: 0 }, 1), { code: 'invalid_input' })
      await assert.rejects(reader.consumer.seek({ topic, partition: 0 }, -1), { code: 'invalid_input' })
      await reader.consumer.stop()
    })

    test('A pause delivers the record again later, and holds up no other partition.', async () => {
      const topic = uniqueName('pause')
      const { log } = await bench.connect()
      const [slowKey = '', fastKey = ''] = await keyPerPartition(log, 2)
      await log.ensureTopics([{ name: topic, partitions: 2, retentionMs: 3_600_000 }])
      await log.append([record(topic, 'later', slowKey)])
      const shortPauses = 3
      const reader = await startReader(log, {
        group: uniqueName('group'),
        topics: [topic],
        onBatch: async (batch, context) => {
          if (batch.records[0]?.key !== slowKey) return commitAll(batch, context)
          const pauseMs = later() <= shortPauses ? 20 : 3_600_000
          return { next: batch.records[0]?.offset ?? 0, pauseMs }
        },
      })
      const later = () => reader.texts().filter(text => text === 'later').length
      await eventually('it was delivered after each pause', () => later() === shortPauses + 1)
      for (let index = 1; index <= 10; index++) {
        await log.append([record(topic, 'soon', fastKey)])
        await eventually('the other partition is served', () => reader.texts().length === later() + index)
      }
      assert.equal(later(), shortPauses + 1)
      // Neither a seek nor stop() waits for the pause to end.
      const paused = reader.batches.find(batch => batch.records.some(one => textOf(one) === 'later'))
      assert.ok(paused)
      await reader.consumer.seek(paused, 0)
      await eventually('the seek ended the pause', () => later() === shortPauses + 2)
      await reader.consumer.stop()
    })

    test('lag() shows how far a group is on every partition, and since when it is behind.', async () => {
      const topic = uniqueName('lag')
      const group = uniqueName('group')
      const { log } = await bench.connect()
      const [key = ''] = await keyPerPartition(log, 2)
      await log.ensureTopics([{ name: topic, partitions: 2, retentionMs: 3_600_000 }])
      assert.deepEqual(await log.lag(group), [])
      const started = Date.now()
      await log.append(['a', 'b', 'c'].map(text => record(topic, text, key)))
      const reader = await startReader(log, {
        group,
        topics: [topic],
        maxRecords: 1,
        onBatch: async (batch, context) => {
          if (afterBatch(batch) === 1) await context.commit(1)
          return { next: afterBatch(batch) }
        },
      })
      await eventually('all were read', () => reader.texts().length === 3)
      await reader.consumer.stop()
      const lag = [...(await log.lag(group))].sort((one, other) => one.partition - other.partition)
      const behind = lag[0]?.oldestUncommittedAt
      assert.ok(typeof behind === 'number' && behind >= started && behind <= Date.now())
      assert.deepEqual(lag, [
        { group, topic, partition: 0, committed: 1, highWatermark: 3, oldestUncommittedAt: behind },
        { group, topic, partition: 1, committed: 0, highWatermark: 0, oldestUncommittedAt: null },
      ])
    })
  })
}
