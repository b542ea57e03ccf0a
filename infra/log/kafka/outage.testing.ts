import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { eventually } from '../../runtime/testing.ts'
import type { Stack } from '../../stack/index.ts'
import { commitAll, createGate, record, startReader } from '../conformance/reading.ts'
import type { Log } from '../port.ts'
import { createKafkaLog } from './index.ts'
import { connectTo } from './testing.ts'

const TIMEOUT_MS = 60_000
const TOPIC = { name: 'outage', partitions: 2, retentionMs: 3_600_000 }

/** Everything that asks the brokers, each rejected so that whoever asked waits and tries again. */
const assertUnavailable = async (log: Log): Promise<void> => {
  const calls = [
    log.ping(),
    log.ensureTopics([TOPIC]),
    log.append([record('outage', 'lost')]),
    log.lag('outage'),
    startReader(log, { group: 'outage', topics: ['outage'] }),
  ]
  await Promise.all(calls.map(call => assert.rejects(call, { code: 'unavailable', retriable: true })))
}

/** A broker that is away, at first or for a while. */
export const describeOutage = (stack: Stack): void => {
  test('A broker that is away at the start is unavailable for every call, and the log shows no stack traces.', async t => {
    const lines: string[] = []
    const logger = pino({ level: 'info' }, { write: line => void lines.push(line) })
    // Port 1 is reserved, and nobody listens there.
    const log = createKafkaLog({ brokers: ['127.0.0.1:1'], clientId: 'early', logger, retentionSweepMs: 10 })
    t.after(() => log.close())
    await assertUnavailable(log)
    assert.doesNotMatch(lines.join(''), /stack|at file:/)
  })

  test('When the broker went away and came back, writing and reading go on, and nothing is lost.', async t => {
    const broker = stack.urls.KAFKA_BROKERS ?? ''
    const { log } = connectTo([broker])
    t.after(() => log.close())
    await log.ensureTopics([TOPIC])
    const busy = createGate()
    const reader = await startReader(log, {
      group: 'outage',
      topics: ['outage'],
      onBatch: async (batch, context) => {
        if (reader.batches.length === 1) await busy.passed
        return commitAll(batch, context)
      },
    })
    await log.append([record('outage', 'before')])
    await eventually('a handler is at work', () => reader.batches.length === 1)

    await stack.stopEngine('kafka')
    const early = connectTo([broker]).log
    t.after(() => early.close())
    await Promise.all([
      assert.rejects(log.ping(), { code: 'unavailable' }),
      assert.rejects(log.append([record('outage', 'unsure')]), { retriable: true }),
      assertUnavailable(early),
    ])
    busy.open()
    await stack.startEngine('kafka')

    for (const client of [log, early]) {
      const isTaken = () =>
        client.append([record('outage', 'after')]).then(
          () => true,
          () => false,
        )
      await eventually('appends are taken again', isTaken, TIMEOUT_MS)
    }
    await eventually(
      'the reader has them',
      () => reader.texts().filter(text => text === 'after').length === 2,
      TIMEOUT_MS,
    )
    const isThrough = async () => {
      const lag = await log.lag('outage')
      return lag.length === 2 && lag.every(({ committed, highWatermark }) => committed === highWatermark)
    }
    await eventually('everything is committed', isThrough, TIMEOUT_MS)
    await log.ping()
    await reader.consumer.stop()
  })
}
