import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js'
import { AssayError, type ErrorCode } from '../../infra/runtime/errors.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { createKeylessBudget } from '../http/address-budget.ts'
import type { Caller } from '../operations/define.ts'
import { startTestApi, TEST_BASE_URL, TEST_SETTINGS, type TestApi, testDoor } from '../testing.ts'
import { createMcpEndpoint } from './endpoint.ts'
import { exampleOperations, exampleTools } from './example-tools.ts'
import { errorResponse, REFUSALS, statusOf } from './refusals.ts'
import { createSurface } from './surface.ts'
import { createToolCall } from './tool-call.ts'

let kit: TestApi
let authorization: Record<string, string>

before(async () => {
  kit = await startTestApi({ operations: exampleOperations, tools: exampleTools })
  const person = await kit.signUp()
  const { key } = await person.data<{ key: string }>('create_key', { label: 'Test' })
  authorization = { authorization: `Bearer ${key}` }
})
after(() => kit.stop())

interface Reply {
  readonly id: unknown
  readonly result?: Record<string, unknown> & { tools: { name: string; inputSchema: { properties: object } }[] }
  readonly error?: { code: number; message: string; data?: unknown }
}
// The tests say what they expect of the JSON.
const reply = async (response: Response) => (await response.json()) as Reply
const replies = async (response: Response) => (await response.json()) as Reply[]

const request = (method: string, params?: object, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })
const callOf = (name: string, args?: object, id: unknown = 1) => request('tools/call', { name, arguments: args }, id)

test('initialize needs no key, no Accept and no parameters, and agrees on a version', async () => {
  const agreed = async (params: object) =>
    (await reply(await kit.rpc(request('initialize', params)))).result?.protocolVersion
  assert.equal(await agreed({}), '2024-11-05')
  assert.equal(await agreed({ protocolVersion: '2025-03-26', capabilities: {}, clientInfo: {} }), '2025-03-26')
  assert.equal(await agreed({ protocolVersion: '2099-01-01' }), LATEST_PROTOCOL_VERSION)
  const bare = await reply(await kit.rpc('{"jsonrpc":"2.0","id":"a","method":"initialize"}'))
  assert.equal(bare.id, 'a')
  assert.deepEqual(bare.result?.capabilities, {
    tools: { listChanged: false },
    prompts: { listChanged: false },
    resources: { listChanged: false, subscribe: false },
    completions: {},
  })
})

test('ping needs no key; notifications and a client’s answers are taken with 202 and no body', async () => {
  assert.deepEqual(await reply(await kit.rpc(request('ping'))), { jsonrpc: '2.0', id: 1, result: {} })
  for (const message of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/unheard-of', params: {} },
    { jsonrpc: '2.0', id: 4, result: {} },
    [{ jsonrpc: '2.0', method: 'notifications/initialized' }],
  ]) {
    const response = await kit.rpc(message)
    assert.equal(response.status, 202)
    assert.equal(await response.text(), '')
  }
})

test('tools/list shows the tools, and with surface=full every primitive but those for people', async () => {
  const names = async (params: object, query = '') =>
    (await reply(await kit.rpc(request('tools/list', params), {}, query))).result?.tools.map(({ name }) => name)
  assert.deepEqual(await names({}), ['service_example'])
  const full = ['service_example', 'list_nodes', 'add_node', 'remove_nodes']
  assert.deepEqual(await names({}, '?surface=full'), full)
  assert.deepEqual(await names({ surface: 'full' }), full)
  assert.equal((await reply(await kit.rpc(request('tools/list', { surface: 'half' })))).error?.code, -32602)
})

test('tools/call without a valid key is 401 with the challenge, whatever is called', async () => {
  const keys = [
    {},
    { authorization: 'Bearer service_mcp_0123456789abcdef0123456789abcdef' },
    { authorization: 'Bearer nonsense' },
    { authorization: `Basic ${authorization.authorization?.slice(7)}` },
    { authorization: `${authorization.authorization}0` },
  ]
  for (const headers of keys) {
    const response = await kit.rpc(callOf('no_such_tool'), headers)
    assert.equal(response.status, 401)
    assert.equal(
      response.headers.get('www-authenticate'),
      `Bearer resource_metadata="${TEST_BASE_URL}/.well-known/oauth-protected-resource"`,
    )
    assert.deepEqual((await reply(response)).error, { code: -32000, message: 'Invalid or missing API key' })
  }
})

test('protocol failures are HTTP 200 with the right JSON-RPC code and the id of the request', async () => {
  const cases: [unknown, number, unknown][] = [
    ['{"jsonrpc":', -32700, null],
    ['', -32700, null],
    ['null', -32600, null],
    ['"ping"', -32600, null],
    [[], -32600, null],
    [{ id: 1, method: 'ping' }, -32600, 1],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }, -32600, 1],
    [{ jsonrpc: '2.0', id: 7 }, -32600, 7],
    [{ jsonrpc: '2.0', id: 7, method: 5 }, -32600, 7],
    [{ jsonrpc: '2.0', id: null, method: 'ping' }, -32600, null],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }, -32600, null],
    [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }, -32600, null],
    [{ jsonrpc: '2.0', id: 7, method: 'ping', params: [] }, -32602, 7],
    [request('resources/subscribe'), -32601, 1],
    [request('constructor'), -32601, 1],
    [request('tools/call', {}), -32602, 1],
    [callOf('no_such_tool'), -32602, 1],
    [callOf('toString'), -32602, 1],
    [callOf('create_key', { label: 'x' }), -32602, 1],
    [request('tools/call', { name: 'list_nodes', arguments: [] }), -32602, 1],
    [callOf('service_example'), -32602, 1],
    [callOf('service_example', { mode: '__proto__' }), -32602, 1],
  ]
  for (const [message, code, id] of cases) {
    const response = await kit.rpc(message, authorization)
    const { error, id: answered } = await reply(response)
    assert.deepEqual([response.status, error?.code, answered], [200, code, id], JSON.stringify(message))
  }
})

test('arguments that do not fit are refused by name, each with what is allowed', async () => {
  const refusal = async (name: string, args: object) =>
    (await reply(await kit.rpc(callOf(name, args), authorization))).error?.message ?? ''
  const foreign = await refusal('service_example', { mode: 'list', name: 'x' })
  assert.match(foreign, /\/name belongs to add; list allows limit/)
  assert.match(
    await refusal('service_example', { mode: 'list', colour: 1 }),
    /\/colour is not a field here; allowed: limit/,
  )
  assert.match(
    await refusal('add_node', { name: '', kind: 'x' }),
    /\/name must have at least 1 character.*\/kind must be one of area, feature/,
  )
  assert.match(await refusal('add_node', {}), /\/name is required/)
  assert.match(await refusal('add_node', { name: 'x', tags: { size: 1 } }), /\/tags\/size is not a field/)
  assert.match(await refusal('list_nodes', { mode: 'list' }), /\/mode is not a field/)
})

test('an unexpected error says nothing of what went wrong inside, and leaves nothing behind', async () => {
  const response = await kit.rpc(callOf('add_node', { name: 'broken' }), authorization)
  const text = await response.text()
  assert.match(text, /unexpected error/)
  assert.doesNotMatch(text, /must stay inside|\.ts|at /)
  const listed = await reply(await kit.rpc(callOf('list_nodes'), authorization))
  assert.doesNotMatch(JSON.stringify(listed.result), /broken/)
})

test('each message of a batch is authorised by itself and answered in order', async () => {
  const batch = [
    request('ping', {}, 'a'),
    callOf('list_nodes', {}, 'b'),
    { jsonrpc: '2.0', method: 'notifications/x' },
    7,
  ]
  const without = await kit.rpc(batch)
  assert.equal(without.status, 401)
  assert.deepEqual(
    (await replies(without)).map(({ id, error }) => [id, error?.code]),
    [
      ['a', undefined],
      ['b', -32000],
      [null, -32600],
    ],
  )
  const allRefused = await kit.rpc([callOf('list_nodes'), callOf('list_nodes', {}, 2)])
  assert.equal(allRefused.status, 401)
  assert.match(allRefused.headers.get('www-authenticate') ?? '', /resource_metadata/)
  const all = await replies(await kit.rpc(batch, authorization))
  assert.ok(all[1]?.result)

  const refused = async (messages: unknown[], headers = {}) =>
    (await reply(await kit.rpc(messages, headers))).error?.code
  assert.equal(await refused([request('ping')], { 'mcp-protocol-version': '2025-06-18' }), -32600)
  assert.equal(await refused([request('initialize'), request('ping')]), -32600)
  assert.equal(await refused(Array.from({ length: 51 }, () => request('ping'))), -32600)
})

test('the transport refuses other methods, origins, content types, versions and sizes', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await kit.api.fetch(new Request(`${TEST_BASE_URL}/api/mcp`, { method }))
    assert.equal(response.status, 405)
    assert.equal(response.headers.get('allow'), 'POST')
  }
  assert.equal((await kit.rpc(request('ping'), { origin: 'https://elsewhere.example' })).status, 403)
  assert.equal((await kit.rpc(request('ping'), { origin: 'null' })).status, 403)
  const page = { method: 'GET', headers: { origin: 'https://elsewhere.example' } }
  assert.equal((await kit.api.fetch(new Request(`${TEST_BASE_URL}/api/mcp`, page))).status, 403)
  assert.equal((await kit.rpc(request('ping'), { origin: TEST_BASE_URL })).status, 200)
  assert.equal((await kit.rpc(request('ping'), { 'content-type': 'text/plain' })).status, 415)
  assert.equal((await kit.rpc(request('ping'), { 'mcp-protocol-version': '1999-01-01' })).status, 400)
  assert.equal((await kit.rpc(request('ping'), { accept: 'text/html' })).status, 200)

  const endless = async (headers: Readonly<Record<string, string>>) => {
    const body = new ReadableStream<Uint8Array>({
      pull: controller => controller.enqueue(new Uint8Array(1024 * 1024).fill(32)),
    })
    const sent = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json', ...headers } }
    return (await kit.api.fetch(new Request(`${TEST_BASE_URL}/api/mcp`, sent as RequestInit))).status
  }
  assert.equal(await endless({}), 401)
  assert.equal(await endless(authorization), 413)
})

test('a call that is repeated under one X-Idempotency-Key happens once', async () => {
  const headers = { ...authorization, 'x-idempotency-key': 'retry-1' }
  const add = async (name: string) => reply(await kit.rpc(callOf('service_example', { mode: 'add', name }), headers))
  await add('Once')
  assert.equal((await add('Once')).result?.isError, undefined)
  const other = await add('Twice')
  assert.equal(other.result?.isError, true)
  assert.match(JSON.stringify(other.result), /already used with other arguments/)
  // In a batch each message has a key of its own, made of the header and its place.
  await kit.rpc([callOf('add_node', { name: 'First' }), callOf('add_node', { name: 'Second' }, 2)], headers)
  const longest = { ...authorization, 'x-idempotency-key': 'k'.repeat(255) }
  for (const _ of [1, 2])
    await kit.rpc([callOf('add_node', { name: 'Third' }), callOf('add_node', { name: 'Fourth' }, 2)], longest)
  const listed = JSON.stringify((await reply(await kit.rpc(callOf('list_nodes'), authorization))).result)
  for (const name of ['Once', 'First', 'Second', 'Third', 'Fourth'])
    assert.equal(listed.split(name).length - 1, 2, name)
})

test('a limit that is used up is 429 with -32002, and a store that is away 503, both with the time to wait', async () => {
  const endpoint = (error: AssayError) =>
    createMcpEndpoint({
      door: testDoor(),
      answer: () => Promise.reject(error),
      keyring: { callerOf: async () => null, knows: () => false },
      keyless: createKeylessBudget(0),
      origins: [],
      metadataUrl: '',
      log: createLogger({ level: 'silent', program: 'test' }),
    })
  const post = {
    method: 'POST',
    body: JSON.stringify(request('ping')),
    headers: { 'content-type': 'application/json' },
  }
  const answerTo = (error: AssayError) => endpoint(error)(new Request(`${TEST_BASE_URL}/api/mcp`, post))

  const limited = await answerTo(new AssayError('rate_limited', 'Too many.', { retryAfterSeconds: 7 }))
  assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '7'])
  assert.deepEqual((await reply(limited)).error, { code: -32002, message: 'Rate limit exceeded. Retry after 7s.' })
  const away = await answerTo(new AssayError('unavailable', 'The database is unavailable.'))
  assert.equal(away.status, 503)
  assert.ok(Number(away.headers.get('retry-after')) > 0)
})

test('every error is the protocol’s or a tool’s, and alike wherever it is thrown', async () => {
  // Every code that there is: the type says so.
  const codes = Object.keys(REFUSALS) as ErrorCode[]
  for (const code of codes) {
    const error = new AssayError(code, 'Because.')
    const { code: rpc, status } = REFUSALS[code]
    assert.equal(statusOf(error), status)
    const response = errorResponse(1, error)
    assert.ok('error' in response && response.error.code === rpc, code)
    assert.ok(status === 200 || [401, 429, 503].includes(status), code)

    const toolCall = createToolCall(createSurface(exampleTools, exampleOperations.values()), () =>
      Promise.reject(error),
    )
    const params = { name: 'list_nodes' }
    // Nobody looks at more of the caller than how they came.
    const caller = { via: { kind: 'app' } } as Caller
    const called = toolCall({ caller, params, idempotencyKey: null, bodyBytes: 0 })
    if (['rate_limited', 'unauthorized'].includes(code)) await assert.rejects(called, { code })
    else assert.deepEqual([code, (await called).isError], [code, true])
  }
})

test('pages of the public site may call with a key and read the documents, and no others', async () => {
  const site = await kit.replica({ settings: { ...TEST_SETTINGS, siteUrl: 'https://site.example/about' } })
  const sent = (path: string, method: string, origin: string) =>
    site.fetch(new Request(`${TEST_BASE_URL}${path}`, { method, headers: { origin } }))
  for (const path of ['/api/mcp', '/.well-known/mcp.json']) {
    const preflight = await sent(path, 'OPTIONS', 'https://site.example')
    assert.equal(preflight.headers.get('access-control-allow-origin'), 'https://site.example')
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/)
    assert.equal(preflight.headers.get('access-control-allow-credentials'), null)
  }
  const document = await sent('/.well-known/mcp.json', 'GET', 'https://site.example')
  assert.equal(document.headers.get('access-control-allow-origin'), 'https://site.example')
  const body = JSON.stringify(callOf('list_nodes'))
  const headers = { ...authorization, origin: 'https://site.example', 'content-type': 'application/json' }
  const called = await site.fetch(new Request(`${TEST_BASE_URL}/api/mcp`, { method: 'POST', headers, body }))
  assert.deepEqual([called.status, called.headers.get('access-control-allow-origin')], [200, 'https://site.example'])
  const other = await sent('/.well-known/mcp.json', 'GET', 'https://elsewhere.example')
  assert.notEqual(other.headers.get('access-control-allow-origin'), 'https://elsewhere.example')
  const app = await sent('/api/app/list_nodes', 'OPTIONS', 'https://site.example')
  assert.equal(app.headers.get('access-control-allow-origin'), null)
  await site.close()
})
