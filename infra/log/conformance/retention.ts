import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../runtime/testing.ts'
import type { Log } from '../port.ts'
import type { Bench } from './harness.ts'
import { commitAll, record, startReader, uniqueName } from './reading.ts'

/** Old records go, once everybody has read them; offsets stay. */
export const describeRetention = (bench: Bench): void => {
  describe('retention', { concurrency: 4 }, () => {
    /** Reads the one partition from the start, over and over, and knows what the oldest record was at the last time. */
    const startScout = async (log: Log, topic: string) => {
      const reader = await startReader(log, { group: uniqueName('scout'), topics: [topic] })
      const look = async (): Promise<number> => {
        const probe = uniqueName('probe')
        const before = reader.batches.length
        await eventually('the scout is assigned', () => reader.consumer.assignment().length === 1)
        await reader.consumer.seek({ topic, partition: 0 }, 0)
        await log.append([record(topic, probe)])
        await eventually('the scout has read to the end', () => reader.texts().includes(probe))
        return Math.min(...reader.batches.slice(before).flatMap(({ records }) => records.map(({ offset }) => offset)))
      }
      return { look, stop: () => reader.consumer.stop() }
    }

    test('Records older than their topic keeps them go, and the offsets go on.', async () => {
      const topic = uniqueName('old')
      const { log } = await bench.connect()
      await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 1 }])
      await log.append(['a', 'b', 'c'].map(text => record(topic, text)))
      const scout = await startScout(log, topic)
      await eventually('the old ones are gone', async () => (await scout.look()) >= 3)
      await scout.stop()
    })

    test('Records that a group has still to read stay, however old.', async () => {
      const topic = uniqueName('unread')
      const group = uniqueName('group')
      const { log } = await bench.connect()
      await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 1 }])
      const slow = await startReader(log, {
        group,
        topics: [topic],
        maxRecords: 1,
        onBatch: async (batch, context) => ({ ...(await commitAll(batch, context)), pauseMs: 3_600_000 }),
      })
      await log.append(['a', 'b', 'c'].map(text => record(topic, text)))
      await eventually('one is committed', async () => (await log.lag(group))[0]?.committed === 1)
      await slow.consumer.stop()
      const scout = await startScout(log, topic)
      await eventually('what everybody read is gone', async () => (await scout.look()) === 1)
      const rest = await startReader(log, { group, topics: [topic], maxRecords: 1 })
      await eventually('the rest arrives', () => rest.texts().length >= 2)
      assert.deepEqual(rest.texts().slice(0, 2), ['b', 'c'])
      await eventually('now they are gone, too', async () => (await scout.look()) >= 3)
      await Promise.all([rest.consumer.stop(), scout.stop()])
    })

    test('A younger retention is kept: nothing goes before its time.', async () => {
      const topic = uniqueName('young')
      const { log } = await bench.connect()
      await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 1 }])
      await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }])
      const old = uniqueName('old')
      await log.ensureTopics([{ name: old, partitions: 1, retentionMs: 1 }])
      await log.append([record(topic, 'kept'), record(old, 'gone')])
      const [young, gone] = [await startScout(log, topic), await startScout(log, old)]
      await young.look()
      await eventually('retention has been applied', async () => (await gone.look()) >= 1)
      assert.equal(await young.look(), 0)
      await Promise.all([young.stop(), gone.stop()])
    })
  })
}
