import assert from 'node:assert/strict'
import { beforeEach, mock, test } from 'node:test'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { AssayError, type ErrorCode } from '../../../infra/runtime/errors.ts'
import { analyticsWithBreaker, databaseWithBreaker, retryingRead } from './circuit-breakers.ts'

let asked: number
let answer: () => Promise<unknown>

beforeEach(() => {
  asked = 0
  answer = async () => []
  mock.timers.reset()
  mock.timers.enable({ apis: ['Date', 'setTimeout'] })
})

const failing = (code: ErrorCode) => () => Promise.reject(new AssayError(code, 'The store is unavailable.'))

const ask = <T>(): Promise<T> => {
  asked += 1
  // The tests look at whether it answers, not at what.
  return answer() as Promise<T>
}

const createDatabase = (): (() => Promise<unknown>) => {
  const database: Database = databaseWithBreaker({ transaction: ask, ping: ask, close: ask })
  return () => database.transaction({ role: 'assay_edge' }, async () => [])
}
const createAnalytics = (): (() => Promise<unknown>) => {
  const analytics: Analytics = analyticsWithBreaker({
    query: ask,
    insert: ask,
    remove: ask,
    rewrite: ask,
    ping: ask,
    close: ask,
  })
  return () => analytics.query('select 1')
}

for (const [name, create] of Object.entries({ database: createDatabase, analytics: createAnalytics })) {
  test(`${name}: after five failures in a row nobody waits for it; it is tried once a second, and works again by itself`, async () => {
    const call = create()
    answer = failing('unavailable')
    for (let failures = 0; failures < 5; failures += 1) await assert.rejects(call(), { code: 'unavailable' })
    for (let refusals = 0; refusals < 20; refusals += 1) {
      await assert.rejects(call(), {
        code: 'unavailable',
        message: /^The store is unavailable. It is asked again in 1 s/,
      })
    }
    assert.equal(asked, 5)

    mock.timers.tick(1000)
    let fail: (error: Error) => void = () => {}
    answer = () => new Promise((_, reject) => (fail = reject))
    const trial = call()
    await assert.rejects(call(), { code: 'unavailable', retryAfterSeconds: 1 })
    assert.equal(asked, 6)
    fail(new AssayError('unavailable', 'The store is still unavailable.'))
    await assert.rejects(trial, /still/)
    await assert.rejects(call(), /^AssayError: The store is still unavailable/)
    assert.equal(asked, 6)

    mock.timers.tick(1000)
    answer = async () => ['back']
    assert.deepEqual(await call(), ['back'])
    assert.deepEqual(await Promise.all([call(), call()]), [['back'], ['back']])
  })

  test(`${name}: what is wrong with a call, and not with the store, opens nothing`, async () => {
    const call = create()
    for (const code of ['conflict', 'invalid_input', 'busy', 'internal'] as const) {
      answer = failing(code)
      for (let calls = 0; calls < 6; calls += 1) await assert.rejects(call(), { code })
    }
    assert.equal(asked, 24)
  })
}

test('statements that take too long do not shut out those of others', async () => {
  const call = createDatabase()
  answer = failing('timeout')
  for (let calls = 0; calls < 10; calls += 1) await assert.rejects(call(), { code: 'timeout' })
  assert.equal(asked, 10)
})

test('an analysis that hangs is given up after ten seconds', async () => {
  answer = () => new Promise(() => {})
  const hanging = createAnalytics()()
  const refused = assert.rejects(hanging, { code: 'timeout', message: /longer than 10 s/ })
  mock.timers.tick(10_000)
  await refused
})

test('a read that a store failed in passing is tried twice more; one that a breaker refused, or that took too long, is not [mcp-14]', async () => {
  mock.timers.reset()
  answer = failing('unavailable')
  await assert.rejects(retryingRead(ask), { code: 'unavailable' })
  assert.equal(asked, 3)
  answer = failing('timeout')
  await assert.rejects(retryingRead(ask), { code: 'timeout' })
  assert.equal(asked, 4)
  answer = failing('unavailable')
  const call = createDatabase()
  for (let failures = 0; failures < 5; failures += 1) await assert.rejects(call())
  asked = 0
  let attempts = 0
  const attempt = () => {
    attempts += 1
    return call()
  }
  await assert.rejects(retryingRead(attempt), { code: 'unavailable' })
  assert.deepEqual([attempts, asked], [1, 0])
})
