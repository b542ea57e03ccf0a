import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { createFakeSources, startTestEdge } from '../testing.ts'
import { exchange, open, readAnswer, SENDERS } from './senders.ts'

/**
 * A client may send a request in as many packets as it likes. The packed uWebSockets.js takes some first lines that
 * come in two for HTTP/1.0 and answers 505 (decision 57): where its first read ends right behind the method, or within
 * the version. Nothing of such a request is taken. A binary without the mistake fails here: then the list goes.
 */
const isKnown = (line: string, at: number): boolean => {
  const version = line.indexOf(' HTTP/1.1\r\n')
  return at === line.indexOf(' ') + 1 || (at > version && at < line.length)
}

describe('a request in two packets', () => {
  const sources = createFakeSources()
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  before(async () => {
    const fallback = async (request: Request) => Response.json({ ok: true, heard: await request.text() })
    edge = await startTestEdge({}, { sources: sources.loader, fallback })
  })
  after(() => edge.stop())

  /** The server reads what came first on one connection before what came later on another. */
  const untilRead = () => exchange(edge.port, 'GET /livez HTTP/1.1\r\nHost: edge\r\n\r\n')

  const [sender = SENDERS[0]] = SENDERS
  assert.ok(sender)
  const written = (path: string, headers: Readonly<Record<string, string>>, body: string): string =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: edge',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n')

  const signal = () => {
    const { id } = sources.add(sender.source)
    return written(`${sender.receiver.path}${id}`, sender.headers(Buffer.from(sender.body)), sender.body)
  }
  const toFallback = () => written('/elsewhere', { 'Content-Type': 'text/plain' }, 'hello')

  const firstPart = async (bytes: Buffer, at: number): Promise<Socket> => {
    const socket = open(edge.port, bytes.subarray(0, at)).setNoDelay(true)
    await untilRead()
    return socket
  }

  for (const [where, make] of [
    ['the edge’s own', signal],
    ['the handler behind it', toFallback],
  ] as const) {
    it(`is answered as in one, wherever it is cut: ${where}`, async () => {
      const length = Buffer.byteLength(make())
      for (let at = 1; at < length; at++) {
        const text = make()
        const bytes = Buffer.from(text)
        const line = text.slice(0, text.indexOf('\n') + 1)
        const socket = await firstPart(bytes, at)
        const offered = edge.log.offered()
        const answering = readAnswer(socket)
        if (!isKnown(line, at)) socket.write(bytes.subarray(at))
        const { status } = await answering
        socket.destroy()
        assert.equal(
          status,
          isKnown(line, at) ? 505 : 200,
          `cut behind byte ${at}: ${JSON.stringify(text.slice(0, at))}`,
        )
        if (status === 505) assert.equal(edge.log.offered(), offered)
      }
    })
  }
})
