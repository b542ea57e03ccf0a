import assert from 'node:assert/strict'
import { it } from 'node:test'
import { AssayError } from './errors.ts'
import { createHealth } from './health.ts'
import { createMetrics } from './metrics.ts'
import { startProbeServer } from './probe-server.ts'
import { createProbes } from './probes.ts'

it('answers probes while the program waits, and nothing else', async t => {
  const health = createHealth()
  health.check('log', async () => {
    throw new AssayError('unavailable', 'The log cannot be reached.')
  })
  const probes = createProbes(health, createMetrics({ program: 'test', ofProcess: false }))
  const server = await startProbeServer({ host: '127.0.0.1', port: 0, probes })
  t.after(server.stop)
  const url = `http://127.0.0.1:${server.port}`
  assert.equal((await fetch(`${url}/livez`)).status, 200)
  const ready = await fetch(`${url}/readyz`)
  assert.equal(ready.status, 503)
  assert.deepEqual(await ready.json(), { status: 'failing', checks: { log: 'The log cannot be reached.' } })
  assert.equal((await fetch(`${url}/metrics`)).status, 200)
  assert.equal((await fetch(`${url}/readyz`, { method: 'POST' })).status, 404)
  assert.equal((await fetch(`${url}/anything`)).status, 404)
})
