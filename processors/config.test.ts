import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig, renderConfig } from '../infra/runtime/config.ts'
import { PROCESSORS_CONFIG } from './config.ts'

const read = (env: Readonly<Record<string, string>>) => parseConfig(PROCESSORS_CONFIG, env)

test('heads and segments are lists of steps, in the order of the pipeline', () => {
  const { heads, segments } = read({ PIPELINE_HEADS: 'cluster, anchor,validate', PIPELINE_SEGMENTS: 'anchor' })
  assert.deepEqual(heads, ['validate', 'anchor', 'cluster'])
  assert.deepEqual(segments, ['anchor'])
})

test('delays keep the names that their topics have', () => {
  assert.deepEqual(read({ RETRY_DELAYS: '500ms, 2s,1h' }).retryDelays, [
    { name: '500ms', ms: 500 },
    { name: '2s', ms: 2000 },
    { name: '1h', ms: 3_600_000 },
  ])
})

test('by default a dead letter that may yet succeed is driven again with a growing interval, for a day', () => {
  const intervals = read({}).redriveDelays.map(delay => delay.ms)
  assert.deepEqual(
    intervals,
    intervals.toSorted((one, other) => one - other),
  )
  assert.equal(
    intervals.reduce((sum, interval) => sum + interval, 0),
    86_400_000,
  )
})

test('a wrong value names its variable and what is allowed', () => {
  const refusal = (message: RegExp) => ({ code: 'invalid_configuration', message })
  assert.throws(
    () => read({ PIPELINE_HEADS: 'validate,polish' }),
    refusal(/PIPELINE_HEADS .*must be steps .*normalize/),
  )
  for (const delays of ['soon', '10', '10s,,1m', '0s', '-1s']) {
    assert.throws(() => read({ RETRY_DELAYS: delays }), refusal(/RETRY_DELAYS .*such as 10s,1m,10m/), delays)
  }
})

test('what is written can be read again', () => {
  const defaults = read({})
  const lines = renderConfig(PROCESSORS_CONFIG, defaults).split('\n')
  const env = Object.fromEntries(lines.map(line => line.split('=') as [string, string]))
  assert.deepEqual(read(env), defaults)
})
