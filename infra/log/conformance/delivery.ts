import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../runtime/testing.ts'
import type { Commit } from '../port.ts'
import type { Bench } from './harness.ts'
import {
  afterBatch,
  commitAll,
  createGate,
  keyPerPartition,
  record,
  startReader,
  startTopic,
  uniqueName,
} from './reading.ts'

/** Nothing is lost when something fails: what was not committed is delivered again. */
export const describeDelivery = (bench: Bench): void => {
  describe('delivery', () => {
    test('Only a commit moves the group: what was read without one is delivered again after a crash.', async () => {
      const topic = uniqueName('uncommitted')
      const group = uniqueName('group')
      const killed = await bench.connect()
      await killed.log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }])
      await killed.log.append(['a', 'b', 'c'].map(text => record(topic, text)))
      const before = await startReader(killed.log, {
        group,
        topics: [topic],
        maxRecords: 1,
        onBatch: async (batch, context) => {
          if (afterBatch(batch) === 1) await context.commit(1)
          return { next: afterBatch(batch) }
        },
      })
      await eventually('all were read', () => before.texts().length === 3)
      await killed.abandon()
      const { log } = await bench.connect()
      const after = await startReader(log, { group, topics: [topic] })
      await eventually('the rest arrives', () => after.texts().length === 2)
      assert.deepEqual(after.texts(), ['b', 'c'])
      await after.consumer.stop()
    })

    test('A commit and its metadata outlive the log, and travel with every batch.', async () => {
      const { log, topic, group } = await startTopic(bench, 'metadata', ['a', 'b', 'c'])
      const first = await startReader(log, {
        group,
        topics: [topic],
        maxRecords: 1,
        onBatch: async (batch, context) => {
          if (afterBatch(batch) < 3) await context.commit(afterBatch(batch), `up to ${afterBatch(batch)} – {"ä":1}`)
          return { next: afterBatch(batch) }
        },
      })
      await eventually('all were read', () => first.texts().length === 3)
      const expected: (Commit | null)[] = [
        null,
        { offset: 1, metadata: 'up to 1 – {"ä":1}' },
        { offset: 2, metadata: 'up to 2 – {"ä":1}' },
      ]
      assert.deepEqual(
        first.batches.map(batch => batch.committed),
        expected,
      )
      await first.consumer.stop()
      await bench.reopen()
      const again = await bench.connect()
      await again.log.append([record(topic, 'd')])
      const second = await startReader(again.log, { group, topics: [topic] })
      await eventually('the rest arrives', () => second.texts().length === 2)
      assert.deepEqual(second.texts(), ['c', 'd'])
      assert.deepEqual(second.batches[0]?.committed, expected[2])
      await second.consumer.stop()
    })

    test('Commits of several partitions at one time each move their own partition.', async () => {
      const topic = uniqueName('together')
      const group = uniqueName('group')
      const { log } = await bench.connect()
      const keys = await keyPerPartition(log, 3)
      await log.ensureTopics([{ name: topic, partitions: 3, retentionMs: 3_600_000 }])
      await log.append(
        keys.flatMap((key, partition) => ['a', 'b', 'c', 'd'].slice(partition).map(text => record(topic, text, key))),
      )
      const all = createGate()
      const reader = await startReader(log, {
        group,
        topics: [topic],
        onBatch: async (batch, context) => {
          if (new Set(reader.batches.map(({ partition }) => partition)).size === keys.length) all.open()
          await all.passed
          return commitAll(batch, context)
        },
      })
      await eventually('all of each is committed', async () => {
        const places = await log.lag(group)
        return places.length === keys.length && places.every(({ partition, committed }) => committed === 4 - partition)
      })
      await reader.consumer.stop()
    })

    test('A batch whose handler throws comes again from the last commit, and other partitions go on meanwhile.', async () => {
      const topic = uniqueName('throws')
      const group = uniqueName('group')
      const { log } = await bench.connect()
      const [badKey = '', goodKey = ''] = await keyPerPartition(log, 2)
      await log.ensureTopics([{ name: topic, partitions: 2, retentionMs: 3_600_000 }])
      await log.append(['a', 'b', 'c', 'd'].map(text => record(topic, text, badKey)))
      let others = 0
      const reader = await startReader(log, {
        group,
        topics: [topic],
        maxRecords: 2,
        onBatch: async (batch, context) => {
          const isBad = batch.records.some(one => one.key === badKey)
          if (!isBad) others += 1
          if (!isBad || others === 3) return commitAll(batch, context)
          await context.commit(1)
          throw new Error('The handler fails.')
        },
      })
      const bad = () => reader.batches.filter(batch => batch.records.some(one => one.key === badKey))
      for (const served of [1, 2, 3]) {
        await eventually('the bad batch is tried', () => bad().length > 0)
        await log.append([record(topic, 'other', goodKey)])
        await eventually('the other partition is served', () => others === served)
      }
      await eventually('the bad batch is through', () => bad().some(batch => afterBatch(batch) === 4))
      const begins = bad().map(batch => batch.records[0]?.offset)
      assert.deepEqual([...new Set(begins)].sort(), [0, 1, 3])
      assert.equal(begins.filter(offset => offset === 0).length, 1)
      await reader.consumer.stop()
    })

    test('stop() waits for the handler under way, whose commit counts, and starts no other.', async () => {
      const { log, topic, group } = await startTopic(bench, 'drain', ['a', 'b'])
      const door = createGate()
      const reader = await startReader(log, {
        group,
        topics: [topic],
        maxRecords: 1,
        onBatch: async (batch, context) => {
          await door.passed
          assert.ok(context.signal.aborted)
          return commitAll(batch, context)
        },
      })
      await eventually('the handler is at work', () => reader.batches.length === 1)
      let stopped = false
      const stopping = reader.consumer.stop().then(() => {
        stopped = true
      })
      await log.ping()
      assert.equal(stopped, false)
      door.open()
      await stopping
      assert.deepEqual(reader.texts(), ['a'])
      assert.deepEqual(reader.consumer.assignment(), [])
      assert.equal((await log.lag(group))[0]?.committed, 1)
    })

    test('close() stops the consumers first.', async () => {
      const { log, topic, group } = await startTopic(bench, 'close', ['a'])
      const door = createGate()
      const reader = await startReader(log, {
        group,
        topics: [topic],
        onBatch: async (batch, context) => {
          await door.passed
          return commitAll(batch, context)
        },
      })
      await eventually('the handler is at work', () => reader.batches.length === 1)
      const closing = log.close()
      door.open()
      await closing
      await assert.rejects(log.append([record(topic, 'late')]), { code: 'unavailable' })
      await assert.rejects(log.ping(), { code: 'unavailable' })
      const other = await bench.connect()
      assert.equal((await other.log.lag(group))[0]?.committed, 1)
    })

    test('An offset outside the partition cannot be committed.', async () => {
      const { log, topic, group } = await startTopic(bench, 'outside', ['a'])
      const refused: unknown[] = []
      const reader = await startReader(log, {
        group,
        topics: [topic],
        onBatch: async (batch, context) => {
          for (const offset of [2, -1, 0.5]) await context.commit(offset).catch(error => refused.push(error.code))
          return commitAll(batch, context)
        },
      })
      await eventually('the right one is committed', async () => (await log.lag(group))[0]?.committed === 1)
      assert.deepEqual(refused, ['invalid_input', 'invalid_input', 'invalid_input'])
      await reader.consumer.stop()
    })
  })
}
