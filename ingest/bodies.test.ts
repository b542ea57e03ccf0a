import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../infra/runtime/testing.ts'
import type { Source } from './registry/source.ts'
import { postSignal, sign, startTestEdge } from './testing.ts'

const LIMIT = 768 * 1024

describe('bodies', () => {
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  let source: Source

  before(async () => {
    edge = await startTestEdge()
    source = edge.sources.add()
    // The registry learns of the source, so that the tests below do not also wait for a look-up.
    await postSignal(edge.url, source.id, { text: 'first' })
  })
  after(() => edge.stop())

  const inFlightBytes = async (of = edge) => {
    const text = await (await fetch(`${of.url}/metrics`)).text()
    return Number(/^assay_ingest_in_flight_bytes\{.*\} (\d+)$/m.exec(text)?.[1])
  }

  /** Sends a body in chunks, without a declared size; answers the status. */
  const stream = (chunks: readonly Buffer[], headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${edge.url}/api/webhooks/custom/${source.id}`,
        { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
        response => resolve(response.resume().statusCode ?? 0),
      )
      sent.on('error', reject)
      for (const chunk of chunks) sent.write(chunk)
      sent.end()
    })

  /** Opens a connection and sends a request's head and some of its body, and no more. */
  const begin = (declared: number, part: string) => {
    const socket = connect(edge.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `POST /api/webhooks/custom/${source.id} HTTP/1.1\r\nHost: edge\r\nContent-Type: application/json\r\nContent-Length: ${declared}\r\n\r\n${part}`,
    )
    return socket
  }

  it('refuses a body that is declared too large before it is sent', async () => {
    const socket = begin(LIMIT + 1, '')
    const [answer] = await new Promise<Buffer[]>(resolve => socket.once('data', data => resolve([data])))
    assert.match(String(answer), /^HTTP\/1\.1 413 /)
    socket.destroy()
  })

  it('answers 413 to a sender that writes all of a body that is too large', async () => {
    const response = await postSignal(edge.url, source.id, { text: 'x', metadata: { pad: 'x'.repeat(LIMIT) } })
    assert.equal(response.status, 413)
    assert.match(((await response.json()) as { detail: string }).detail, /786432 bytes/)
  })

  it('refuses a streamed body once it has grown too large', async () => {
    assert.equal(await stream([Buffer.alloc(LIMIT), Buffer.alloc(1)], {}), 413)
  })

  it('takes a streamed body that fits', async () => {
    const body = Buffer.from(JSON.stringify({ text: 'streamed' }))
    const status = await stream([body.subarray(0, 5), body.subarray(5)], { 'x-service-signature': sign(body) })
    assert.equal(status, 200)
  })

  it('cuts off a stream that does not end', async () => {
    const socket = connect(edge.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `POST /api/webhooks/custom/${source.id} HTTP/1.1\r\nHost: edge\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    const piece = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 32), Buffer.from('\r\n')])
    const pour = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', pour)
    pour()
    socket.resume()
    await new Promise(resolve => socket.once('close', resolve))
    assert.equal(await inFlightBytes(), 0)
  })

  it('holds only what has arrived of a body, and frees it when the client leaves', async () => {
    const sockets = Array.from({ length: 20 }, () => begin(500_000, 'x'.repeat(1_000)))
    await eventually('what was sent is held', async () => (await inFlightBytes()) === 20_000)
    for (const socket of sockets) socket.destroy()
    await eventually('the memory is freed', async () => (await inFlightBytes()) === 0)
    assert.equal((await postSignal(edge.url, source.id, { text: 'still there' })).status, 200)
  })

  it('answers 503 with Retry-After when too much is in flight, and goes on when it is not', async () => {
    const small = await startTestEdge({ maxInFlightBytes: 512 * 1024 })
    try {
      const { id } = small.sources.add()
      const release = small.log.hold()
      const body = { text: '😀'.repeat(50_000) }
      const held = [postSignal(small.url, id, body), postSignal(small.url, id, body)]
      await eventually('two records wait for the log', async () => (await inFlightBytes(small)) > 400_000)
      const refused = await postSignal(small.url, id, body)
      assert.equal(refused.status, 503)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      release()
      for (const response of await Promise.all(held)) assert.equal(response.status, 200)
      assert.equal((await postSignal(small.url, id, body)).status, 200)
      assert.equal(await inFlightBytes(small), 0)
    } finally {
      await small.stop()
    }
  })
})
