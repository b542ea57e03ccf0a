import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createConfluentRegistry, createKafkaLog } from '../../infra/log/kafka/index.ts'
import type { Log, StoredRecord } from '../../infra/log/port.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import type { Stack } from '../../infra/stack/index.ts'
import { type Codecs, createCodecs } from '../../model/codecs.ts'
import { testSignal } from '../../processors/framework/testing.ts'
import { watchTopic } from '../../processors/framework/testing-log.ts'
import { pipelineTopics, segmentGroup } from '../../processors/framework/topics.ts'
import { signalsTopic } from '../../schemas/events/topics.ts'
import { DEAR_PIPELINE, dearWork, SIGNAL_MS } from './fixtures/dear-pipeline.ts'
import { SIZES } from './sizes.ts'

const PROGRAM = fileURLToPath(new URL('./fixtures/dear-processor.ts', import.meta.url))
const HOUR_MS = 3_600_000
const TIMEOUT_MS = 120_000

/** A processor whose batches take longer than Kafka waits for a silent member. */
export const describeDearBatches = (stack: Stack): void => {
  const { signals, sessionMs } = SIZES.dear

  describe(`Batches of ${signals} signals that cost ${SIGNAL_MS} ms each, in sessions of ${sessionMs} ms`, () => {
    let log: Log
    let codecs: Codecs
    let done: readonly StoredRecord[]
    /** Each signal is of a workspace of its own, whose id is the key of the record behind the step. */
    const sent: string[] = []

    before(async () => {
      const { KAFKA_BROKERS = '', SCHEMA_REGISTRY_URL = '' } = stack.urls
      codecs = createCodecs(createConfluentRegistry({ url: SCHEMA_REGISTRY_URL }))
      const logger = createLogger({ level: 'silent', program: 'test' })
      log = createKafkaLog({ brokers: KAFKA_BROKERS.split(','), clientId: 'dear-test', logger })
      const topics = { signalPartitions: 1, activityPartitions: 1, personalRetentionMs: HOUR_MS, retentionMs: HOUR_MS }
      await log.ensureTopics(pipelineTopics(DEAR_PIPELINE, dearWork(codecs).delays, topics))
      done = await watchTopic(log, signalsTopic('scrub'))
    })
    after(() => log?.close())

    const send = async (count: number): Promise<void> => {
      const records = Array.from({ length: count }, async () => {
        const signal = testSignal('dear')
        sent.push(signal.workspace_id)
        return { topic: signalsTopic('normalize'), key: 'one', value: await codecs.signalCodec.encode(signal) }
      })
      await log.append(await Promise.all(records))
    }

    const start = (batchMs: number) => {
      const flags = ['--disable-warning=ExperimentalWarning', PROGRAM, String(sessionMs), String(batchMs)]
      const child = spawn(process.execPath, flags, {
        env: { ...process.env, ...stack.urls },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const told = { text: '' }
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', text => {
          told.text += text
        })
      }
      return { child, told }
    }

    /**
     * It printed a dot for each signal that it worked on, and no warning; a program that needs longer to stop than it
     * promises ends with 1.
     */
    const assertStops = async ({ child, told }: ReturnType<typeof start>): Promise<void> => {
      child.kill('SIGTERM')
      assert.deepEqual(await once(child, 'close'), [0, null])
      assert.match(told.text, /^\.*$/)
    }

    const assertEachOnce = async (): Promise<void> => {
      const isDone = async () => {
        const places = await log.lag(segmentGroup('normalize', 'live'))
        return places.length > 0 && places.every(({ committed, highWatermark }) => committed === highWatermark)
      }
      await eventually('every place is committed', isDone, TIMEOUT_MS)
      await eventually('every signal went on', () => done.length >= sent.length, TIMEOUT_MS)
      assert.deepEqual(
        done.map(({ key }) => key),
        sent,
      )
    }

    it('a batch that takes longer than a session is worked off once: the group hears of its member meanwhile', async t => {
      await send(signals)
      // So long that the batch is not cut: it is one commit.
      const member = start(TIMEOUT_MS)
      t.after(() => member.child.kill('SIGKILL'))
      await assertEachOnce()
      await assertStops(member)
      // The watchdog has ended the first part: its signals were begun a second time, alone.
      const worked = member.told.text.length
      assert.ok(worked < signals * 2, `${worked} signals were worked on for ${signals}`)
    })

    it('SIGTERM in the middle of a batch is followed: what was done is committed, and the rest comes again', async t => {
      await send(signals)
      const stopped = start(SIGNAL_MS * 3)
      t.after(() => stopped.child.kill('SIGKILL'))
      await eventually('it is at work', () => stopped.told.text.length > 6, TIMEOUT_MS)
      await assertStops(stopped)
      assert.ok(done.length < sent.length, 'it stopped in the middle')
      const heir = start(SIGNAL_MS * 3)
      t.after(() => heir.child.kill('SIGKILL'))
      await assertEachOnce()
      await assertStops(heir)
    })
  })
}
