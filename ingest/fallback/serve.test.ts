import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'
import { startTestEdge } from '../testing.ts'
import type { FetchHandler } from './serve.ts'

describe('a web-standard handler behind the edge', () => {
  let handler: FetchHandler = () => new Response()
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  before(async () => {
    edge = await startTestEdge({}, { fallback: incoming => handler(incoming) })
  })
  after(() => edge.stop())

  it('gets the method, the address with its query, and the headers as they were sent', async () => {
    handler = incoming =>
      Response.json({ method: incoming.method, url: incoming.url, custom: incoming.headers.get('x-custom') })
    const response = await fetch(`${edge.url}/a%20b/c?d=e&f=g%26`, { method: 'DELETE', headers: { 'x-custom': 'h' } })
    assert.deepEqual(await response.json(), { method: 'DELETE', url: `${edge.url}/a%20b/c?d=e&f=g%26`, custom: 'h' })
  })

  it('learns the client’s address from the socket, whatever the client says', async () => {
    handler = incoming => new Response(incoming.headers.get(CLIENT_ADDRESS_HEADER))
    const response = await fetch(edge.url, { headers: { [CLIENT_ADDRESS_HEADER]: '203.0.113.1' } })
    assert.equal(await response.text(), '127.0.0.1')
  })

  it('never sees the edge’s own paths', async () => {
    handler = () => assert.fail('the handler was called')
    assert.equal((await fetch(`${edge.url}/api/webhooks/nobody/1`, { method: 'POST' })).status, 404)
    for (const path of ['/livez', '/readyz', '/metrics']) assert.equal((await fetch(edge.url + path)).status, 200)
  })

  it('answers with status, several cookies and no body', async () => {
    handler = () => {
      const headers = new Headers({ location: '/elsewhere' })
      headers.append('set-cookie', 'a=1; Path=/')
      headers.append('set-cookie', 'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT')
      return new Response(null, { status: 302, headers })
    }
    const response = await fetch(edge.url, { redirect: 'manual' })
    assert.equal(response.status, 302)
    assert.equal(response.headers.get('location'), '/elsewhere')
    assert.deepEqual(response.headers.getSetCookie(), ['a=1; Path=/', 'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT'])
    handler = () => new Response(null, { status: 204 })
    assert.equal((await fetch(edge.url)).headers.get('content-length'), null)
  })

  it('answers HEAD with the headers alone', async () => {
    handler = () => new Response('four', { headers: { 'content-length': '4', 'x-custom': 'h' } })
    const response = await fetch(edge.url, { method: 'HEAD' })
    assert.equal(response.headers.get('content-length'), '4')
    assert.equal(response.headers.get('x-custom'), 'h')
    assert.equal(await response.text(), '')
  })

  it('carries large bodies both ways unharmed, however they come', async () => {
    const sent = Buffer.from(Array.from({ length: 5_000_000 }, (_, i) => i % 251))
    handler = async incoming => new Response(incoming.body)
    const whole = await fetch(edge.url, { method: 'POST', body: sent })
    assert.ok(sent.equals(Buffer.from(await whole.arrayBuffer())))
    const chunks = new Blob([sent]).stream()
    const streamed = await fetch(edge.url, { method: 'POST', body: chunks, duplex: 'half' } as RequestInit)
    assert.ok(sent.equals(Buffer.from(await streamed.arrayBuffer())))
  })

  it('holds a fast client back while nobody reads its body', async () => {
    let arrived = 0
    const gate = Promise.withResolvers<void>()
    handler = async incoming => {
      await gate.promise
      for await (const chunk of incoming.body ?? []) arrived += chunk.byteLength
      return new Response('done')
    }
    let written = 0
    const answered = new Promise<string>((resolve, reject) => {
      const sent = request(edge.url, { method: 'POST', headers: { 'content-length': 64 * 1024 * 1024 } }, response => {
        response.setEncoding('utf8').on('data', resolve)
      })
      sent.on('error', reject)
      const pour = () => {
        while (written < 64 * 1024 * 1024) {
          written += 65_536
          if (!sent.write(Buffer.alloc(65_536))) return
        }
        sent.end()
      }
      sent.on('drain', pour)
      pour()
    })
    await new Promise(resolve => setTimeout(resolve, 300))
    assert.ok(written < 32 * 1024 * 1024, `the client was held back at ${written}`)
    gate.resolve()
    assert.equal(await answered, 'done')
    assert.equal(arrived, 64 * 1024 * 1024)
  })

  it('stops reading from a response that its client does not take', async () => {
    let produced = 0
    handler = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            produced += 65_536
            controller.enqueue(new Uint8Array(65_536))
          },
        }),
      )
    const socket = connect(edge.port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: edge\r\n\r\n')
    socket.pause()
    let before = -1
    await eventually('the response waits for its client', async () => {
      const still = produced === before && produced > 0
      before = produced
      await new Promise(resolve => setTimeout(resolve, 100))
      return still
    })
    assert.ok(produced < 64 * 1024 * 1024)
    socket.destroy()
  })

  it('sends each part of a stream as soon as it is there', async () => {
    const parts = new TransformStream<string, string>()
    handler = () =>
      new Response(parts.readable.pipeThrough(new TextEncoderStream()), {
        headers: { 'content-type': 'text/event-stream' },
      })
    const writer = parts.writable.getWriter()
    void writer.write('data: 1\n\n')
    const response = await fetch(edge.url)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.equal((await reader?.read())?.value, 'data: 1\n\n')
    void writer.write('data: 2\n\n')
    assert.equal((await reader?.read())?.value, 'data: 2\n\n')
    void writer.close()
    assert.equal((await reader?.read())?.done, true)
  })

  it('hears of a client that left, before and while it answers', async () => {
    const heard = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    handler = incoming => {
      incoming.signal.addEventListener('abort', () => heard.resolve())
      began.resolve()
      return new Promise(() => {})
    }
    const leaving = new AbortController()
    const response = fetch(edge.url, { signal: leaving.signal })
    await began.promise
    leaving.abort()
    await assert.rejects(response)
    await heard.promise

    const cancelled = Promise.withResolvers<void>()
    handler = () =>
      new Response(
        new ReadableStream({
          start: controller => controller.enqueue(new Uint8Array(10)),
          cancel: () => cancelled.resolve(),
        }),
      )
    const streaming = new AbortController()
    const half = await fetch(edge.url, { signal: streaming.signal })
    streaming.abort()
    await assert.rejects(half.text())
    await cancelled.promise
  })

  it('becomes a 500 that says nothing when it throws, and a cut connection when it has begun to answer', async () => {
    handler = () => {
      throw new Error('the password is swordfish')
    }
    const response = await fetch(edge.url)
    assert.equal(response.status, 500)
    assert.ok(!(await response.text()).includes('swordfish'))
    handler = () =>
      new Response(
        new ReadableStream({
          start: controller => controller.enqueue(new Uint8Array(10)),
          pull: () => new Promise((_, reject) => setTimeout(reject, 50, new Error('lost'))),
        }),
      )
    await assert.rejects(async () => (await fetch(edge.url)).text())
  })

  it('may answer without reading the body, and the connection goes on', async () => {
    handler = () => new Response('no', { status: 401 })
    for (let i = 0; i < 5; i++) {
      const response = await fetch(edge.url, { method: 'POST', body: Buffer.alloc(2_000_000) })
      assert.equal(response.status, 401)
      assert.equal(await response.text(), 'no')
    }
  })
})
