import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AssayError } from '../../infra/runtime/errors.ts'
import { createMetrics } from '../../infra/runtime/metrics.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { createObserver, measureGroups } from './metrics.ts'
import { dead, next, retry, skip } from './step.ts'
import { testPipeline, testSignal, testStep } from './testing.ts'
import { appendSignals, hostForTest, startTestLog } from './testing-log.ts'
import { createBreaker } from './wait-for-dependency.ts'

const OUTCOMES = [
  next({}),
  next({}),
  skip('Repeats another.', ''),
  retry('Later.'),
  dead('Never.'),
  dead('Ours.', 'ours'),
]

test('a running pipeline shows its throughput, its latency, its failures, its lag and what it waits for', async t => {
  let isUnavailable = true
  const pipeline = testPipeline(
    [
      testStep('validate', async batch => batch.map((_, index) => OUTCOMES[index] ?? next({}))),
      testStep('embed', async batch => {
        if (isUnavailable) throw new AssayError('unavailable', 'The model is away.')
        return batch.map(() => next({}))
      }),
    ],
    ['validate', 'embed'],
  )
  const log = await startTestLog(t, pipeline)
  const metrics = createMetrics({ program: 'test', ofProcess: false })
  const observer = createObserver(metrics, () => {})
  const breakers = {
    validate: createBreaker({ firstMs: 10, maxMs: 50 }),
    embed: createBreaker({ firstMs: 10, maxMs: 50 }),
  }
  measureGroups(
    metrics,
    log,
    [
      { group: 'assay.validate.bulk', breaker: breakers.validate, delays: false },
      { group: 'assay.embed.bulk', breaker: breakers.embed, delays: false },
    ],
    Date.now,
  )

  await appendSignals(
    log,
    'validate',
    OUTCOMES.map((_, index) => testSignal(`text ${index}`)),
    'bulk',
  )
  const lane = 'bulk'
  await hostForTest(log, pipeline, 'validate', { observer, lane, breaker: breakers.validate })
  await hostForTest(log, pipeline, 'embed', { observer, lane, breaker: breakers.embed })

  const shows = async (...lines: readonly string[]) => {
    const { body } = await metrics.expose()
    for (const line of lines) assert.ok(body.split('\n').includes(line), `${line} is not in:\n${body}`)
  }
  await eventually('embed has paused more than once', async () => {
    const { body } = await metrics.expose()
    return Number(/^assay_group_pauses_total\{group="assay.embed.bulk",.*\} (\d+)$/m.exec(body)?.[1]) > 1
  })
  await shows(
    'assay_step_outcomes_total{step="validate",lane="bulk",outcome="next",program="test"} 2',
    'assay_step_outcomes_total{step="validate",lane="bulk",outcome="skip",program="test"} 1',
    'assay_step_outcomes_total{step="validate",lane="bulk",outcome="retry",program="test"} 1',
    'assay_step_outcomes_total{step="validate",lane="bulk",outcome="dead",program="test"} 2',
    'assay_retries_total{step="validate",lane="bulk",program="test"} 1',
    'assay_dead_letters_total{step="validate",lane="bulk",fault="sender",program="test"} 1',
    'assay_dead_letters_total{step="validate",lane="bulk",fault="ours",program="test"} 1',
    'assay_step_duration_seconds_count{program="test",step="validate",lane="bulk"} 1',
    'assay_step_record_seconds_count{program="test",step="validate",lane="bulk"} 6',
    'assay_signal_age_seconds_count{program="test",step="validate",lane="bulk"} 6',
    'assay_batch_records_sum{program="test",group="assay.validate.bulk"} 6',
    'assay_consumer_lag_records{group="assay.embed.bulk",topic="signals.embed.bulk",partition="0",program="test"} 2',
    'assay_group_waiting{group="assay.embed.bulk",program="test"} 1',
    'assay_group_waiting{group="assay.validate.bulk",program="test"} 0',
  )
  const { body } = await metrics.expose()
  const age = /^assay_consumer_oldest_age_seconds\{group="assay.embed.bulk".*\} (\S+)$/m.exec(body)?.[1]
  assert.ok(Number(age) > 0, `${age}`)
  const paused = /^assay_group_paused_seconds_total\{group="assay.embed.bulk".*\} (\S+)$/m.exec(body)?.[1]
  assert.ok(Number(paused) >= 0.02, `${paused}`)

  isUnavailable = false
  await eventually('embed has gone on', async () => (await log.lag('assay.embed.bulk'))[0]?.committed === 2)
  await eventually('and its breaker is closed', () => breakers.embed.open() === null)
  await shows(
    'assay_step_outcomes_total{step="embed",lane="bulk",outcome="next",program="test"} 2',
    'assay_consumer_lag_records{group="assay.embed.bulk",topic="signals.embed.bulk",partition="0",program="test"} 0',
    'assay_group_waiting{group="assay.embed.bulk",program="test"} 0',
  )
})
