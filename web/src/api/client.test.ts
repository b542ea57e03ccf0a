import assert from 'node:assert/strict'
import { beforeEach, describe, it, mock } from 'node:test'
import { chooseWorkspace, deleteAccount, forgetWorkspace, signOut } from './accounts.ts'
import { Problem } from './http.ts'
import { call, callOnce, type Output } from './operations.ts'

/** What a browser keeps, as far as the client needs it. */
const createStore = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  }
}

interface Sent {
  readonly path: string
  readonly headers: Headers
  readonly body: unknown
}

describe('The client', () => {
  const sent: Sent[] = []
  const answers: (() => Response | Promise<Response>)[] = []
  const left = mock.fn()
  const page = new EventTarget()
  Object.assign(globalThis, {
    addEventListener: page.addEventListener.bind(page),
    localStorage: createStore(),
    sessionStorage: createStore(),
    location: { pathname: '/app/triage', search: '?state=accepted', assign: left },
  })

  beforeEach(() => {
    sent.length = 0
    answers.length = 0
    left.mock.resetCalls()
    forgetWorkspace()
    mock.method(globalThis, 'fetch', async (path: string, { headers, body }: { headers: object; body: string }) => {
      sent.push({ path, headers: new Headers(Object.entries(headers)), body: JSON.parse(body) })
      const answer = answers.shift()
      if (answer === undefined) throw new TypeError('Failed to fetch')
      return answer()
    })
  })

  const refused = (status: number, body: object, headers = {}) =>
    answers.push(() => Response.json(body, { status, headers }))
  const problemOf = (promise: Promise<unknown>): Promise<Problem> =>
    promise.then(
      () => assert.fail('It was not refused.'),
      (error: unknown) => {
        assert.ok(error instanceof Problem)
        return error
      },
    )

  it('posts the input to the operation’s own path, in the chosen workspace', async () => {
    answers.push(() => Response.json({ data: { count: 0, items: [] }, meta: { next_cursor: null } }))
    chooseWorkspace('018f0000-0000-7000-8000-000000000001')
    const { data } = await call('lookup_triage', { state: 'triage' })
    assert.deepEqual(data.items, [])
    assert.equal(sent[0]?.path, '/api/app/lookup_triage')
    assert.deepEqual(sent[0]?.body, { state: 'triage' })
    assert.equal(sent[0]?.headers.get('x-workspace-id'), '018f0000-0000-7000-8000-000000000001')
  })

  it('knows each operation’s input and output', () => {
    // @ts-expect-error: no operation has this name
    const name: Parameters<typeof call>[0] = 'no_such_operation'
    // @ts-expect-error: no Signal is in this state
    const state = () => call('lookup_triage', { state: 'elsewhere' })
    // @ts-expect-error: a key may be null, when an idempotent call is repeated
    const key = (created: Output<'create_key'>): string => created.key
    assert.deepEqual([typeof name, typeof state, typeof key], ['string', 'function', 'function'])
  })

  it('fails with what the service said', async () => {
    const violations = [{ pointer: '/label', message: 'is required' }]
    refused(422, { code: 'invalid_input', detail: 'The arguments do not fit.', violations })
    const problem = await problemOf(call('create_key', { label: '' }))
    assert.deepEqual([problem.code, problem.detail], ['invalid_input', 'The arguments do not fit.'])
    assert.deepEqual(problem.violations, violations)
  })

  it('fails with what can be said of an answer that is not the service’s', async () => {
    answers.push(() => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'retry-after': '7' } }))
    const problem = await problemOf(call('list_keys', {}))
    assert.deepEqual([problem.code, problem.retry_after], ['http_502', 7])
  })

  it('leaves for the sign-in without a session, once, and says where to come back to', async () => {
    const listKeys = async () => {
      refused(401, { code: 'unauthorized', detail: 'Not signed in.' })
      await problemOf(call('list_keys', {}))
    }
    await listKeys()
    await listKeys()
    const there = '/sign-in?back=%2Fapp%2Ftriage%3Fstate%3Daccepted'
    assert.deepEqual(
      left.mock.calls.map(({ arguments: [address] }) => address),
      [there],
    )
    page.dispatchEvent(new Event('pageshow'))
    await listKeys()
    assert.equal(left.mock.callCount(), 2)
  })

  for (const [what, end] of Object.entries({ signOut, deleteAccount: () => deleteAccount({}) }))
    it(`leaves by ${what} for the sign-in alone, though what is read meanwhile is refused; stays where that fails`, async () => {
      page.dispatchEvent(new Event('pageshow'))
      refused(503, { code: 'unavailable', detail: 'The database is away.' })
      await assert.rejects(end(), /away/)
      const { promise, resolve: finish } = Promise.withResolvers<Response>()
      answers.push(() => promise)
      const ending = end()
      refused(401, { code: 'unauthorized', detail: 'Not signed in.' })
      await problemOf(call('list_keys', {}))
      assert.equal(left.mock.callCount(), 0)
      finish(Response.json({}))
      await ending
      assert.deepEqual(left.mock.calls[0]?.arguments, ['/sign-in'])
    })

  it('asks again for the answer of a write that was lost, under the same key', async () => {
    answers.push(
      () => {
        throw new TypeError('Failed to fetch')
      },
      () => Response.json({ data: { id: 'x', key: null }, meta: {} }),
    )
    assert.equal((await callOnce('create_key', { label: 'Agent' })).data.key, null)
    const keys = sent.map(({ headers }) => headers.get('x-idempotency-key'))
    assert.match(keys[0] ?? '', /^[0-9a-f]{32}$/)
    assert.deepEqual(keys, [keys[0], keys[0]])
  })

  it('does not repeat a write that was refused', async () => {
    refused(503, { code: 'unavailable', detail: 'The database is away.' })
    assert.equal((await problemOf(callOnce('create_key', { label: 'Agent' }))).code, 'unavailable')
    assert.equal(sent.length, 1)
  })
})
