import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../runtime/testing.ts'
import type { Bench } from './harness.ts'
import { afterBatch, createGate, startReader, startTopic, textOf } from './reading.ts'

/** What of a batch goes on beside the next one. */
export const describeCompletion = (bench: Bench): void => {
  describe('completion', () => {
    test('A batch is completed beside the next one, whose handler can wait for that, and none comes after it.', async () => {
      const { log, topic, group } = await startTopic(bench, 'beside', ['a', 'b', 'c', 'd'])
      const door = createGate()
      const completed: number[] = []
      const reader = await startReader(log, {
        group,
        topics: [topic],
        maxRecords: 1,
        onBatch: async (batch, context) => {
          const next = afterBatch(batch)
          const complete = async (): Promise<void> => {
            await context.before
            if (next === 1) await door.passed
            await context.commit(next)
            completed.push(next)
          }
          return { next, completion: complete() }
        },
      })
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
      const reader = await startReader(log, {
        group,
        topics: [topic],
        maxRecords: 1,
        onBatch: async (batch, context) => {
          const next = afterBatch(batch)
          if (next === 3) last.open()
          const complete = async (): Promise<void> => {
            await context.before
            const isFirst = batch.records.some(one => failing.delete(textOf(one)))
            if (isFirst) await last.passed
            // Nothing comes after the last one.
            if (isFirst) await log.ping()
            if (isFirst) throw new Error('It cannot be completed.')
            await context.commit(next)
          }
          return { next, completion: complete() }
        },
      })
      await eventually('all are committed', async () => (await log.lag(group))[0]?.committed === 3)
      await reader.consumer.stop()
      assert.deepEqual(reader.texts(), ['a', 'b', 'c', 'b', 'c', 'c'])
    })

    test('stop() waits for what is being completed, which counts.', async () => {
      const { log, topic, group } = await startTopic(bench, 'completing', ['a'])
      const door = createGate()
      const reader = await startReader(log, {
        group,
        topics: [topic],
        onBatch: async (batch, context) => ({
          next: afterBatch(batch),
          completion: door.passed.then(() => context.commit(afterBatch(batch))),
        }),
      })
      await eventually('the handler has answered', () => reader.batches.length === 1)
      const stopping = reader.consumer.stop()
      await log.ping()
      door.open()
      await stopping
      assert.equal((await log.lag(group))[0]?.committed, 1)
    })
  })
}
