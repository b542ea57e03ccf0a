import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createLogger } from '../../infra/runtime/logger.ts'
import { REQUEST_ID_HEADER } from '../../schemas/http/headers.ts'
import { createIntake } from '../intake/intake.ts'
import { RECEIVERS } from '../receivers/index.ts'
import { startTestEdge } from '../testing.ts'
import type { FetchHandler } from './serve.ts'

/** What a stranger wrote. No line of the log may have it. */
const MARK = 'SWORDFISH'
const thrown = () => new Error(`invalid input syntax for type uuid: "${MARK}"`)

const lines: string[] = []
const logger = createLogger({
  level: 'error',
  program: 'test',
  destination: { write: line => void lines.push(line) },
})
beforeEach(() => {
  lines.length = 0
})

const checkLine = (what: string, requestId: string | null | undefined) => {
  assert.equal(lines.length, 1, `${what}\n${lines.join('')}`)
  const [line = ''] = lines
  assert.ok(!line.includes(MARK), line)
  assert.equal(JSON.parse(line).trace_id, requestId)
  assert.match(line, /invalid input syntax for type uuid: …/)
}

describe('A 500 of the edge has one line in the log, with its request id and nothing of what was sent', () => {
  let handler: FetchHandler = () => new Response()
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  before(async () => {
    edge = await startTestEdge({}, { logger, fallback: incoming => handler(incoming) })
  })
  after(() => edge.stop())

  const failures: Readonly<Record<string, FetchHandler>> = {
    'a handler that throws': () => {
      throw thrown()
    },
    'a handler that rejects': () => Promise.reject(thrown()),
    'an answer whose body fails before its first byte': () =>
      new Response(new ReadableStream({ pull: controller => controller.error(thrown()) }), {
        headers: { [REQUEST_ID_HEADER]: 'a'.repeat(32) },
      }),
  }
  for (const [name, failing] of Object.entries(failures)) {
    it(`of ${name}`, async () => {
      handler = failing
      const response = await fetch(`${edge.url}/api/files/exports/${MARK}?name=${MARK}`, {
        method: 'POST',
        body: MARK,
        headers: { 'x-custom': MARK },
      })
      assert.equal(response.status, 500)
      assert.ok(!(await response.text()).includes(MARK))
      assert.match(response.headers.get(REQUEST_ID_HEADER) ?? '', /^[0-9a-f]{32}$/)
      checkLine(name, response.headers.get(REQUEST_ID_HEADER))
    })
  }

  for (const receiver of RECEIVERS) {
    it(`of the receiver ${receiver.name}`, async () => {
      const intake = createIntake({ observe: () => {}, logger })
      const [contentType = ''] = receiver.contentTypes
      const head = {
        method: 'POST',
        path: `/api/webhooks/custom/${MARK}`,
        query: MARK,
        headers: { 'content-type': contentType, 'user-agent': MARK },
        address: () => '192.0.2.1',
        contentLength: 1,
      }
      const body = { release: () => {} } as Parameters<typeof intake>[2]
      const answer = await intake({ receiver, handle: () => Promise.reject(thrown()) }, head, body)
      assert.equal(answer?.status, 500)
      assert.ok(!answer.body.includes(MARK))
      checkLine(receiver.name, answer.headers[REQUEST_ID_HEADER])
    })
  }
})
