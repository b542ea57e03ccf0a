import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { isAssayError } from '../runtime/errors.ts'
import { createLogger } from '../runtime/logger.ts'
import { createAnalytics } from './client.ts'

const logger = createLogger({ level: 'silent', program: 'test' })

/** How a query and an insert fail at a server that answers like this: `unavailable, retriable`. */
const failuresAt = async (answer: RequestListener): Promise<string[]> => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // What a server that listens on a port has.
  const { port } = server.address() as AddressInfo
  const analytics = createAnalytics(
    { url: `http://127.0.0.1:${port}`, username: 'assay', password: '', database: 'assay' },
    { logger },
  )
  const outcomes = await Promise.allSettled([
    analytics.query('SELECT 1'),
    analytics.insert('activity', [{ kind: 'test' }], 'token'),
  ])
  await analytics.close()
  server.close()
  return outcomes.map(outcome => {
    assert.ok(outcome.status === 'rejected' && isAssayError(outcome.reason))
    return `${outcome.reason.code}, ${outcome.reason.retriable ? 'retriable' : 'final'}`
  })
}

const twice = (failure: string): string[] => [failure, failure]

test('a connection that breaks, before or in the middle of an answer, is unavailable', async () => {
  assert.deepEqual(await failuresAt(request => request.socket.destroy()), twice('unavailable, retriable'))
  const half: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('{"meta"', () => response.destroy())
  }
  assert.equal((await failuresAt(half))[0], 'unavailable, retriable')
})

test('what something in between answers for a server that is away is unavailable', async () => {
  for (const [status, body] of [
    [502, '<html><body>Bad Gateway</body></html>'],
    [503, 'no healthy upstream'],
    [504, ''],
    [429, 'slow down'],
  ] as const) {
    const answer: RequestListener = (_, response) => response.writeHead(status).end(body)
    assert.deepEqual(await failuresAt(answer), twice('unavailable, retriable'), `${status}`)
  }
})

const CODES: readonly (readonly [number, string, string])[] = [
  [159, 'TIMEOUT_EXCEEDED', 'timeout, retriable'],
  [202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'busy, retriable'],
  [210, 'NETWORK_ERROR', 'unavailable, retriable'],
  [236, 'ABORTED', 'unavailable, retriable'],
  [241, 'MEMORY_LIMIT_EXCEEDED', 'busy, retriable'],
  [243, 'NOT_ENOUGH_SPACE', 'unavailable, retriable'],
  [252, 'TOO_MANY_PARTS', 'busy, retriable'],
  [516, 'AUTHENTICATION_FAILED', 'unavailable, retriable'],
  [47, 'UNKNOWN_IDENTIFIER', 'internal, final'],
]

for (const [code, name, expected] of CODES)
  test(`ClickHouse’s ${name} is ${expected}`, async () => {
    const answer: RequestListener = (_, response) =>
      response
        .writeHead(500, { 'x-clickhouse-exception-code': String(code) })
        .end(`Code: ${code}. DB::Exception: So it goes. (${name}) (version 26.7.1.1 (official build))\n`)
    assert.deepEqual(await failuresAt(answer), twice(expected))
  })
