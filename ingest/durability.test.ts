import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createCodec } from '../infra/log/codec.ts'
import { startEmbeddedLog } from '../infra/log/embedded/index.ts'
import { eventually } from '../infra/runtime/testing.ts'
import { type ActivityRecord, activitySchema } from '../schemas/events/activity.ts'
import { signalSchema } from '../schemas/events/signal.avsc.ts'
import type { SignalRecord } from '../schemas/events/signal.ts'
import { ACTIVITY_TOPIC, signalsTopic } from '../schemas/events/topics.ts'
import { postSignal, startTestEdge } from './testing.ts'

describe('a 200 and what it promises', () => {
  it('comes only after the log has the record', async () => {
    const edge = await startTestEdge()
    try {
      const { id } = edge.sources.add()
      const release = edge.log.hold()
      let answered = false
      const response = postSignal(edge.url, id, { text: 'x' }).finally(() => {
        answered = true
      })
      await eventually('the record is on its way', () => edge.log.offered() === 1)
      // Other requests are answered in the meantime, so this one had its time.
      for (let i = 0; i < 10; i++) await fetch(`${edge.url}/livez`)
      assert.equal(answered, false)
      assert.equal(edge.log.appends.length, 0)
      release()
      assert.equal((await response).status, 200)
      assert.equal(edge.log.appends.length, 1)
    } finally {
      await edge.stop()
    }
  })

  it('becomes a 503 with Retry-After while the log is away, and nothing is kept for later', async () => {
    const edge = await startTestEdge()
    try {
      const { id } = edge.sources.add()
      edge.log.setUnavailable(true)
      const refused = await postSignal(edge.url, id, { text: 'lost' })
      assert.equal(refused.status, 503)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      assert.equal((await fetch(`${edge.url}/readyz`)).status, 503)
      assert.equal((await fetch(`${edge.url}/livez`)).status, 200)
      edge.log.setUnavailable(false)
      assert.equal((await postSignal(edge.url, id, { text: 'kept' })).status, 200)
      assert.deepEqual(
        (await edge.signals()).map(signal => JSON.parse(signal.received?.body ?? '').text),
        ['kept'],
      )
      assert.equal((await fetch(`${edge.url}/readyz`)).status, 200)
    } finally {
      await edge.stop()
    }
  })

  it('becomes a 503 when the log takes too long to confirm', async () => {
    const edge = await startTestEdge({ appendTimeoutMs: 50 })
    try {
      const { id } = edge.sources.add()
      const release = edge.log.hold()
      assert.equal((await postSignal(edge.url, id, { text: 'slow' })).status, 503)
      release()
    } finally {
      await edge.stop()
    }
  })

  it('is given to everything under way when the edge stops, and to nothing after', async () => {
    const edge = await startTestEdge()
    const { id } = edge.sources.add()
    await postSignal(edge.url, id, { text: 'first' })
    const release = edge.log.hold()
    const sent = Array.from({ length: 20 }, (_, number) => postSignal(edge.url, id, { text: `number ${number}` }))
    await eventually('every request waits for the log', () => edge.log.offered() === 21)
    const stopped = edge.stop()
    release()
    const statuses = (await Promise.all(sent)).map(response => response.status)
    await stopped
    assert.deepEqual(new Set(statuses), new Set([200]))
    assert.equal((await edge.signals()).length, 21)
    await assert.rejects(fetch(`${edge.url}/livez`))
  })

  it('stands for a record of the embedded log, too', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'edge-'))
    const running = await startEmbeddedLog({ directory })
    const { log } = running
    const topic = signalsTopic('validate')
    await log.ensureTopics([topic, ACTIVITY_TOPIC].map(name => ({ name, partitions: 4, retentionMs: 3_600_000 })))
    const signalCodec = createCodec<SignalRecord>({ registry: log.registry, subject: 'signal', schema: signalSchema })
    const activityCodec = createCodec<ActivityRecord>({
      registry: log.registry,
      subject: 'activity',
      schema: activitySchema,
    })
    const edge = await startTestEdge({}, { log, signalCodec, activityCodec })
    try {
      const { id } = edge.sources.add()
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, number) => postSignal(edge.url, id, { text: `number ${number}` })),
      )
      const answered = new Set<string>()
      for (const answer of answers) answered.add(((await answer.json()) as { snippet_id: string }).snippet_id)
      const stored: SignalRecord[] = []
      const consumer = await log.consume({
        group: 'test',
        topics: [topic],
        maxRecords: 100,
        onBatch: async batch => {
          for (const record of batch.records) stored.push(await signalCodec.decode(record.value))
          return { next: (batch.records.at(-1)?.offset ?? 0) + 1 }
        },
      })
      await eventually('the records are read', () => stored.length >= 50)
      await consumer.stop()
      assert.equal(stored.length, 50)
      assert.deepEqual(new Set(stored.map(signal => signal.signal_id)), answered)
    } finally {
      await edge.stop()
      await running.stop()
      await rm(directory, { recursive: true })
    }
  })
})
