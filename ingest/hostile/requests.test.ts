import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { emailReceiver } from '../receivers/email/receiver.ts'
import { createFakeSources, startTestEdge } from '../testing.ts'
import { exchange, open, readAnswer, SENDERS, type Sender } from './senders.ts'

/** How a request differs from one that is accepted. */
interface Variant {
  /** Default POST. */
  readonly method?: string
  readonly version?: string
  /** Made from the endpoint's own path. */
  readonly target?: (path: string) => string
  /** Headers instead of the sender's own, by their names in lower case; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Made from the sender's own. */
  readonly contentType?: (type: string) => string
  /** Header lines besides. */
  readonly lines?: readonly string[]
  /** What follows the headers. */
  readonly payload?: (body: string) => string
}

const UPPER_CASE_ID = /[^/]+$/

/** What is sent, and the status that answers it. */
const CASES: readonly (readonly [what: string, status: number, variant: Variant])[] = [
  ['a request in good order', 200, {}],
  [
    'a Content-Type in other words',
    200,
    { contentType: type => `${type.replaceAll(/\b[aj]/g, letter => letter.toUpperCase())} ; Charset="UTF-8"` },
  ],
  ['a Content-Type with parameters that mean nothing', 200, { contentType: type => `${type}; q=1;;` }],
  ['no Content-Type', 415, { headers: { 'content-type': undefined } }],
  ['an empty Content-Type', 415, { headers: { 'content-type': '' } }],
  ['another Content-Type', 415, { headers: { 'content-type': 'text/json' } }],
  ['two Content-Types', 415, { lines: ['Content-Type: application/json'] }],
  ['another charset', 415, { contentType: type => `${type}; charset=utf-16` }],
  ['a compressed body', 415, { headers: { 'content-encoding': 'gzip' } }],
  ['a body that says it is compressed twice', 415, { headers: { 'content-encoding': 'identity, gzip' } }],
  ['a body that says it is not compressed', 200, { headers: { 'content-encoding': 'identity' } }],
  ['GET', 405, { method: 'GET' }],
  ['HEAD', 405, { method: 'HEAD' }],
  ['PUT', 405, { method: 'PUT' }],
  ['DELETE', 405, { method: 'DELETE' }],
  ['OPTIONS', 405, { method: 'OPTIONS' }],
  ['TRACE', 405, { method: 'TRACE' }],
  ['CONNECT', 405, { method: 'CONNECT' }],
  ['a method that nobody knows', 405, { method: 'BREW' }],
  ['a method in lower case', 405, { method: 'post' }],
  ['a query', 200, { target: path => `${path}?a=b&c` }],
  ['the id in capitals', 200, { target: path => path.replace(UPPER_CASE_ID, id => id.toUpperCase()) }],
  ['a slash at the end', 404, { target: path => `${path}/` }],
  ['a slash too many', 404, { target: path => path.replace('/webhooks/', '/webhooks//') }],
  ['a slash too many at the beginning', 404, { target: path => `/${path}` }],
  ['the path in capitals', 404, { target: path => path.replace('/api/', '/API/') }],
  ['the path percent-encoded', 404, { target: path => path.replace('/webhooks/', '/%77ebhooks/') }],
  ['dots in the path', 404, { target: path => path.replace('/webhooks/', '/webhooks/x/../') }],
  ['percent-encoded dots in the path', 404, { target: path => path.replace('/webhooks/', '/webhooks/x/%2e%2e/') }],
  ['a percent-encoded NUL in the path', 404, { target: path => `${path}%00` }],
  ['a fragment', 404, { target: path => `${path}#a` }],
  ['no id', 404, { target: path => path.replace(UPPER_CASE_ID, '') }],
  ['an id that is none', 404, { target: path => path.replace(UPPER_CASE_ID, 'x'.repeat(5000)) }],
  [
    'an id that nobody has',
    404,
    { target: path => path.replace(UPPER_CASE_ID, '01890000-0000-7000-8000-000000000000') },
  ],
  ['an absolute address', 505, { target: path => `http://edge${path}` }],
  ['HTTP/1.0', 505, { version: 'HTTP/1.0' }],
  ['a version that is none', 505, { version: 'HTTP/3.1' }],
  ['no Host', 400, { headers: { host: undefined } }],
  ['headers of 15,000 bytes', 200, { lines: [`X-Long: ${'x'.repeat(15_000)}`] }],
  ['headers of 20,000 bytes', 431, { lines: [`X-Long: ${'x'.repeat(20_000)}`] }],
  ['90 headers', 200, { lines: Array.from({ length: 85 }, (_, index) => `X-${index}: 1`) }],
  ['200 headers', 431, { lines: Array.from({ length: 200 }, (_, index) => `X-${index}: 1`) }],
  ['headers that are not ASCII', 200, { lines: ['X-Name: \xe9\xff'] }],
  ['two lengths', 400, { lines: ['Content-Length: 1'] }],
  [
    'the same length twice',
    400,
    { lines: ['Content-Length: 0'], headers: { 'content-length': '0' }, payload: () => '' },
  ],
  ['a length and chunks', 400, { lines: ['Transfer-Encoding: chunked'] }],
  ['a length that is negative', 400, { headers: { 'content-length': '-1' } }],
  ['a length that is no number', 400, { headers: { 'content-length': '1e1' } }],
  ['a length beyond any number', 400, { headers: { 'content-length': '9'.repeat(30) } }],
  [
    'another transfer encoding',
    400,
    { headers: { 'content-length': undefined, 'transfer-encoding': 'gzip, chunked' }, payload: () => '0\r\n\r\n' },
  ],
  [
    'chunks',
    200,
    {
      headers: { 'content-length': undefined, 'transfer-encoding': 'Chunked' },
      payload: body => `${[...body].map(one => `1\r\n${one}\r\n`).join('')}0\r\n\r\n`,
    },
  ],
  [
    'chunks that are none',
    400,
    { headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' }, payload: () => 'zz\r\nabc\r\n' },
  ],
  ['no length at all', 400, { headers: { 'content-length': undefined }, payload: () => '' }],
]

/** Statuses that may come instead, at a receiver with another order of checks or another proof. */
const OR: Readonly<Record<string, readonly number[]>> = {
  // What has no body is proven or parsed as an empty one, whichever comes first; not everything is wrong JSON when it
  // is empty.
  'no length at all': [400, 401, 422],
}

const write = (sender: Sender, id: string, variant: Variant): Buffer => {
  const { method = 'POST', version = 'HTTP/1.1', target = path => path, lines = [], payload = body => body } = variant
  const { contentType = type => type } = variant
  const headers: Record<string, string | undefined> = {
    host: 'edge',
    'content-length': String(Buffer.byteLength(sender.body)),
    ...sender.headers(Buffer.from(sender.body)),
    'content-type': contentType(sender.contentType),
    ...variant.headers,
  }
  const written = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  const first = `${method} ${target(sender.receiver.path + id)} ${version}`
  return Buffer.from([first, ...written, ...lines, '', payload(sender.body)].join('\r\n'), 'latin1')
}

describe('requests that are not as they should be', () => {
  const sources = createFakeSources()
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  before(async () => {
    edge = await startTestEdge({ maxFailuresPerMinute: 10_000, bodyTimeoutMs: 1000 }, { sources: sources.loader })
  })
  after(() => edge.stop())

  for (const sender of SENDERS) {
    it(`have their answers at ${sender.name}`, async () => {
      for (const [what, expected, variant] of CASES) {
        // A source for each, since each may be the one too many for another.
        const { id } = sources.add(sender.source)
        const { status, text } = await exchange(edge.port, write(sender, id, variant), {
          withoutBody: variant.method === 'HEAD',
        })
        assert.ok((OR[what] ?? [expected]).includes(status ?? 0), `${what}: ${status} instead of ${expected}\n${text}`)
        if (status === 405) assert.match(text, /^allow: POST\r$/m)
        if (status === 415) assert.match(text, /must be|not accepted/)
        // Whatever the edge itself says is said in one form; what is no HTTP, uWebSockets.js answers by itself.
        if (status !== 200 && !text.includes('<h1>') && variant.method !== 'HEAD') {
          const problem = JSON.parse(text.slice(text.indexOf('\r\n\r\n')))
          assert.equal(problem.ok, false)
          assert.equal(problem.status, status)
        }
      }
    })
  }

  it('cannot reach one receiver’s source by another receiver’s path', async () => {
    for (const sender of SENDERS) {
      const other = SENDERS.find(candidate => candidate !== sender) ?? sender
      const { id } = sources.add(other.source)
      assert.equal((await exchange(edge.port, write(sender, id, {}))).status, 404, `${other.name} by ${sender.name}`)
    }
  })

  it('find no mail door where mail is not set up', async () => {
    const post = `POST ${emailReceiver.path} HTTP/1.1\r\nHost: edge\r\nContent-Type: message/rfc822\r\nContent-Length: 0\r\n\r\n`
    assert.equal((await exchange(edge.port, post)).status, 404)
  })

  it('are never taken with chunk extensions or trailers, which the server does not read', async () => {
    const inChunks = { 'content-length': undefined, 'transfer-encoding': 'chunked' }
    const sizeOf = (body: string) => body.length.toString(16)
    const payloads = [
      (body: string) => `${sizeOf(body)};a=b\r\n${body}\r\n0\r\n\r\n`,
      (body: string) => `${sizeOf(body)}; x\r\n${body}\r\n0\r\n\r\n`,
      (body: string) => `${sizeOf(body)}\r\n${body}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
    ]
    for (const sender of SENDERS) {
      const answers = payloads.map(payload => {
        const { id } = sources.add(sender.source)
        return exchange(edge.port, write(sender, id, { headers: inChunks, payload }))
      })
      for (const { status } of await Promise.all(answers)) {
        assert.ok([null, 400, 408, 505].includes(status), `${sender.name}: ${status}`)
      }
    }
  })

  it('end the connection when they come before the answer to the one before', async () => {
    for (const sender of SENDERS) {
      const { id } = sources.add(sender.source)
      await exchange(edge.port, write(sender, id, {}))
      const before = edge.log.appends.length
      const twice = Buffer.concat([write(sender, id, {}), write(sender, id, {})])
      const { status } = await exchange(edge.port, twice)
      assert.equal(status, null, sender.name)
      await eventually('at most the first was taken', () => edge.log.appends.length <= before + 1)
    }
    const [signal = SENDERS[0]] = SENDERS
    assert.ok(signal)
    const { id } = sources.add(signal.source)
    assert.equal((await exchange(edge.port, write(signal, id, {}))).status, 200)
  })

  it('may follow each other on one connection', async () => {
    for (const sender of SENDERS) {
      const { id } = sources.add(sender.source)
      const socket = open(edge.port, write(sender, id, {}))
      assert.equal((await readAnswer(socket)).status, 200)
      socket.removeAllListeners('data')
      socket.write(write(sender, id, {}))
      assert.equal((await readAnswer(socket)).status, 200)
      socket.destroy()
    }
  })

  it('are held back by Expect until the edge wants the body', async () => {
    const [sender = SENDERS[0]] = SENDERS
    assert.ok(sender)
    const { id } = sources.add(sender.source)
    const request = write(sender, id, { lines: ['Expect: 100-continue'] })
    const end = request.indexOf('\r\n\r\n') + 4
    const socket = open(edge.port, request.subarray(0, end))
    const [interim] = await new Promise<Buffer[]>(resolve => socket.once('data', data => resolve([data])))
    assert.match(String(interim), /^HTTP\/1\.1 100 Continue/)
    socket.write(request.subarray(end))
    assert.equal((await readAnswer(socket)).status, 200)
    socket.destroy()
  })
})
