import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter, createMetrics } from './metrics.ts'

test('what is counted is exposed with the program as a label, beside the process’s own metrics', async () => {
  const metrics = createMetrics({ program: 'test' })
  const accepted = new Counter({ name: 'accepted_total', help: 'Accepted signals.', registers: [metrics.registry] })
  accepted.inc(3)
  const { contentType, body } = await metrics.expose()
  assert.match(contentType, /^text\/plain/)
  assert.match(body, /^accepted_total\{program="test"\} 3$/m)
  assert.match(body, /^process_resident_memory_bytes\{/m)
})

test('two registries in one process do not meet', async () => {
  const [one, two] = [createMetrics({ program: 'one' }), createMetrics({ program: 'two' })]
  for (const { registry } of [one, two])
    new Counter({ name: 'same_total', help: 'The same name.', registers: [registry] }).inc()
  assert.match((await one.expose()).body, /^same_total\{program="one"\} 1$/m)
  assert.match((await two.expose()).body, /^same_total\{program="two"\} 1$/m)
})
