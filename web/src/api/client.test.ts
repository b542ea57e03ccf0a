import assert from 'node:assert/strict'
import { beforeEach, describe, it, mock } from 'node:test'
import { chooseWorkspace, deleteAccount, forgetWorkspace, knowPerson, signOut } from './accounts.ts'
import { Problem } from './http.ts'
import { call, callOnce, type Output } from './operations.ts'
import { getOwn, postOwn } from './own-requests.ts'
import { changeAccount } from './session.ts'

/** What a browser keeps, as far as the client needs it. */
const createStore = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  }
}

/** Every answer of the service has its time. */
const META = { timestamp: '2026-12-01T00:00:00Z' }

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
    mock.method(globalThis, 'fetch', async (path: string, { headers, body }: { headers: object; body?: string }) => {
      sent.push({ path, headers: new Headers(Object.entries(headers)), body: JSON.parse(body ?? 'null') })
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
    answers.push(() => Response.json({ data: { count: 0, items: [] }, meta: { ...META, next_cursor: null } }))
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

  it('tells people which fields do not fit, by no pointer and no operation', async () => {
    const detail = 'The arguments of create_key do not fit: /label is required.'
    refused(422, { code: 'invalid_input', detail, violations: [{ pointer: '/label', message: 'is required' }] })
    assert.equal((await problemOf(call('create_key', { label: '' }))).detail, 'Some of what you entered does not fit.')
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

  it('asks again where the person’s own new password ended the session meanwhile, and once alone', async () => {
    page.dispatchEvent(new Event('pageshow'))
    const change = Promise.withResolvers<void>()
    const changed = changeAccount(() => change.promise)
    refused(401, { code: 'unauthorized', detail: 'Not signed in.' })
    const listed = call('list_keys', {})
    await new Promise(setImmediate)
    assert.deepEqual([sent.length, left.mock.callCount()], [1, 0])
    answers.push(() => Response.json({ data: { items: [] }, meta: META }))
    change.resolve()
    await changed
    assert.deepEqual((await listed).data.items, [])
    const again = changeAccount(() => Promise.reject(new Error('The password is wrong.')))
    refused(401, { code: 'unauthorized', detail: 'Not signed in.' })
    refused(401, { code: 'unauthorized', detail: 'Not signed in.' })
    const refusal = problemOf(call('list_keys', {}))
    await assert.rejects(again, /wrong/)
    assert.equal((await refusal).code, 'unauthorized')
    assert.deepEqual([sent.length, left.mock.callCount()], [4, 1])
  })

  it('names the page’s person in every change of the account, and goes to the sign-in where they are another by then', async () => {
    page.dispatchEvent(new Event('pageshow'))
    const somebodyElse = () => refused(401, { code: 'unauthorized', detail: 'Somebody else has signed in.' })
    const asked = {
      password: () => changeAccount(() => postOwn('change-password', { currentPassword: 'a', newPassword: 'b' })),
      sessions: () => getOwn('list-sessions'),
      signOut: () => signOut(),
      deletion: () => deleteAccount({}),
    }
    for (const [what, ask] of Object.entries(asked)) {
      page.dispatchEvent(new Event('pageshow'))
      left.mock.resetCalls()
      sent.length = 0
      knowPerson('018f0000-0000-7000-8000-00000000000a')
      for (let answer = 0; answer < 3; answer += 1) somebodyElse()
      await problemOf(ask())
      await new Promise(setImmediate)
      assert.equal(sent[0]?.headers.get('x-person-id'), '018f0000-0000-7000-8000-00000000000a', what)
      assert.equal(left.mock.callCount(), 1, what)
      answers.length = 0
    }
  })

  it('sends what is sent while the page is being left as the page’s person', async () => {
    page.dispatchEvent(new Event('pageshow'))
    knowPerson('018f0000-0000-7000-8000-00000000000a')
    refused(401, { code: 'unauthorized', detail: 'Somebody else has signed in.' })
    await problemOf(call('list_keys', {}))
    assert.equal(left.mock.callCount(), 1)
    refused(401, { code: 'unauthorized', detail: 'Somebody else has signed in.' })
    await problemOf(callOnce('create_key', { label: 'Agent' }))
    assert.equal(sent[1]?.headers.get('x-person-id'), '018f0000-0000-7000-8000-00000000000a')
  })

  for (const [what, end] of Object.entries({ signOut, deleteAccount: () => deleteAccount({}) }))
    it(`leaves by ${what} for the sign-in alone, though what is read meanwhile is refused; stays where that fails`, async () => {
      page.dispatchEvent(new Event('pageshow'))
      refused(503, { code: 'unavailable', detail: 'The database cannot be reached.' })
      await assert.rejects(end(), /reached/)
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
      () => Response.json({ data: { id: 'x', key: null }, meta: META }),
    )
    assert.equal((await callOnce('create_key', { label: 'Agent' })).data.key, null)
    const keys = sent.map(({ headers }) => headers.get('x-idempotency-key'))
    assert.match(keys[0] ?? '', /^[0-9a-f]{32}$/)
    assert.deepEqual(keys, [keys[0], keys[0]])
  })

  const answerAt = (timestamp: string) =>
    answers.push(() => Response.json({ data: { id: 'x', key: null }, meta: { timestamp } }))

  it('has the same key for what is sent again without an answer, and another one once it has one', async () => {
    const input = { label: 'Sent twice' }
    assert.equal((await problemOf(callOnce('create_key', input))).code, 'unreachable')
    answerAt('2027-01-01T00:00:00Z')
    await callOnce('create_key', input)
    answerAt('2027-01-01T00:00:01Z')
    await callOnce('create_key', input)
    const [first, ...others] = sent.map(({ headers }) => headers.get('x-idempotency-key'))
    assert.deepEqual(others.slice(0, 2), [first, first])
    assert.notEqual(others[2], first)
  })

  it('calls nothing done that an earlier call did, unless it asks what became of that', async () => {
    answerAt('2027-01-02T00:00:10Z')
    await call('create_key', { label: 'Newer' })
    answerAt('2027-01-02T00:00:00Z')
    const problem = await problemOf(callOnce('create_key', { label: 'Of before' }))
    assert.match(problem.detail, /^This was done before; only the answer was lost\./)
    answerAt('2027-01-02T00:00:00Z')
    assert.equal((await callOnce('create_key', { label: 'Of before' }, { asks: true })).data.key, null)
  })

  it('does not repeat a write that was refused', async () => {
    refused(503, { code: 'unavailable', detail: 'The database cannot be reached.' })
    assert.equal((await problemOf(callOnce('create_key', { label: 'Agent' }))).code, 'unavailable')
    assert.equal(sent.length, 1)
  })
})
