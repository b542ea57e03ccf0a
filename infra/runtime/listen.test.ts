import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { it } from 'node:test'
import { AssayError } from './errors.ts'
import { createHealth } from './health.ts'
import { createProbes, startProbeServer } from './listen.ts'
import { createMetrics } from './metrics.ts'

it('answers probes while the program waits, and nothing else', async t => {
  const health = createHealth()
  let looks = 0
  health.check('log', async () => {
    looks += 1
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

  looks = 0
  const atOnce = await Promise.all(Array.from({ length: 100 }, () => probes.get('/readyz')?.()))
  assert.ok(atOnce.every(answer => answer?.status === 503))
  assert.equal(looks, 1, 'who asks at once shares a look')
  await probes.get('/readyz')?.()
  assert.equal(looks, 2)
  assert.equal((await fetch(`${url}/readyz`, { method: 'POST' })).status, 404)
  assert.equal((await fetch(`${url}/anything`)).status, 404)
})

it('says why it cannot listen, and what to set', async t => {
  const probes = createProbes(createHealth(), createMetrics({ program: 'test', ofProcess: false }))
  const taken = await startProbeServer({ host: '127.0.0.1', port: 0, probes })
  t.after(taken.stop)
  for (const [host, port, sentence] of [
    ['127.0.0.1', taken.port, 'something listens there already. Set METRICS_PORT.'],
    ['192.0.2.1', 0, 'this machine has no such address. Set METRICS_PORT.'],
  ] as const)
    await assert.rejects(startProbeServer({ host, port, probes, variables: 'METRICS_PORT' }), {
      publicMessage: `Port ${port} on ${host} cannot be listened on: ${sentence}`,
    })
})

it('closes while probers keep their connections, in the middle of an answer and between two', async () => {
  const health = createHealth()
  const { promise: looked, resolve: answer } = Promise.withResolvers<void>()
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
  health.check('slow', () => {
    isAsked()
    return looked
  })
  const probes = createProbes(health, createMetrics({ program: 'test', ofProcess: false }))
  const server = await startProbeServer({ host: '127.0.0.1', port: 0, probes })
  const agents = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: true, maxSockets: 1 })]
  const ask = (agent: Agent | undefined, path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const request = get({ port: server.port, host: '127.0.0.1', path, agent }, response => {
        response.resume().once('end', () => resolve(response.statusCode))
      })
      request.once('error', reject)
    })
  assert.equal(await ask(agents[0], '/livez'), 200)
  // A prober that asks again over its connection as soon as it was answered, for as long as it is.
  const again = async (): Promise<number> => {
    for (let answers = 0; ; answers += 1) if ((await ask(agents[1], '/livez').catch(() => null)) !== 200) return answers
  }
  const slow = ask(agents[1], '/readyz')
  await asked
  const probing = again()
  const stopped = server.stop()
  answer()
  await stopped
  assert.equal(await slow, 200)
  await probing
  for (const agent of agents) agent.destroy()
})
