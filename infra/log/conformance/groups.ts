import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../runtime/testing.ts'
import type { Batch, BatchContext, Continuation } from '../port.ts'
import type { Bench } from './harness.ts'
import {
  afterBatch,
  commitAll,
  createGate,
  keyPerPartition,
  record,
  startReader,
  textOf,
  uniqueName,
} from './reading.ts'

/** Members of a group share its partitions, take and give them up, and cannot undo each other's work. */
export const describeGroups = (bench: Bench): void => {
  describe('groups', { concurrency: 4 }, () => {
    test('Members share the partitions evenly, as they come and as they go.', async () => {
      const topic = uniqueName('share')
      const group = uniqueName('group')
      const { log } = await bench.connect()
      await log.ensureTopics([{ name: topic, partitions: 6, retentionMs: 3_600_000 }])
      const join = async () => startReader((await bench.connect()).log, { group, topics: [topic] })
      const members = [await join()]
      const shares = () => members.map(({ consumer }) => consumer.assignment().length)
      await eventually('one has all', () => shares()[0] === 6)
      members.push(await join())
      await eventually('two have half each', () => shares().every(share => share === 3))
      members.push(await join())
      await eventually('three have a third each', () => shares().every(share => share === 2))
      const assigned = members.flatMap(({ consumer }) => consumer.assignment().map(({ partition }) => partition))
      assert.deepEqual(assigned.sort(), [0, 1, 2, 3, 4, 5])
      await members.shift()?.consumer.stop()
      await eventually('two have half each again', () => shares().every(share => share === 3))
      await Promise.all(members.map(({ consumer }) => consumer.stop()))
    })

    test('A member with more topics than the others reads alone what only it wants.', async () => {
      const [shared, own] = [uniqueName('shared'), uniqueName('own')]
      const group = uniqueName('group')
      const { log } = await bench.connect()
      await log.ensureTopics([shared, own].map(name => ({ name, partitions: 2, retentionMs: 3_600_000 })))
      const one = await startReader(log, { group, topics: [shared] })
      const two = await startReader((await bench.connect()).log, { group, topics: [shared, own] })
      await eventually(
        'everything is assigned',
        () => one.consumer.assignment().length + two.consumer.assignment().length === 4,
      )
      assert.equal(two.consumer.assignment().filter(({ topic }) => topic === own).length, 2)
      await Promise.all([one, two].map(({ consumer }) => consumer.stop()))
    })

    test('While members come, go and die, no record is lost and none comes again below a commit.', async () => {
      const topic = uniqueName('churn')
      const group = uniqueName('group')
      const total = 400
      const { log } = await bench.connect()
      await log.ensureTopics([{ name: topic, partitions: 4, retentionMs: 3_600_000 }])
      const seen = new Map<string, number>()
      const committed = new Map<number, number>()
      const broken: string[] = []
      const onBatch = async (batch: Batch, context: BatchContext): Promise<Continuation> => {
        const floor = committed.get(batch.partition) ?? 0
        if ((batch.records[0]?.offset ?? 0) < floor) broken.push(`${batch.partition}: from below ${floor}`)
        for (const one of batch.records) seen.set(textOf(one), (seen.get(textOf(one)) ?? 0) + 1)
        await sleep(1)
        await context.commit(afterBatch(batch))
        committed.set(batch.partition, Math.max(afterBatch(batch), committed.get(batch.partition) ?? 0))
        return { next: afterBatch(batch) }
      }
      const join = async () => {
        const client = await bench.connect()
        return { client, ...(await startReader(client.log, { group, topics: [topic], maxRecords: 5, onBatch })) }
      }
      const first = await join()
      const append = async (from: number, to: number): Promise<void> => {
        for (let index = from; index < to; index++) {
          await log.append([record(topic, `${index}`, `key ${index % 20}`)])
        }
      }
      await append(0, 100)
      const second = await join()
      await append(100, 200)
      const third = await join()
      await append(200, 250)
      await first.consumer.stop()
      await append(250, 300)
      await second.client.abandon()
      await append(300, total)
      const fourth = await join()
      await eventually('every record was seen', () => seen.size === total)
      await eventually('everything is committed', async () =>
        (await log.lag(group)).every(({ committed: offset, highWatermark }) => offset === highWatermark),
      )
      assert.deepEqual(broken, [])
      await Promise.all([third, fourth].map(({ consumer }) => consumer.stop()))
    })

    test('What a dead member held goes to the others, from the last commit.', async () => {
      const topic = uniqueName('dead')
      const group = uniqueName('group')
      const doomed = await bench.connect()
      await doomed.log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }])
      await doomed.log.append(['a', 'b'].map(text => record(topic, text)))
      const stuck = createGate()
      const dying = await startReader(doomed.log, {
        group,
        topics: [topic],
        maxRecords: 1,
        onBatch: async (batch, context) => {
          if (batch.records[0]?.offset === 1) await stuck.passed
          return commitAll(batch, context)
        },
      })
      await eventually('it is stuck', () => dying.batches.length === 2)
      const heir = await startReader((await bench.connect()).log, { group, topics: [topic] })
      await doomed.abandon()
      await eventually('the other has the rest', () => heir.texts().length === 1)
      assert.deepEqual(heir.texts(), ['b'])
      assert.deepEqual(heir.batches[0]?.committed, { offset: 1, metadata: '' })
      stuck.open()
      await heir.consumer.stop()
    })

    test('A handler that does not finish when its partition is taken cannot commit afterwards.', async () => {
      const topic = uniqueName('fenced')
      const group = uniqueName('group')
      const { log } = await bench.connect()
      const keys = await keyPerPartition(log, 2)
      await log.ensureTopics([{ name: topic, partitions: 2, retentionMs: 3_600_000 }])
      await log.append(keys.map(key => record(topic, 'a', key)))
      const stuck = createGate()
      const outcomes: { partition: number; aborted: boolean; code: string }[] = []
      const slow = await startReader(log, {
        group,
        topics: [topic],
        onBatch: async ({ partition, highWatermark }, context) => {
          await stuck.passed
          const { aborted } = context.signal
          const code = await context.commit(0).then(
            () => 'committed',
            error => error.code,
          )
          outcomes.push({ partition, aborted, code })
          return { next: highWatermark }
        },
      })
      await eventually('it is stuck with both partitions', () => slow.batches.length === 2)
      const quick = await startReader((await bench.connect()).log, { group, topics: [topic] })
      await eventually('the other has read what it was given', () => quick.texts().length === 1)
      const taken = quick.consumer.assignment()[0]?.partition ?? -1
      const committed = async () => (await log.lag(group)).find(({ partition }) => partition === taken)?.committed
      await eventually('the other has committed', async () => (await committed()) === 1)
      stuck.open()
      await eventually('the slow one tried to commit', () => outcomes.length === 2)
      assert.deepEqual(
        outcomes.find(({ partition }) => partition === taken),
        { partition: taken, aborted: true, code: 'partition_lost' },
      )
      assert.equal(outcomes.find(({ partition }) => partition !== taken)?.code, 'committed')
      assert.equal(await committed(), 1)
      await Promise.all([slow, quick].map(({ consumer }) => consumer.stop()))
    })

    test('A member says that it is still at work.', async () => {
      const topic = uniqueName('heartbeat')
      const { log } = await bench.connect()
      await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }])
      await log.append([record(topic, 'a')])
      let beats = 0
      const reader = await startReader(log, {
        group: uniqueName('group'),
        topics: [topic],
        onBatch: async (batch, context) => {
          await context.heartbeat()
          beats += 1
          return commitAll(batch, context)
        },
      })
      await eventually('the heartbeat is taken', () => beats === 1)
      await reader.consumer.stop()
    })
  })
}
