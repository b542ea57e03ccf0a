import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'
import { createKeylessBudget } from '../http/address-budget.ts'
import type { QueryApi } from '../query-api.ts'
import { startTestApi, TEST_BASE_URL, TEST_SETTINGS, type TestApi, testDoor } from '../testing.ts'
import { createMcpEndpoint, KEYED_BODY, KEYLESS_BODY } from './endpoint.ts'
import { MAX_BYTES_OF_A_BATCH, MAX_IN_A_BATCH, type RpcRequest } from './messages.ts'

interface Reply {
  readonly id: unknown
  readonly result?: { readonly tools?: readonly unknown[]; readonly isError?: boolean; readonly content?: unknown }
  readonly error?: { readonly code: number; readonly message: string }
}

const request = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const list = (surface: string) => (id: unknown) => request('tools/list', { surface }, id)

let kit: TestApi
let key: Record<string, string>

before(async () => {
  kit = await startTestApi()
  const person = await kit.signUp()
  const made = await person.data<{ key: string }>('create_key', { label: 'Test' })
  key = { authorization: `Bearer ${made.key}` }
})
after(() => kit.stop())

describe('What is written once', () => {
  it('is the same under every id, and well-formed whatever the id is made of', async () => {
    const ids = [
      '',
      '"',
      '\\',
      '"},"result":{"tools":[]},"x":{"',
      '\u2028\u0000',
      '\ud800',
      '💥',
      0,
      -1,
      Number.MAX_SAFE_INTEGER,
    ]
    for (const method of ['initialize', 'tools/list']) {
      const plain = (await (await kit.rpc(request(method))).json()) as Reply
      for (const id of ids) {
        const answer = (await (await kit.rpc(request(method, {}, id))).json()) as Reply
        assert.deepEqual(answer, { ...plain, id }, `${method} under ${JSON.stringify(id)}`)
      }
    }
  })

  it('has the length that it has, and a document that a client has already is not sent again', async () => {
    const paths = ['/api/openapi.json', '/.well-known/mcp.json', '/.well-known/oauth-protected-resource']
    for (const path of paths) {
      const get = (headers: Record<string, string>) =>
        kit.api.fetch(new Request(`${TEST_BASE_URL}${path}`, { headers }))
      const plain = await get({})
      const etag = plain.headers.get('etag') ?? assert.fail('no etag')
      const text = await plain.text()
      const compressed = await get({ 'accept-encoding': 'gzip, br' })
      assert.equal(compressed.headers.get('content-encoding'), 'gzip')
      assert.ok((await compressed.arrayBuffer()).byteLength < Math.max(512, text.length / 6))
      const again = await get({ 'if-none-match': etag })
      assert.deepEqual([again.status, await again.text()], [304, ''])
    }
  })
})

describe('A batch', () => {
  it('of the longest answers stops at its bytes, and says of each further call what to do', async () => {
    const response = await kit.rpc(times(MAX_IN_A_BATCH, list('full')))
    const text = await response.text()
    const replies = JSON.parse(text) as Reply[]
    assert.deepEqual(
      replies.map(({ id }) => id),
      times(MAX_IN_A_BATCH, at => at),
    )
    const listed = replies.filter(({ result }) => result !== undefined)
    const longest = JSON.stringify(listed[0]).length
    assert.ok(Buffer.byteLength(text) < MAX_BYTES_OF_A_BATCH + longest + 300 * MAX_IN_A_BATCH)
    assert.ok(listed.length >= 2 && listed.length < 10)
    for (const { error } of replies.slice(listed.length)) {
      assert.equal(error?.code, -32003)
      assert.match(error?.message ?? '', /^Not run: .* Send this call again, by itself or in another batch\.$/)
    }
  })

  it('runs nothing that comes after that', async () => {
    const add = request('tools/call', { name: 'add_map_node', arguments: { name: 'Too late' } }, 'late')
    const replies = (await (await kit.rpc([...times(8, list('full')), add], key)).json()) as Reply[]
    assert.equal(replies.at(-1)?.error?.code, -32003)
    const read = await kit.rpc(request('tools/call', { name: 'read_map', arguments: {} }), key)
    const map = await read.text()
    assert.match(map, /work_units/)
    assert.doesNotMatch(map, /Too late/)
  })

  it('in a batch is no message, and too many messages are no batch', async () => {
    const nested = (await (await kit.rpc([times(50, list('full')), [[[]]], {}])).json()) as Reply[]
    assert.deepEqual(
      nested.map(({ error }) => error?.code),
      [-32600, -32600, -32600],
    )
    const tooMany = (await (await kit.rpc(times(MAX_IN_A_BATCH + 1, list('full')))).json()) as Reply
    assert.equal(tooMany.error?.code, -32600)
    const silent = await kit.rpc(times(MAX_IN_A_BATCH, () => ({ jsonrpc: '2.0', method: 'notifications/x' })))
    assert.deepEqual([silent.status, await silent.text()], [202, ''])
  })

  it('looks its key up once, and lets others have their turn between two messages', async () => {
    let [lookedUp, turns, over] = [0, 0, false]
    const endpoint = createMcpEndpoint({
      door: testDoor(),
      answer: async ({ id }: RpcRequest, facts) => ({ jsonrpc: '2.0', id, result: await facts.caller() }),
      keyring: {
        callerOf: async () => {
          lookedUp += 1
          return null
        },
        knows: () => false,
      },
      keyless: createKeylessBudget(0),
      origins: [],
      metadataUrl: '',
      log: createLogger({ level: 'silent', program: 'test' }),
    })
    const others = async () => {
      for (; !over; turns += 1) await setImmediate()
    }
    const body = JSON.stringify(times(MAX_IN_A_BATCH, at => request('tools/call', {}, at)))
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
    const running = others()
    const response = await endpoint(new Request(`${TEST_BASE_URL}/api/mcp`, { method: 'POST', body, headers }))
    over = true
    await running
    assert.deepEqual([response.status, lookedUp], [401, 1])
    assert.ok(turns >= MAX_IN_A_BATCH, `${turns} turns`)
  })
})

describe('A body', () => {
  it('that is long is read only from who has a key', async () => {
    const long = (length: number) => JSON.stringify(request('ping', { padding: 'x'.repeat(length) }))
    const status = async (body: string, headers: Record<string, string> = {}) => (await kit.rpc(body, headers)).status
    const declared = (body: string) => ({ 'content-length': String(Buffer.byteLength(body)) })
    const short = long(1000)
    assert.equal(await status(short, declared(short)), 200)
    const [brackets, words] = ['['.repeat(KEYLESS_BODY.bytes + 1), long(KEYLESS_BODY.bytes)]
    const invalid = { authorization: `Bearer service_mcp_${'0'.repeat(32)}` }
    for (const body of [brackets, words]) {
      // With its length, and as it comes.
      assert.equal(await status(body, declared(body)), 401)
      assert.equal(await status(body), 401)
      assert.equal(await status(body, { ...declared(body), ...invalid }), 401)
    }
    assert.equal(await status(words, { ...declared(words), ...key }), 200)
    const refused = await kit.rpc(words)
    assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer resource_metadata="/)
    const { error } = (await refused.json()) as Reply
    assert.equal(error?.code, -32000)
    assert.match(error?.message ?? '', /^Invalid or missing API key\. A body of more than 65536 bytes/)
    const longest = JSON.stringify(request('ping', { padding: 'x'.repeat(KEYED_BODY.bytes) }))
    for (const headers of [{}, key]) assert.equal(await status(longest, { ...declared(longest), ...headers }), 413)
  })

  it('of credentials is short', async () => {
    for (const path of ['sign-in/email', 'sign-up/email', 'sign-out']) {
      const sent = (headers: Record<string, string>) =>
        kit.api.fetch(
          new Request(`${TEST_BASE_URL}/api/auth/${path}`, {
            method: 'POST',
            body: JSON.stringify({ email: 'a@example.com', name: 'A', password: 'x'.repeat(20_000) }),
            headers: { 'content-type': 'application/json', ...headers },
          }),
        )
      assert.equal((await sent({})).status, 413, path)
      assert.equal((await sent({ 'content-length': '20100' })).status, 413, path)
    }
  })
})

describe('The budget of who shows no key', () => {
  let limited: QueryApi
  before(async () => {
    limited = await kit.replica({ settings: { ...TEST_SETTINGS, keylessCallsPerMinute: 20 } })
  })
  after(() => limited.close())

  const rpc = (message: unknown, headers: Record<string, string>) =>
    limited.fetch(
      new Request(`${TEST_BASE_URL}/api/mcp`, {
        method: 'POST',
        body: JSON.stringify(message),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    )

  const from = (address: string, headers: Record<string, string> = {}) => ({
    [CLIENT_ADDRESS_HEADER]: address,
    ...headers,
  })
  const ping = async (address: string, headers: Record<string, string> = {}) =>
    (await rpc(request('ping'), from(address, headers))).status
  const spend = async (address: string) => {
    for (let sent = 0; sent < 20; sent += 1) assert.equal(await ping(address), 200)
  }

  it('is an address’s, and beyond it the answer is the contract’s', async () => {
    await spend('192.0.2.1')
    const refused = await rpc(request('tools/list', {}, 'a'), from('192.0.2.1'))
    assert.equal(refused.status, 429)
    const seconds = refused.headers.get('retry-after') ?? ''
    assert.ok(Number(seconds) >= 1 && Number(seconds) <= 60)
    assert.deepEqual(await refused.json(), {
      jsonrpc: '2.0',
      id: 'a',
      error: { code: -32002, message: `Rate limit exceeded. Retry after ${seconds}s.` },
    })
    assert.equal(await ping('192.0.2.2'), 200)
    const silent = await rpc({ jsonrpc: '2.0', method: 'notifications/initialized' }, from('192.0.2.1'))
    assert.equal(silent.status, 202)
  })

  it('is not that of a key that was seen before, and guessing keys uses it up', async () => {
    assert.equal(await ping('192.0.2.10', key), 200)
    const call = request('tools/call', { name: 'list_sources', arguments: {} })
    await rpc(call, from('192.0.2.10', key))
    await spend('192.0.2.11')
    for (const method of [request('ping'), call]) {
      assert.equal((await rpc(method, from('192.0.2.11', key))).status, 200)
    }
    const guessed = (at: number) => ({ authorization: `Bearer service_mcp_${String(at).padStart(32, '0')}` })
    for (let guess = 0; guess < 20; guess += 1) {
      assert.equal((await rpc(call, from('192.0.2.12', guessed(guess)))).status, 401)
    }
    assert.equal((await rpc(call, from('192.0.2.12', guessed(21)))).status, 429)
  })

  it('is not that of valid keys that come for the first time, however many agents begin at once', async () => {
    const person = await kit.signUp()
    for (let agent = 0; agent < 40; agent += 1) {
      const made = await person.data<{ key: string }>('create_key', { label: `Agent ${agent}` })
      const agentKey = { authorization: `Bearer ${made.key}` }
      for (const method of ['initialize', 'tools/list']) {
        const { status } = await rpc(request(method, {}), from('192.0.2.13', agentKey))
        assert.equal(status, 200, `${method} of agent ${agent}`)
      }
    }
    await spend('192.0.2.13')
    assert.equal(await ping('192.0.2.13'), 429)
  })

  it('is not that of a key that was refused something, which is looked up again all the same', async () => {
    const owner = await kit.signUp()
    const viewer = await kit.signUp()
    const { url } = await owner.data<{ url: string }>('invite_member', { label: 'Viewer', role: 'viewer' })
    const token = new URL(url).hash.slice(1)
    const { workspace_id } = await viewer.data<{ workspace_id: string }>('accept_invitation', { token })
    const made = await viewer.call('create_key', { label: 'Agent' }, { 'x-workspace-id': workspace_id })
    const { data } = (await made.json()) as { data: { key: string } }
    const agent = { authorization: `Bearer ${data.key}` }
    const add = request('tools/call', { name: 'add_map_node', arguments: { name: 'Bell' } })
    assert.match(await (await rpc(add, from('192.0.2.15', agent))).text(), /needs the role member/)
    await spend('192.0.2.16')
    // A length has a short body taken without a look-up, as clients send it.
    assert.equal(await ping('192.0.2.16', { ...agent, 'content-length': '60' }), 200)
  })

  it('counts each message of a batch, and a long answer as several', async () => {
    const batch = times(15, at => request('ping', {}, at))
    assert.equal((await rpc(batch, from('192.0.2.20'))).status, 200)
    const refused = await rpc(batch, from('192.0.2.20'))
    assert.equal(refused.status, 429)
    assert.deepEqual(
      ((await refused.json()) as Reply[]).map(({ id, error }) => [id, error?.code]),
      batch.map(({ id }) => [id, -32002]),
    )
    let lists = 0
    for (; (await rpc(list('full')(1), from('192.0.2.21'))).status === 200; lists += 1);
    assert.ok(lists >= 2 && lists <= 3, `${lists} lists`)
  })

  it('is one for a subscriber’s whole network, and for strangers with many networks bounded in number', async () => {
    await spend('2001:db8:1:2::1')
    assert.equal(await ping('2001:0db8:0001:0002:aaaa:bbbb:cccc:dddd'), 429)
    assert.equal(await ping('2001:db8:1:3::1'), 200)

    const budget = createKeylessBudget(1)
    let budgets = 0
    for (let network = 0; network < 20_000; network += 1) {
      const address = `2001:db8:${(network >> 8).toString(16)}:${(network & 255).toString(16)}::1`
      await budget.spend(address, 1).then(
        () => (budgets += 1),
        error => assert.ok(isAssayError(error) && error.code === 'rate_limited'),
      )
    }
    assert.ok(budgets <= 16_384, `${budgets} budgets`)
  })

  it('can be switched off', async () => {
    const budget = createKeylessBudget(0)
    for (let spent = 0; spent < 100; spent += 1) await budget.spend('192.0.2.1', 50)
  })
})
