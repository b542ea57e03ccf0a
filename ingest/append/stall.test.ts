import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { describe, it, test } from 'node:test'
import { createKafkaLog } from '../../infra/log/kafka/index.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { ACTIVITY_TOPIC, signalsTopic } from '../../schemas/events/topics.ts'
import { postSignal, startTestEdge, testCodecs } from '../testing.ts'

const inFlightBytes = async (url: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^assay_ingest_in_flight_bytes\{.*\} (\d+)$/m.exec(text)?.[1])
}

describe('a log that stands still', () => {
  it('costs no more memory than there is to hold, and is forgotten once it goes on', async () => {
    const limit = 4 * 1024 * 1024
    const edge = await startTestEdge({ maxInFlightBytes: limit, appendTimeoutMs: 300 })
    try {
      const body = { text: 'ö'.repeat(33 * 1024) }
      const ids = Array.from({ length: 4 }, () => edge.sources.add().id)
      for (const id of ids) await postSignal(edge.url, id, { text: 'known' })
      const release = edge.log.hold()
      let most = 0
      for (let round = 0; round < 4; round++) {
        const sent = Array.from({ length: 80 }, (_, index) => postSignal(edge.url, ids[index % 4] ?? '', body))
        const watch = setInterval(async () => {
          most = Math.max(most, await inFlightBytes(edge.url))
        }, 20)
        const answers = await Promise.all(sent)
        clearInterval(watch)
        for (const { status, headers } of answers) {
          assert.equal(status, 503)
          assert.ok(Number(headers.get('retry-after')) > 0)
        }
      }
      // What was answered 503 is still with the log, and still counted.
      const held = await inFlightBytes(edge.url)
      assert.ok(held > limit / 2 && held <= limit && most <= limit, `${held} and ${most} of ${limit} bytes`)
      release()
      await eventually('everything is given back', async () => (await inFlightBytes(edge.url)) === 0)
      assert.equal((await postSignal(edge.url, ids[0] ?? '', body)).status, 200)
    } finally {
      await edge.stop()
    }
  })
})

/** A line to the broker on which nothing arrives while it is held. */
const holdableLine = () => {
  const sockets = new Set<Socket>()
  let held = false
  return {
    socketFactory: ({ host, port, onConnect }: { host: string; port: number; onConnect: () => void }): Socket => {
      const socket = connect({ host, port }, onConnect)
      sockets.add(socket)
      if (held) socket.pause()
      return socket
    },
    hold: () => {
      held = true
      for (const socket of sockets) socket.pause()
    },
    release: () => {
      held = false
      for (const socket of sockets) socket.resume()
    },
  }
}

await describeWithStack(['kafka'], stack => {
  test('A broker that stands still makes requests 503 in time, and what it confirms late does no harm.', async t => {
    t.after(() => stack.stop())
    const line = holdableLine()
    const log = createKafkaLog({
      brokers: [stack.urls.KAFKA_BROKERS ?? ''],
      clientId: 'stall',
      logger: createLogger({ level: 'silent', program: 'test' }),
      socketFactory: line.socketFactory,
    })
    t.after(() => log.close())
    const topic = signalsTopic('validate')
    await log.ensureTopics([topic, ACTIVITY_TOPIC].map(name => ({ name, partitions: 2, retentionMs: 3_600_000 })))
    // Long enough for a broker that does answer, however busy the machine is.
    const edge = await startTestEdge({ appendTimeoutMs: 3000 }, { log })
    t.after(() => edge.stop())
    const { id } = edge.sources.add()
    const post = (text: string) => postSignal(edge.url, id, { text }, { 'x-idempotency-key': text })
    assert.equal((await post('before')).status, 200)

    line.hold()
    const refused = await Promise.all(Array.from({ length: 20 }, (_, index) => post(`during ${index}`)))
    assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([503]))
    assert.ok((await inFlightBytes(edge.url)) > 0)
    line.release()
    await eventually('everything is given back', async () => (await inFlightBytes(edge.url)) === 0)
    const retried = await Promise.all(Array.from({ length: 20 }, (_, index) => post(`during ${index}`)))
    assert.deepEqual(new Set(retried.map(({ status }) => status)), new Set([200]))

    const stored: string[] = []
    const consumer = await log.consume({
      group: 'stall',
      topics: [topic],
      maxRecords: 100,
      onBatch: async ({ records }) => {
        for (const { value } of records) {
          const { signal_id } = await testCodecs.signalCodec.decode(value)
          stored.push(signal_id)
        }
        return { next: (records.at(-1)?.offset ?? 0) + 1 }
      },
    })
    // Stored twice, late and at the retry, under one id: later writes are upserts on it.
    await eventually('all are read', () => new Set(stored).size === 21, 60_000)
    await consumer.stop()
  })
})
