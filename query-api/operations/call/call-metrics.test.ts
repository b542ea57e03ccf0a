import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../../../infra/runtime/metrics.ts'
import { type KeyId, newId } from '../../../schemas/domain/ids.ts'
import { measureCalls } from './observe.ts'

test('calls are counted by door, operation and outcome, with their time and their units, and say of nobody', async () => {
  const metrics = createMetrics({ program: 'test', ofProcess: false })
  const observe = measureCalls(metrics)
  const keyId = newId<KeyId>()
  const agent = { via: { kind: 'key', keyId, label: 'Agent' } } as const
  const person = { via: { kind: 'app', administers: false, sessionId: 'session' } } as const
  const call = { operation: 'list_signals', milliseconds: 20 }
  observe({ ...call, caller: agent, outcome: 'ok', workUnits: 3 })
  observe({ ...call, caller: agent, outcome: 'timeout', workUnits: 0 })
  observe({ ...call, caller: person, outcome: 'ok', workUnits: 3 })
  const { body } = await metrics.expose()
  const labels = 'operation="list_signals"'
  for (const line of [
    `assay_calls_total{door="agent",${labels},outcome="ok",program="test"} 1`,
    `assay_calls_total{door="agent",${labels},outcome="timeout",program="test"} 1`,
    `assay_calls_total{door="app",${labels},outcome="ok",program="test"} 1`,
    'assay_call_seconds_count{program="test",door="agent"} 2',
    'assay_work_units_total{door="agent",program="test"} 3',
  ])
    assert.ok(body.includes(`${line}\n`), `${line}\n${body}`)
  assert.doesNotMatch(body, new RegExp(`${keyId}|Agent"`))
})
