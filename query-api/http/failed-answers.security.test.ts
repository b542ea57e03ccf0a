import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '../../infra/postgres/port.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { REQUEST_ID_HEADER } from '../../schemas/http/headers.ts'
import { type Operation, Type } from '../operations/define.ts'
import { registry } from '../operations/registry.ts'
import type { QueryApi } from '../query-api.ts'
import { type Person, startTestApi, TEST_BASE_URL, type TestApi } from '../testing.ts'
import { tools } from '../tools/index.ts'
import { createApp } from './app.ts'

/** What a stranger wrote. No line of the log may have it. */
const MARK = 'SWORDFISH'
const thrown = () => new Error(`invalid input syntax for type uuid: "${MARK}"`)
const throws = () => {
  throw thrown()
}
const throwsLater = (name: string) => (name === 'traceparent' ? null : throws())
const rejects = () => Promise.reject(thrown())

const lines: string[] = []
const logger = createLogger({
  level: 'error',
  program: 'test',
  destination: { write: line => void lines.push(line) },
})

/** The one line about an answer that failed. */
const lineOf = (what: string): Record<string, unknown> => {
  const written = lines.splice(0)
  assert.equal(written.length, 1, `${what}: ${written.length} lines\n${written.join('')}`)
  const [line = ''] = written
  assert.ok(!line.includes(MARK), `${what}: ${line}`)
  const parsed: Record<string, unknown> = JSON.parse(line)
  assert.match(JSON.stringify(parsed.err), /invalid input syntax for type uuid: …/, what)
  return parsed
}

const checkFailed = async (what: string, response: Response): Promise<Record<string, unknown>> => {
  const text = await response.text()
  assert.equal(response.status, 500, `${what}: ${text}`)
  assert.ok(!text.includes(MARK), text)
  const line = lineOf(what)
  assert.equal(line.trace_id, response.headers.get(REQUEST_ID_HEADER), what)
  assert.match(String(line.trace_id), /^[0-9a-f]{32}$/)
  return line
}

/** Every operation, where it fails; it takes any text, so that the call comes so far. */
const failing: ReadonlyMap<string, Operation> = new Map(
  [...registry.values()].map(operation => {
    const input = Type.Object({ note: Type.Optional(Type.String()) })
    const { name, title, summary, output, audience } = operation
    const common = { name, title, summary, output, audience, input, role: 'viewer', units: 0 } as const
    const broken: Operation =
      operation.effect === 'read'
        ? { ...common, effect: 'read', run: rejects }
        : { ...common, effect: operation.effect, apply: rejects }
    return [name, broken]
  }),
)
const failingTools = tools.map(tool => ({
  ...tool,
  modes: Object.fromEntries(
    Object.entries(tool.modes).map(([mode, { name }]) => [mode, failing.get(name) ?? assert.fail(name)]),
  ),
}))

let kit: TestApi
let owner: Person
let authorization: { readonly authorization: string }
before(async () => {
  kit = await startTestApi()
  owner = await kit.signUp()
  const { key } = await owner.data<{ key: string }>('create_key', { label: 'Test' })
  authorization = { authorization: `Bearer ${key}` }
})
after(() => kit.stop())

const send = (api: QueryApi, method: string, path: string, more: RequestInit = {}): Promise<Response> =>
  api.fetch(
    new Request(`${TEST_BASE_URL}${path}`, {
      ...more,
      method,
      headers: {
        cookie: owner.cookie,
        'content-type': 'application/json',
        'user-agent': MARK,
        ...more.headers,
      },
    }),
  )

describe('A call that fails in a way that nobody foresaw has one line in the log, and nothing of what was sent', () => {
  let api: QueryApi
  before(async () => {
    api = await kit.replica({ operations: failing, tools: failingTools, logger })
  })
  after(() => api.close())

  const body = (input: object) => ({ body: JSON.stringify(input) })
  const rpc = (message: unknown) =>
    send(api, 'POST', '/api/mcp', { ...body(message as object), headers: { ...authorization, cookie: '' } })
  const callOf = (name: string, args: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: { note: MARK, ...args } },
  })

  it('of every operation at the app’s door', async () => {
    for (const name of failing.keys()) {
      const line = await checkFailed(name, await send(api, 'POST', `/api/app/${name}`, body({ note: MARK })))
      assert.deepEqual([line.operation, line.route], [name, '/api/app/:operation'])
    }
  })

  it('of every operation and every mode of a tool at MCP, in a batch too', async () => {
    const primitives = [...failing.values()].filter(({ audience }) => audience === 'everyone')
    const calls = [
      ...primitives.map(({ name }) => ({ operation: name, call: callOf(name, {}) })),
      ...failingTools.flatMap(({ name, modes }) =>
        Object.entries(modes).map(([mode, operation]) => ({ operation: operation.name, call: callOf(name, { mode }) })),
      ),
    ]
    for (const { operation, call } of calls) {
      const response = await rpc(call)
      const text = await response.text()
      assert.match(text, /"isError":true.*An unexpected error occurred/, operation)
      const line = lineOf(operation)
      assert.deepEqual([line.operation, line.method], [operation, 'tools/call'])
      assert.equal(line.trace_id, response.headers.get(REQUEST_ID_HEADER))
    }
    await rpc(calls.slice(0, 3).map(({ call }, id) => ({ ...call, id })))
    const batch = lines.splice(0)
    assert.equal(batch.length, 3)
    assert.ok(!batch.join('').includes(MARK))
  })
})

describe('A request that fails before or beside an operation has one line too', () => {
  const UUID = '00000000-0000-4000-8000-000000000000'
  const requests: readonly (readonly [string, string, RequestInit?])[] = [
    ['POST', '/api/app/list_signals', { body: JSON.stringify({ query: MARK }) }],
    ['GET', `/api/app/events?${MARK}`],
    ['POST', `/api/files/imports?name=${MARK}`, { body: MARK }],
    ['GET', `/api/files/exports/${UUID}?${MARK}`],
    ['GET', `/api/files/exports/${MARK}`],
    ['GET', `/api/files/audit-log?query=${MARK}`],
    ['POST', `/api/auth/sign-in/email?${MARK}`, { body: JSON.stringify({ email: `${MARK}@x.de`, password: MARK }) }],
  ]

  it('of every door, while the stores fail as nobody foresaw', async () => {
    const database: Database = { ...kit.database.database, transaction: rejects }
    const pool = Object.assign(Object.create(kit.database.pool), { connect: rejects, query: rejects })
    const api = await kit.replica({ database, accountsPool: pool, logger })
    lines.length = 0
    for (const [method, path, more] of requests) {
      const line = await checkFailed(path, await send(api, method, path, more))
      assert.ok(typeof line.route === 'string' && line.route.startsWith('/api/'), path)
    }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: MARK } }
    const asked = (text: string) =>
      send(api, 'POST', '/api/mcp', {
        body: text,
        headers: {
          authorization: 'Bearer service_mcp_0123456789abcdef0123456789abcdef',
          'content-length': String(text.length),
        },
      })
    const answer = await asked(JSON.stringify(message))
    assert.match(await answer.text(), /-32603/)
    assert.equal(lineOf('a message').route, '/api/mcp')
    await checkFailed('a long body', await asked(JSON.stringify({ ...message, note: MARK.repeat(10_000) })))
    await api.close().catch(() => {})
  })

  it('of every route, when what answers it throws', async () => {
    const app = createApp({
      mcp: rejects,
      appApi: rejects,
      events: rejects,
      files: { upload: rejects, download: rejects, auditLog: rejects },
      accounts: rejects,
      discovery: { '/.well-known/mcp.json': {}, '/api/openapi.json': {} } as never,
      webApp: { files: throws, page: throws },
      siteUrl: null,
      log: logger,
    })
    const routes = app.routes.filter(({ method, path }) => method !== 'ALL' || /^\/api\/(mcp|auth\/\*)$/.test(path))
    // It reads nothing of the request, and nothing of the program.
    const answering = routes.filter(({ path }) => path !== '/')
    assert.ok(answering.length >= 10, `${answering.length} routes`)
    for (const { method, path } of answering) {
      const request = new Request(`${TEST_BASE_URL}${path.replace(/:\w+|\*/, MARK)}`, {
        method: method === 'ALL' ? 'POST' : method,
      })
      // Documents and pages fail where they look at the request.
      if (/^\/api\/openapi|well-known/.test(path)) Object.defineProperty(request.headers, 'get', { value: throwsLater })
      const line = await checkFailed(path, await app.fetch(request))
      assert.equal(line.route, path === '*' ? '/*' : path)
    }
  })

  it('of an answer of 500 about which nobody said anything, and of what is thrown and is no error', async () => {
    const silent = { mcp: async () => new Response(null, { status: 500 }), appApi: () => Promise.reject(MARK) }
    const none = async () => new Response()
    const app = createApp({
      ...silent,
      events: none,
      files: { upload: none, download: none, auditLog: none },
      accounts: none,
      discovery: {} as never,
      webApp: { files: () => null, page: () => new Response() },
      siteUrl: null,
      log: logger,
    })
    for (const path of ['/api/mcp', '/api/app/x']) {
      const response = await app.fetch(new Request(`${TEST_BASE_URL}${path}`, { method: 'POST' }))
      assert.equal(response.status, 500)
      const [line = '', ...others] = lines.splice(0)
      assert.deepEqual(others, [])
      assert.ok(!line.includes(MARK) && line.includes(String(response.headers.get(REQUEST_ID_HEADER))), line)
    }
  })
})
