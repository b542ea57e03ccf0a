import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Person, serveForTests, startTestApi, type TestApi } from '../testing.ts'
import { exampleOperations, exampleTools } from './example-tools.ts'

/** The stateless revision: what its newest official client does, and each way to say the revision wrongly. */

let kit: TestApi
let person: Person
let authorization: Readonly<Record<string, string>>
before(async () => {
  kit = await startTestApi({ operations: exampleOperations, tools: exampleTools })
  person = await kit.signUp()
  const { key } = await person.data<{ key: string }>('create_key', { label: 'Revision' })
  authorization = { authorization: `Bearer ${key}` }
})
after(() => kit.stop())

test('the newest official client finds the stateless revision, lists the tools and calls one', async () => {
  const server = await serveForTests(kit.api.fetch)
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  try {
    const url = new URL(`${server.origin}/api/mcp`)
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...authorization } } }))
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28')
    assert.equal(client.getServerVersion()?.name, 'assay')
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['service_example'],
    )
    const { structuredContent } = await client.callTool({
      name: 'service_example',
      arguments: { mode: 'add', name: 'Größe' },
    })
    assert.equal((structuredContent as { data: { name: string } }).data.name, 'Größe')
  } finally {
    await client.close()
    server.stop()
  }
})

const REVISION = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
}
const HEADERS = { 'mcp-protocol-version': REVISION }

const ask = async (method: string, params: object, headers: Readonly<Record<string, string>>) => {
  const response = await kit.rpc({ jsonrpc: '2.0', id: 7, method, params }, headers)
  const body = (await response.json()) as {
    id: unknown
    result?: Readonly<Record<string, unknown>>
    error?: { code: number; data?: { supported?: string[] } }
  }
  return { status: response.status, ...body }
}

test('a request without a key is answered as the revision asks: what it is, how long it may be kept, and who answers', async () => {
  const { result } = await ask('server/discover', { _meta: META }, { ...HEADERS, 'mcp-method': 'server/discover' })
  assert.equal(result?.resultType, 'complete')
  assert.equal(result?.cacheScope, 'public')
  assert.deepEqual((result?.supportedVersions as string[] | undefined)?.slice(0, 2), [REVISION, '2025-11-25'])
  const listed = await ask('tools/list', { _meta: META }, { ...HEADERS, 'mcp-method': 'tools/list' })
  assert.equal(listed.result?.ttlMs, 3_600_000)
  assert.equal((listed.result?.tools as unknown[] | undefined)?.length, 1)
})

test('no method of the revisions before it is left in the stateless one, and none of its own is in those', async () => {
  for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'subscriptions/listen']) {
    const { status, error } = await ask(method, { _meta: META }, { ...HEADERS, 'mcp-method': method })
    assert.deepEqual([method, status, error?.code], [method, 404, -32601])
  }
  assert.equal((await ask('server/discover', {}, {})).error?.code, -32602)
})

/** `code` and `status` by what a request says of its revision. */
const REFUSED: readonly [
  what: string,
  method: string,
  params: object,
  headers: Record<string, string>,
  code: number,
][] = [
  ['only the header', 'tools/list', {}, { ...HEADERS, 'mcp-method': 'tools/list' }, -32602],
  [
    'no capabilities',
    'tools/list',
    { _meta: { 'io.modelcontextprotocol/protocolVersion': REVISION } },
    { ...HEADERS, 'mcp-method': 'tools/list' },
    -32602,
  ],
  ['no header', 'tools/list', { _meta: META }, { 'mcp-method': 'tools/list' }, -32020],
  ['another header', 'tools/list', { _meta: META }, { 'mcp-protocol-version': '2025-11-25' }, -32020],
  ['no method', 'tools/list', { _meta: META }, HEADERS, -32020],
  ['another method', 'tools/list', { _meta: META }, { ...HEADERS, 'mcp-method': 'tools/call' }, -32020],
  ['no name', 'prompts/get', { _meta: META, name: 'a' }, { ...HEADERS, 'mcp-method': 'prompts/get' }, -32020],
  [
    'another name',
    'tools/call',
    { _meta: META, name: 'service_example' },
    { ...HEADERS, 'mcp-method': 'tools/call', 'mcp-name': '=?base64?YQ==?=' },
    -32020,
  ],
  [
    'an unknown revision',
    'tools/list',
    { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
    { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' },
    -32022,
  ],
  ['an unknown header alone', 'tools/list', {}, { 'mcp-protocol-version': '2099-01-01' }, -32022],
]

for (const [what, method, params, headers, code] of REFUSED)
  test(`a request that says its revision with ${what} is refused with ${code}`, async () => {
    const { status, id, error } = await ask(method, params, { ...authorization, ...headers })
    assert.deepEqual([status, id, error?.code], [400, 7, code])
    if (code === -32022) assert.ok(error?.data?.supported?.includes(REVISION))
  })

test('a batch is of no revision that has none, and one that needs a key anywhere is answered with the challenge', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_nodes' } }
  assert.equal((await kit.rpc([ping], { 'mcp-protocol-version': '2099-01-01' })).status, 400)
  const stateless = (await (await kit.rpc([ping], HEADERS)).json()) as { error: { code: number } }
  assert.equal(stateless.error.code, -32600)
  const response = await kit.rpc([ping, call])
  assert.equal(response.status, 401)
  assert.match(response.headers.get('www-authenticate') ?? '', /resource_metadata/)
  assert.equal(((await response.json()) as unknown[]).length, 2)
})
