import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { isAssayError } from '../infra/runtime/errors.ts'
import { eventually } from '../infra/runtime/testing.ts'
import { problem } from './http/problem.ts'
import type { Operation } from './operations/define.ts'
import { registry } from './operations/registry.ts'
import { type OperationsKit, startOperations } from './operations/testing.ts'
import { answersWithoutDatabase, sampleInput } from './operations/testing-reach.ts'
import { firstOf, seedEverything } from './operations/testing-seed.ts'
import { type Person, startTestApi, TEST_BASE_URL, TEST_PASSWORD, type TestApi } from './testing.ts'

/**
 * What a database says, or its driver, when it does not get to a statement: PostgreSQL manual, appendix A, and pg's own
 * errors.
 */
const FAILURES: readonly (() => Error)[] = [
  () => databaseFailure('57014', 'canceling statement due to statement timeout'),
  () => databaseFailure('55P03', 'canceling statement due to lock timeout'),
  () => new Error('Connection terminated unexpectedly'),
  () => databaseFailure('57P01', 'terminating connection due to administrator command'),
  () => new Error('Query read timeout'),
  () => databaseFailure('25P04', 'terminating connection due to transaction timeout'),
]

const databaseFailure = (code: string, message: string): Error =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code })

/** Those after which a read is not repeated at once. */
const LATE = FAILURES.filter(made => /statement timeout|read timeout/.test(made().message))

/** What is to fail for one piece of work, and what of it has failed. */
interface Failing {
  readonly made: () => Error
  left: number
  failed: number
  /** What it has begun in the background is let be from then on. */
  isOver: boolean
}

/**
 * Has the pool's connections fail with the statement of a number, and every one after it, of one piece of work: others'
 * statements, such as those of what goes on in the background, are let be.
 */
const failingPool = (pool: pg.Pool) => {
  const connect = pool.connect.bind(pool)
  const failing = new AsyncLocalStorage<Failing>()
  const failNow = (): Error | null => {
    const work = failing.getStore()
    if (work === undefined || work.isOver) return null
    work.left -= 1
    if (work.left > 0) return null
    work.failed += 1
    return work.made()
  }
  const watched = (client: pg.PoolClient): pg.PoolClient =>
    new Proxy(client, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value
        return (...values: Parameters<typeof client.query>) => {
          const error = /^rollback/i.test(String(values[0])) ? null : failNow()
          return error === null ? target.query(...values) : Promise.reject(error)
        }
      },
    })
  // `pool.query` asks for a connection by a callback, which stays as it is.
  pool.connect = ((callback?: never) =>
    callback === undefined ? connect().then(watched) : connect(callback)) as typeof pool.connect
  return {
    /** Answers what the work came to, and whether a statement of it failed. */
    failingAt: async <T>(statement: number, made: () => Error, work: () => Promise<T>) => {
      const own: Failing = { made, left: statement, failed: 0, isOver: false }
      const result = await failing.run(own, work).finally(() => {
        own.isOver = true
      })
      return { result, failed: own.failed > 0 }
    },
  }
}

const MAX_STATEMENTS = 8
/**
 * Each operation has one statement in so many fail, another one than its neighbours; all of them where time is given.
 */
const EVERY = process.env.FAULTS === 'long' ? 1 : 3

/** One failure for every so many statements in turn, from the first that there is up to the last. */
const sweep = async (
  pool: ReturnType<typeof failingPool>,
  what: string,
  request: () => Promise<Response>,
  failures = FAILURES,
  isGood: (response: Response) => boolean = () => false,
  every = 1,
): Promise<number> => {
  let tried = 0
  for (let statement = 1 + (what.length % every); statement <= MAX_STATEMENTS; statement += every) {
    const failure = failures[(statement + what.length) % failures.length] as () => Error
    const { result, failed } = await pool.failingAt(statement, failure, request)
    if (!failed) break
    tried += 1
    if (isGood(result)) continue
    assert.equal(result.status, 503, `${what}, statement ${statement}: ${failure().message}: ${await result.text()}`)
    assert.ok(Number(result.headers.get('retry-after')) > 0, what)
  }
  return tried
}

describe('An operation whose statements time out', () => {
  let kit: OperationsKit
  let pool: ReturnType<typeof failingPool>
  before(async () => {
    kit = await startOperations()
    pool = failingPool(kit.database.pool)
  })
  after(() => kit.stop())

  it('is answered 503 with when to try again, whichever statement it is', async () => {
    const workspace = await kit.workspace()
    await seedEverything(kit, workspace, 'glockenspiel')
    const own = await firstOf(kit, workspace)
    let tried = 0
    const answerOf = (operation: Operation) => async (): Promise<Response> => {
      try {
        return Response.json(await workspace.run(operation, { ...sampleInput(operation, own) }))
      } catch (error) {
        assert.ok(isAssayError(error), `${operation.name}: ${String(error)}`)
        return problem(error)
      }
    }
    for (const operation of registry.values()) {
      const isGood = (answer: Response) => answer.ok && answersWithoutDatabase(operation)
      tried += await sweep(pool, operation.name, answerOf(operation), LATE, isGood, EVERY)
    }
    assert.ok(tried > (registry.size * 2) / EVERY, `${tried} statements failed`)
  })
})

describe('A request whose statements time out', () => {
  let kit: TestApi
  let person: Person
  let key: string
  let pool: ReturnType<typeof failingPool>
  before(async () => {
    kit = await startTestApi()
    person = await kit.signUp()
    key = (await person.data<{ key: string }>('create_key', { label: 'Agent' })).key
    pool = failingPool(kit.database.pool)
  })
  after(() => kit.stop())

  const post = (path: string, body: object, cookie = '') =>
    kit.api.fetch(
      new Request(`${TEST_BASE_URL}${path}`, {
        method: path.endsWith('get-session') ? 'GET' : 'POST',
        ...(path.endsWith('get-session') ? {} : { body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json', ...(cookie === '' ? {} : { cookie }) },
      }),
    )

  it('is answered 503 by the app, its session too', async () => {
    for (const operation of ['list_workspaces', 'lookup_triage', 'add_map_node'])
      assert.ok((await sweep(pool, operation, () => person.call(operation, { name: 'Node' }))) >= 2, operation)
  })

  it('is answered 503 to an agent’s key', async () => {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'service_orient', arguments: { mode: 'snapshot' } },
    }
    const call = () => kit.rpc(message, { authorization: `Bearer ${key}` })
    // A tool that fails is a result of its own in the protocol: it says so, and that trying again may help.
    const tells = (response: Response) => response.status === 200
    assert.ok((await sweep(pool, 'tools/call', call, FAILURES, tells)) >= 1)
    const { result } = await pool.failingAt(1, FAILURES[0] as () => Error, async () => (await call()).text())
    assert.match(result, /\\"retriable\\":true|"code":-32/)
  })

  it('is answered 503 by the accounts, as nobody’s session or as an error of ours by none', async () => {
    const { email } = person
    let people = 0
    const requests: Readonly<Record<string, () => Promise<Response>>> = {
      'get-session': () => post('/api/auth/get-session', {}, person.cookie),
      'sign-in': () => post('/api/auth/sign-in/email', { email, password: TEST_PASSWORD }),
      'sign-up': () => {
        people += 1
        const name = `new-${people}@example.com`
        return post('/api/auth/sign-up/email', { name, email: name, password: TEST_PASSWORD })
      },
    }
    // What follows a sign-in that has committed is tried again with the session's next request.
    for (const [what, request] of Object.entries(requests)) {
      // After so many failures it is not asked for a second.
      await eventually('the database is asked again', async () => (await person.call('list_workspaces')).ok || null)
      assert.ok((await sweep(pool, what, request, FAILURES, response => response.ok)) >= 1, what)
    }
  })
})
