import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../runtime/testing.ts'
import type { Batch, BatchContext, Log } from '../port.ts'
import type { Bench } from './harness.ts'
import { afterBatch, createGate, startReader, startTopic, textOf } from './reading.ts'

interface Completing {
  readonly log: Log
  readonly group: string
  readonly topic: string
  /** Begins when a record's batch is handled, and goes on beside the next one. */
  readonly complete: (batch: Batch, context: BatchContext) => Promise<void>
}

/** Reads a topic record by record, each a batch of its own. */
const startCompleting = ({ log, group, topic, complete }: Completing) =>
  startReader(log, {
    group,
    topics: [topic],
    maxRecords: 1,
    onBatch: async (batch, context) => ({ next: afterBatch(batch), completion: complete(batch, context) }),
  })

/** What of a batch goes on beside the next one. */
export const describeCompletion = (bench: Bench): void => {
  describe('completion', () => {
    test('A batch is completed beside the next one, whose handler can wait for that, and none comes after it.', async () => {
      const { log, topic, group } = await startTopic(bench, 'beside', ['a', 'b', 'c', 'd'])
      const door = createGate()
      const completed: number[] = []
      const complete: Completing['complete'] = async (batch, context) => {
        const next = afterBatch(batch)
        await context.before
        if (next === 1) await door.passed
        await context.commit(next)
        completed.push(next)
      }
      const reader = await startCompleting({ log, group, topic, complete })
      await eventually('the second is handled', () => reader.batches.length === 2)
      await log.ping()
      assert.deepEqual([reader.texts(), completed], [['a', 'b'], []])
      door.open()
      await eventually('all are completed', () => completed.length === 4)
      await reader.consumer.stop()
      assert.deepEqual(
        [reader.texts(), completed],
        [
          ['a', 'b', 'c', 'd'],
          [1, 2, 3, 4],
        ],
      )
    })

    test('What cannot be completed comes again from the last commit, with what was handled beside it.', async () => {
      const { log, topic, group } = await startTopic(bench, 'incomplete', ['a', 'b', 'c'])
      const failing = new Set(['b', 'c'])
      const last = createGate()
      const complete: Completing['complete'] = async (batch, context) => {
        const next = afterBatch(batch)
        if (next === 3) last.open()
        await context.before
        const isFirst = batch.records.some(one => failing.delete(textOf(one)))
        if (isFirst) await last.passed
        // Nothing comes after the last one.
        if (isFirst) await log.ping()
        if (isFirst) throw new Error('It cannot be completed.')
        await context.commit(next)
      }
      const reader = await startCompleting({ log, group, topic, complete })
      await eventually('all are committed', async () => (await log.lag(group))[0]?.committed === 3)
      await reader.consumer.stop()
      assert.deepEqual(reader.texts(), ['a', 'b', 'c', 'b', 'c', 'c'])
    })

    test('stop() waits for what is being completed, which counts.', async () => {
      const { log, topic, group } = await startTopic(bench, 'completing', ['a'])
      const door = createGate()
      const complete: Completing['complete'] = (batch, context) =>
        door.passed.then(() => context.commit(afterBatch(batch)))
      const reader = await startCompleting({ log, group, topic, complete })
      await eventually('the handler has answered', () => reader.batches.length === 1)
      const stopping = reader.consumer.stop()
      await log.ping()
      door.open()
      await stopping
      assert.equal((await log.lag(group))[0]?.committed, 1)
    })
  })
}
