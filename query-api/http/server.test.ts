import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createHealth } from '../../infra/runtime/health.ts'
import { createProbes, type Listening } from '../../infra/runtime/listen.ts'
import { createMetrics } from '../../infra/runtime/metrics.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'
import { startServer } from './server.ts'

const probes = createProbes(createHealth(), createMetrics({ program: 'test', ofProcess: false }))

const start = (clientAddressHeader: string | null, port = 0): Promise<Listening> =>
  startServer({
    host: '127.0.0.1',
    port,
    clientAddressHeader,
    probes,
    handler: async request =>
      Response.json({ address: request.headers.get(CLIENT_ADDRESS_HEADER), body: await request.text() }),
  })

describe('The query API’s own server', () => {
  let open: Listening
  let behindProxy: Listening
  before(async () => {
    open = await start(null)
    behindProxy = await start('x-forwarded-for')
  })
  after(() => Promise.all([open.stop(), behindProxy.stop()]))

  const addressSeen = async ({ port }: Listening, headers: Record<string, string>): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/anything`, { headers })
    return ((await response.json()) as { address: unknown }).address
  }

  it('tells the handler the socket’s address, whatever a client writes there itself', async () => {
    assert.equal(await addressSeen(open, {}), '127.0.0.1')
    assert.equal(await addressSeen(open, { [CLIENT_ADDRESS_HEADER]: '203.0.113.1' }), '127.0.0.1')
    assert.equal(await addressSeen(open, { 'x-forwarded-for': '203.0.113.1' }), '127.0.0.1')
  })

  it('believes the proxy’s header where one is configured', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.7, 203.0.113.4', [CLIENT_ADDRESS_HEADER]: '192.0.2.9' }
    assert.equal(await addressSeen(behindProxy, headers), '203.0.113.4')
  })

  it('hands bodies over, and keeps the probes to itself', async () => {
    const url = `http://127.0.0.1:${open.port}`
    const posted = await fetch(`${url}/api/mcp`, { method: 'POST', body: 'a body' })
    assert.equal(((await posted.json()) as { body: string }).body, 'a body')
    assert.deepEqual(await (await fetch(`${url}/readyz?verbose`)).json(), { status: 'ok', checks: {} })
    assert.equal((await fetch(`${url}/livez`, { method: 'HEAD' })).status, 200)
    assert.equal((await fetch(`${url}/metrics`)).status, 200)
  })

  it('sends each part of a stream as soon as it is there, and hears of a client that left', async () => {
    const parts = new TransformStream<string, string>()
    const streaming = await startServer({
      host: '127.0.0.1',
      port: 0,
      clientAddressHeader: null,
      probes,
      handler: async () =>
        new Response(parts.readable.pipeThrough(new TextEncoderStream()), {
          headers: { 'content-type': 'text/event-stream' },
        }),
    })
    const writer = parts.writable.getWriter()
    void writer.write('data: 1\n\n').catch(() => {})
    const leaving = new AbortController()
    const response = await fetch(`http://127.0.0.1:${streaming.port}/`, { signal: leaving.signal })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.equal((await reader?.read())?.value, 'data: 1\n\n')
    void writer.write('data: 2\n\n').catch(() => {})
    assert.equal((await reader?.read())?.value, 'data: 2\n\n')
    leaving.abort()
    await assert.rejects(writer.closed)
    await streaming.stop()
  })

  it('refuses to start on a port that is taken, and says what to do', async () => {
    await assert.rejects(start(null, open.port), { code: 'unavailable', message: /Set PORT or HOST/ })
  })
})
