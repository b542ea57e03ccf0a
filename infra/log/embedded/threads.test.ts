import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { eventually } from '../../runtime/testing.ts'
import { createGate, record, startReader, uniqueName } from '../conformance/reading.ts'
import { connectEmbeddedLog, startEmbeddedLog } from './index.ts'
import { startFor, temporaryDirectory } from './testing.ts'

const setUp = async (t: TestContext, settings: { sessionTimeoutMs?: number } = {}) => {
  const running = await startFor(t, { directory: await temporaryDirectory(t), ...settings })
  const topic = uniqueName('threads')
  await running.log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }])
  await running.log.append([record(topic, 'a')])
  const hold = new Int32Array(new SharedArrayBuffer(4))
  const outcomes: string[] = []
  const startMember = (): Worker => {
    const port = running.connect()
    const worker = new Worker(new URL('./fixtures/member.ts', import.meta.url), {
      workerData: { port, group: 'group', topic, hold },
      transferList: [port],
    })
    t.after(() => worker.terminate())
    return worker.on('message', outcome => outcomes.push(outcome))
  }
  const release = (): void => {
    Atomics.store(hold, 0, 1)
    Atomics.notify(hold, 0)
  }
  return { ...running, topic, outcomes, startMember, release }
}

test('A thread reads through a port of its own; when it ends, others get what it held.', async t => {
  const { log, topic, outcomes, startMember } = await setUp(t)
  const member = startMember()
  await eventually('the thread is at work', () => outcomes.includes('blocked'))
  const heir = await startReader(log, { group: 'group', topics: [topic] })
  assert.deepEqual(heir.consumer.assignment(), [])
  await member.terminate()
  await eventually('the record comes to the other', () => heir.texts().length === 1)
  await heir.consumer.stop()
})

test('A thread that keeps silent loses what it held, is told so, and joins again when it can.', async t => {
  const { log, topic, outcomes, startMember, release } = await setUp(t, { sessionTimeoutMs: 600 })
  const member = startMember()
  await eventually('the thread is blocked', () => outcomes.includes('blocked'))
  const heir = await startReader(log, { group: 'group', topics: [topic] })
  await eventually('the record comes to the other', () => heir.texts().length === 1)
  release()
  await eventually('the late commit is refused', () => outcomes.includes('partition_lost'))
  await heir.consumer.stop()
  await log.append([record(topic, 'b')])
  await eventually('it has joined again', () => outcomes.includes('committed'))
  await member.terminate()
})

test('Clients that are left when the log stops are told so, and what they had stored is stored.', async t => {
  const directory = await temporaryDirectory(t)
  const { connect, stop } = await startFor(t, { directory })
  const left = connectEmbeddedLog(connect())
  await left.ensureTopics([{ name: 'topic', partitions: 1, retentionMs: 3_600_000 }])
  const stuck = createGate()
  const reader = await startReader(left, {
    group: 'group',
    topics: ['topic'],
    onBatch: async (batch, context) => {
      await stuck.passed
      await context.commit(1)
      return { next: batch.highWatermark }
    },
  })
  await left.append([record('topic', 'a')])
  await eventually('it is at work', () => reader.batches.length === 1)
  await stop()
  await assert.rejects(left.append([record('topic', 'b')]), { code: 'unavailable' })
  await assert.rejects(left.ping(), { code: 'unavailable' })
  stuck.open()
  await left.close()
  const { log } = await startFor(t, { directory })
  const again = await startReader(log, { group: 'group', topics: ['topic'] })
  await eventually('what was appended is there', () => again.texts().length === 1)
})

test('A directory has one log at a time.', async t => {
  const directory = await temporaryDirectory(t)
  const { stop } = await startFor(t, { directory })
  await assert.rejects(startEmbeddedLog({ directory }), { code: 'already_running', message: /in use/ })
  await stop()
  const again = await startFor(t, { directory })
  await again.log.ping()
})

test('A file that is no log stops the start, with the reason.', async t => {
  const directory = await temporaryDirectory(t)
  await writeFile(
    join(directory, 'log.sqlite'),
    'This is no database, only a text that is long enough to be taken for one.'.repeat(20),
  )
  await assert.rejects(startEmbeddedLog({ directory }), {
    code: 'damaged',
    message: /log.sqlite cannot be used: it is damaged/,
  })
})

test('A group that begins at the latest record misses nothing while it is away, even before its first commit.', async t => {
  const { log, topic } = await setUp(t)
  const first = await startReader(log, { group: 'late', topics: [topic], from: 'latest' })
  await first.consumer.stop()
  await log.append([record(topic, 'b')])
  const second = await startReader(log, { group: 'late', topics: [topic], from: 'latest' })
  await eventually('what came in between arrives', () => second.texts().length === 1)
  assert.deepEqual(second.texts(), ['b'])
  assert.equal(second.batches[0]?.committed, null)
})

test('A handler that throws is logged with its group and place, without the records.', async t => {
  const lines: unknown[] = []
  const logger = { error: (fields: unknown) => lines.push(fields), warn: () => {} }
  const { log } = await startFor(t, { directory: await temporaryDirectory(t), logger })
  await log.ensureTopics([{ name: 'topic', partitions: 1, retentionMs: 3_600_000 }])
  await log.append([record('topic', 'private words')])
  await startReader(log, {
    group: 'group',
    topics: ['topic'],
    onBatch: async () => {
      throw new Error('The handler fails.')
    },
  })
  await eventually('it was tried again', () => lines.length >= 2)
  const [first, second] = lines
  assert.ok(isRecord(first) && isRecord(second))
  assert.equal(first.group, 'group')
  assert.equal(first.partition, 0)
  assert.ok(Number(second.pauseMs) > Number(first.pauseMs))
  assert.doesNotMatch(JSON.stringify(lines), /private words/)
})

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
