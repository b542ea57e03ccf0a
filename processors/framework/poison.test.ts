import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AssayError } from '../../infra/runtime/errors.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { DEAD_LETTERS_TOPIC, HEADERS, retryTopic, signalsTopic } from '../../schemas/events/topics.ts'
import { next } from './step.ts'
import { testPipeline, testSignal, testStep } from './testing.ts'
import { appendSignals, hostForTest, startTestLog, watchTopic } from './testing-log.ts'
import { LANES } from './topics.ts'

const embed = testStep('embed', async batch => batch.map(() => next({})))

for (const lane of LANES) {
  describe(`in the ${lane} lane`, () => {
    it('a poison record is dead at its first attempt, and its neighbours go on with nothing retried', async t => {
      const validate = testStep('validate', async batch => {
        if (batch.some(({ received }) => received?.body.includes('poison')))
          throw new RangeError('Nobody foresaw this.')
        return batch.map(() => next({}))
      })
      const pipeline = testPipeline([validate, embed], ['validate', 'embed'])
      const log = await startTestLog(t, pipeline)
      const done = await watchTopic(log, signalsTopic('embed', lane))
      const dead = await watchTopic(log, DEAD_LETTERS_TOPIC)
      const retried = await watchTopic(log, retryTopic('10s'))
      const fine = Array.from({ length: 30 }, (_, index) => testSignal(`fine ${index}`))
      const poison = [testSignal('poison one'), testSignal('poison two')]
      await appendSignals(log, 'validate', [...fine.slice(0, 7), ...poison, ...fine.slice(7)], lane)
      await hostForTest(log, pipeline, 'validate', { lane })

      await eventually('the neighbours went on', () => done.length === fine.length)
      await eventually('the poison is dead', () => dead.length === poison.length)
      assert.deepEqual(done.map(({ key }) => key).sort(), fine.map(({ signal_id }) => signal_id).sort())
      assert.deepEqual(
        dead.map(({ key, headers }) => [key, headers[HEADERS.attempt], headers[HEADERS.fault]]),
        poison.map(({ signal_id }) => [signal_id, '1', 'ours']),
      )
      assert.equal(retried.length, 0)
    })

    it('nothing burns an attempt while a dependency is away, however often it is tried', async t => {
      let isUnavailable = true
      let tries = 0
      const validate = testStep('validate', async batch => {
        tries += 1
        if (isUnavailable) throw new AssayError('unavailable', 'The database is unavailable.')
        return batch.map(() => next({}))
      })
      const pipeline = testPipeline([validate, embed], ['validate', 'embed'])
      const log = await startTestLog(t, pipeline)
      const done = await watchTopic(log, signalsTopic('embed', lane))
      const dead = await watchTopic(log, DEAD_LETTERS_TOPIC)
      const retried = await watchTopic(log, retryTopic('10s'))
      await appendSignals(log, 'validate', [testSignal('one'), testSignal('two')], lane)
      const delays = [{ name: '10s', ms: 10_000 }]
      await hostForTest(log, pipeline, 'validate', { lane, delays })
      await eventually('it was tried more often than there are attempts', () => tries > delays.length + 2)
      isUnavailable = false
      await eventually('both went on', () => done.length === 2)
      assert.deepEqual([dead.length, retried.length], [0, 0])
    })
  })
}
