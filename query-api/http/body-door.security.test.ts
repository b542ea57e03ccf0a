import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { threadCpuMs } from '../../infra/runtime/cpu-budget.ts'
import { type KeyId, newId, type TenantId, type UserId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Caller } from '../operations/define.ts'
import { CALL_BODY, LONG_TEXT_BODY } from '../operations/parts/body-limits.ts'
import { registry } from '../operations/registry.ts'
import { failsWith } from '../operations/testing.ts'
import { type Person, startTestApi, TEST_BASE_URL, type TestApi } from '../testing.ts'
import { createAppApi } from './app.ts'
import { createBodyBudget, senderOf } from './body-budget.ts'

let kit: TestApi
let owner: Person
let key: Record<string, string>
before(async () => {
  kit = await startTestApi()
  owner = await kit.signUp()
  const made = await owner.data<{ key: string }>('create_key', { label: 'Test' })
  key = { authorization: `Bearer ${made.key}` }
})
after(() => kit.stop())

const post = (path: string, body: string | ReadableStream, headers: Record<string, string> = {}): Promise<Response> =>
  kit.api.fetch(
    new Request(`${TEST_BASE_URL}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
      ...(typeof body === 'string' ? {} : { duplex: 'half' }),
    } as RequestInit),
  )
const toApp = (operation: string, body: string | ReadableStream) =>
  post(`/api/app/${operation}`, body, { cookie: owner.cookie })
const toMcp = (body: string, headers = key) => post('/api/mcp', body, headers)
const listOf = (values: number): string => `{"unknown":[${Array(values).fill(1).join(',')}]}`
const toolCall = (name: string, argumentsJson: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${argumentsJson}}}`
const exceeded = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { exceeded?: unknown }).exceeded

describe('A body of the query API', () => {
  it('that is declared as too long is refused before anybody is looked up', async () => {
    const appApi = createAppApi({
      door: { json: () => assert.fail('the body was read') },
      call: () => assert.fail('the operation was called'),
      operations: registry,
      sessions: { callerOf: () => assert.fail('the session was looked up') },
      origins: [],
    })
    const long = { 'content-type': 'application/json', 'content-length': String(CALL_BODY.bytes + 1) }
    const request = new Request(`${TEST_BASE_URL}/api/app/lookup_search`, { method: 'POST', body: '{}', headers: long })
    const refused = await appApi(request, 'lookup_search')
    assert.deepEqual([refused.status, await exceeded(refused)], [413, 'bytes'])
  })

  it('has so many bytes, values and levels at each door, and no more', async () => {
    const nested = (levels: number) => `{"unknown":${'['.repeat(levels)}${']'.repeat(levels)}}`
    const tooMuch: readonly (readonly [limit: string, body: string])[] = [
      ['bytes', `{"unknown":"${'x'.repeat(CALL_BODY.bytes)}"}`],
      ['values', listOf(CALL_BODY.values)],
      ['depth', nested(CALL_BODY.depth)],
    ]
    for (const [limit, body] of tooMuch) {
      const refused = await toApp('lookup_search', body)
      assert.deepEqual([refused.status, await exceeded(refused)], [413, limit])
      const streamed = await toApp('lookup_search', new Blob([body]).stream())
      assert.equal(streamed.status, 413, `${limit}, without a length`)
      const asTool = await toMcp(toolCall('lookup_search', body))
      assert.match(await asTool.text(), /too large|holds too much|nests too deep/, limit)
    }
    assert.equal((await toApp('lookup_search', listOf(CALL_BODY.values - 10))).status, 422)
    const batch = `[${Array(30)
      .fill(toolCall('lookup_search', listOf(CALL_BODY.values / 20)))
      .join(',')}]`
    assert.equal((await toMcp(batch)).status, 413, 'a batch is one body')
    const account = await post('/api/auth/sign-in/email', listOf(200))
    assert.deepEqual([account.status, await exceeded(account)], [413, 'values'])
  })

  it('may be as long as a Living Document where the operation takes one, however it is escaped', async () => {
    await owner.data('create_solution', { title: 'Long', comment: 'Agreed.' })
    const markdown = `"${'\\ud83d\\ude00'.repeat(100_000)}"`
    const input = `{"solution_id":"SOL-1","comment":"Written.","markdown":${markdown}`
    assert.ok(input.length < LONG_TEXT_BODY.bytes && input.length > CALL_BODY.bytes)
    assert.equal((await toApp('edit_living_document', `${input}}`)).status, 200)
    const again = await (await toMcp(toolCall('edit_living_document', `${input},"version":1}`))).text()
    assert.match(again, /Nothing would change/)
    const search = toolCall('lookup_search', `{"query":${markdown}}`)
    assert.match(await (await toMcp(search)).text(), /too large: at most 262144 bytes/)
    const ping = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${markdown}}}`
    assert.match(await (await toMcp(ping)).text(), /too large: at most 262144 bytes/)
  })

  it('that is refused is answered with little, whatever its names are', async () => {
    const names = `{${Array.from({ length: 100 }, (_, at) => `"${'~/'.repeat(1000)}${at}":1`).join(',')}}`
    for (const answer of [await toApp('lookup_search', names), await toMcp(toolCall('lookup_search', names))]) {
      assert.ok((await answer.text()).length < 200_000)
    }
  })
})

const burn = (ms: number) => () => {
  const until = threadCpuMs() + ms
  while (threadCpuMs() < until);
}

describe('The budget of bodies', () => {
  let now = 0
  const clock = () => now
  const tenant = newId<TenantId>()

  it('is used up by CPU and by bytes, of what fails too, and comes back with time', () => {
    const budget = createBodyBudget(clock)
    const from = { account: 'one', tenant }
    const failing = () => {
      burn(400)()
      throw new Error('It is refused.')
    }
    assert.throws(() => budget.spending(from, failing))
    assert.throws(() => budget.admit(from), failsWith('rate_limited', /Retry after [123]s\./))
    now += 3_000
    budget.admit(from)
    budget.takeBytes(from, 64 * 1024 * 1024)
    assert.throws(() => budget.admit(from), failsWith('rate_limited', /Retry after 14s\./))
    budget.admit({ account: 'other', tenant: newId<TenantId>() })
  })

  it('is an account’s, and all of a tenant’s accounts together have one', () => {
    const budget = createBodyBudget(clock)
    for (const account of ['a', 'b', 'c']) budget.spending({ account, tenant }, burn(210))
    assert.throws(() => budget.admit({ account: 'd', tenant }), failsWith('rate_limited'))
    budget.admit({ account: 'a', tenant: newId<TenantId>() })
    budget.admit({ account: 'stranger', tenant: null })
  })

  it('of a person with ten keys leaves the others of the tenant theirs', () => {
    const budget = createBodyBudget(clock)
    const callerOf = (userId: string, via: Caller['via']): Caller => ({
      tenantId: tenant,
      workspaceId: newId<WorkspaceId>(),
      userId: userId as UserId,
      userName: userId,
      role: 'viewer',
      via,
    })
    const inApp = { kind: 'app', administers: false, sessionId: newId() } as const
    const keys = Array.from({ length: 10 }, () => ({ kind: 'key', keyId: newId<KeyId>(), label: 'Agent' }) as const)
    const hostile = [inApp, ...keys].map(via => senderOf(callerOf('hostile', via)))
    const sendAll = () => {
      for (const from of hostile) {
        try {
          budget.admit(from)
          budget.takeBytes(from, CALL_BODY.bytes)
        } catch {
          // It waits until nothing is owed, and sends again.
        }
      }
    }
    for (let at = 0; at < 6_000; at += 1) {
      now += 10
      sendAll()
      budget.admit(senderOf(callerOf('owner', inApp)))
    }
  })

  it('meets who sends what is dear without a pause, as 429 and -32002, and nobody else', async () => {
    const dear = `{"unknown":{${Array.from({ length: 4500 }, (_, at) => `"${'\u200bx'.repeat(8)}${at}":null`).join(',')}}}`
    const limitedAt = async (send: () => Promise<Response>): Promise<Response> => {
      for (let sent = 0; sent < 2_000; sent += 1) {
        const answers = await Promise.all(Array.from({ length: 10 }, send))
        const limited = answers.find(({ status }) => status === 429)
        if (limited !== undefined) return limited
      }
      return assert.fail('nobody was limited')
    }
    const agent = await limitedAt(() => toMcp(toolCall('lookup_search', dear)))
    assert.ok(Number(agent.headers.get('retry-after')) >= 1)
    assert.equal(((await agent.json()) as { error: { code: number } }).error.code, -32002)
    const person = await limitedAt(() => toApp('lookup_search', dear))
    assert.ok(Number(person.headers.get('retry-after')) >= 1)
    const stranger = await kit.signUp()
    assert.equal((await stranger.call('list_workspaces')).status, 200)
  })
})
