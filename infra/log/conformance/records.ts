import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../runtime/testing.ts'
import type { OutgoingRecord } from '../port.ts'
import type { Bench } from './harness.ts'
import { record, startReader, textOf, uniqueName } from './reading.ts'

const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** What goes in comes out: whole, once, in order, in batches of the wanted size. */
export const describeRecords = (bench: Bench): void => {
  describe('records', { concurrency: 4 }, () => {
    test('A record comes out as it went in.', async () => {
      const { log } = await bench.connect()
      const topic = uniqueName('whole')
      await log.ensureTopics([{ name: topic, partitions: 3, retentionMs: 3_600_000 }])
      const started = Date.now()
      const outgoing: OutgoingRecord[] = [
        {
          topic,
          key: 'ключ 🔑',
          value: Uint8Array.of(0, 255, 128),
          headers: { traceparent: '00-ab', 'x-ü': '"quoted"' },
        },
        { topic, key: '', value: new Uint8Array() },
        { topic, key: null, value: new Uint8Array(200_000).fill(9) },
      ]
      await log.append(outgoing)
      const reader = await startReader(log, { group: uniqueName('group'), topics: [topic] })
      const read = () => reader.batches.flatMap(batch => batch.records)
      await eventually('all three arrive', () => read().length === 3)
      for (const { key, value, headers = {} } of outgoing) {
        const stored = read().find(one => one.key === key)
        assert.ok(stored)
        assert.deepEqual(new Uint8Array(stored.value), value)
        assert.deepEqual({ ...stored.headers }, headers)
        assert.equal(stored.topic, topic)
        assert.ok(stored.timestamp >= started && stored.timestamp <= Date.now())
      }
      await reader.consumer.stop()
    })

    test('The topics that there are can be listed.', async () => {
      const { log } = await bench.connect()
      const topic = uniqueName('listed')
      assert.ok(!(await log.topics()).includes(topic))
      await log.ensureTopics([{ name: topic, partitions: 2, retentionMs: 3_600_000 }])
      assert.ok((await log.topics()).includes(topic))
    })

    test('Records of one key share a partition and keep their order; records without a key are spread.', async () => {
      const { log } = await bench.connect()
      const topic = uniqueName('keys')
      await log.ensureTopics([{ name: topic, partitions: 4, retentionMs: 3_600_000 }])
      const keys = ['a', 'b', 'c', 'd', 'e', 'f']
      for (const round of numbered(30)) await log.append(keys.map(key => record(topic, `${round}`, key)))
      for (const index of numbered(40)) await log.append([record(topic, `${index}`, null)])
      const reader = await startReader(log, { group: uniqueName('group'), topics: [topic], maxRecords: 7 })
      const read = () => reader.batches.flatMap(batch => batch.records)
      await eventually('all arrive', () => read().length === 30 * keys.length + 40)
      for (const key of keys) {
        const ofKey = read().filter(one => one.key === key)
        assert.deepEqual(ofKey.map(textOf), numbered(30).map(String))
        assert.equal(new Set(ofKey.map(one => one.partition)).size, 1)
      }
      assert.ok(
        new Set(
          read()
            .filter(one => one.key === null)
            .map(one => one.partition),
        ).size > 1,
      )
      await reader.consumer.stop()
    })

    test('What many clients append at the same time is there once, in the order of each.', async () => {
      const topic = uniqueName('together')
      const clients = await Promise.all(numbered(4).map(() => bench.connect()))
      await clients[0]?.log.ensureTopics([{ name: topic, partitions: 2, retentionMs: 3_600_000 }])
      const appendAll = async (log: (typeof clients)[number]['log'], writer: number): Promise<void> => {
        for (const index of numbered(50)) await log.append([record(topic, `${writer}:${index}`, `writer ${writer}`)])
      }
      await Promise.all(clients.map(({ log }, writer) => appendAll(log, writer)))
      const [first] = clients
      assert.ok(first)
      const reader = await startReader(first.log, { group: uniqueName('group'), topics: [topic] })
      await eventually('all arrive', () => reader.texts().length >= 200)
      for (const writer of numbered(4)) {
        const own = reader.texts().filter(text => text.startsWith(`${writer}:`))
        assert.deepEqual(
          own,
          numbered(50).map(index => `${writer}:${index}`),
        )
      }
      await reader.consumer.stop()
    })

    test('A batch has no more records and bytes than wanted, though at least one record.', async () => {
      const { log } = await bench.connect()
      const topic = uniqueName('sizes')
      await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }])
      await log.append(numbered(25).map(index => record(topic, `${index}`.padEnd(100))))
      await log.append([record(topic, 'x'.repeat(5000)), record(topic, 'y')])
      const byCount = await startReader(log, { group: uniqueName('group'), topics: [topic], maxRecords: 10 })
      const byBytes = await startReader(log, { group: uniqueName('group'), topics: [topic], maxBytes: 450 })
      await eventually('both have all', () => byCount.texts().length === 27 && byBytes.texts().length === 27)
      assert.ok(byCount.batches.every(({ records }) => records.length <= 10))
      for (const { records } of byBytes.batches) {
        const bytes = records.reduce((sum, one) => sum + one.value.byteLength, 0)
        assert.ok(records.length === 1 || bytes <= 450)
      }
      assert.ok(byBytes.batches.some(({ records }) => records.length > 1))
      await Promise.all([byCount.consumer.stop(), byBytes.consumer.stop()])
    })

    test('Offsets count up by one from 0, and a batch says where the partition ends.', async () => {
      const { log } = await bench.connect()
      const topic = uniqueName('offsets')
      await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }])
      await log.append(numbered(5).map(index => record(topic, `${index}`)))
      const reader = await startReader(log, { group: uniqueName('group'), topics: [topic], maxRecords: 2 })
      await eventually('all arrive', () => reader.texts().length === 5)
      assert.deepEqual(
        reader.batches.flatMap(batch => batch.records.map(one => one.offset)),
        [0, 1, 2, 3, 4],
      )
      assert.ok(reader.batches.every(batch => batch.highWatermark === 5))
      await reader.consumer.stop()
    })

    test('A consumer that waits gets a record as it comes.', async () => {
      const { log } = await bench.connect()
      const topic = uniqueName('waiting')
      await log.ensureTopics([{ name: topic, partitions: 2, retentionMs: 3_600_000 }])
      const reader = await startReader(log, { group: uniqueName('group'), topics: [topic] })
      for (const index of numbered(20)) {
        await log.append([record(topic, `${index}`, `key ${index}`)])
        await eventually('it arrives', () => reader.texts().includes(`${index}`))
      }
      await reader.consumer.stop()
    })

    test('A topic that exists keeps its partitions and its records when it is ensured again.', async () => {
      const { log } = await bench.connect()
      const topic = uniqueName('again')
      await log.ensureTopics([{ name: topic, partitions: 2, retentionMs: 3_600_000 }])
      await log.append([record(topic, 'kept')])
      await log.ensureTopics([{ name: topic, partitions: 5, retentionMs: 7_200_000 }])
      const reader = await startReader(log, { group: uniqueName('group'), topics: [topic] })
      await eventually('the record arrives', () => reader.texts().includes('kept'))
      assert.equal(reader.consumer.assignment().length, 2)
      await reader.consumer.stop()
    })

    test('A topic or a batch size that makes no sense is refused, with what is allowed.', async () => {
      const { log } = await bench.connect()
      const name = uniqueName('senseless')
      for (const [partitions, retentionMs] of [
        [0, 1],
        [1.5, 1],
        [1, -1],
        [1, Number.NaN],
      ] as const) {
        await assert.rejects(log.ensureTopics([{ name, partitions, retentionMs }]), {
          code: 'invalid_input',
          message: /at least/,
        })
      }
      await log.ensureTopics([{ name, partitions: 1, retentionMs: 3_600_000 }])
      const options = { group: uniqueName('group'), topics: [name], maxRecords: 0 }
      await assert.rejects(startReader(log, options), { code: 'invalid_input', message: /at least 1/ })
    })

    test('A topic that does not exist can be neither written nor read.', async () => {
      const { log } = await bench.connect()
      const topic = uniqueName('missing')
      await assert.rejects(log.append([record(topic, 'lost')]), { code: 'not_found' })
      await assert.rejects(startReader(log, { group: uniqueName('group'), topics: [topic] }), { code: 'not_found' })
      await log.append([])
      await log.ping()
    })
  })
}
