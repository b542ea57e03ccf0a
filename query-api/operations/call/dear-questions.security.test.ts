import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAnalytics } from '../../../infra/clickhouse/client.ts'
import { parseClickHouseUrl } from '../../../infra/clickhouse/config.ts'
import { type AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { createLogger } from '../../../infra/runtime/logger.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { describeWithStack } from '../../../infra/stack/testing.ts'
import { analyticsWithBreaker } from './circuit-breakers.ts'

const LIMITS = { seconds: 1, memoryBytes: 64 * 1024 * 1024, groups: 1000, resultRows: 1000, threads: 1 }
const WHAT_TO_ASK = /Ask for a shorter time/

/** Each with what the engine ends it for. */
const DEAR: readonly (readonly [string, AssayError['code']])[] = [
  ['SELECT number AS dear FROM numbers(100000) GROUP BY dear LIMIT 1', 'too_large'],
  ['SELECT number AS dear FROM numbers(100000)', 'too_large'],
  [`SELECT length(groupArray(repeat('x', 1000))) AS dear FROM numbers(1000000)`, 'too_large'],
]
const ENDLESS = 'SELECT count() AS dear FROM system.numbers WHERE sipHash64(number) = 0'

/** On an engine that is a process of its own, reached as a server is. */
await describeWithStack(['clickhouse'], stack => {
  const connection = { ...parseClickHouseUrl(stack.urls.CLICKHOUSE_URL ?? ''), database: 'default' }
  const logger = createLogger({ level: 'silent', program: 'test' })
  const limited = createAnalytics(connection, { logger, limits: LIMITS })
  const unlimited = createAnalytics(connection, { logger })
  const questions = analyticsWithBreaker(limited)
  before(() => unlimited.ping())
  after(async () => {
    await Promise.all([limited.close(), unlimited.close()])
    await stack.stop()
  })

  const failureOf = (work: Promise<unknown>): Promise<AssayError> =>
    work.then(
      () => assert.fail('it was answered'),
      error => (isAssayError(error) ? error : assert.fail(String(error))),
    )
  const running = async (): Promise<number> => {
    const [row] = await unlimited.query<{ running: number }>(
      `SELECT count() AS running FROM system.processes WHERE query LIKE '%dear%' AND query NOT LIKE '%system.processes%'`,
    )
    return row?.running ?? assert.fail()
  }

  test('a dear question is ended at each limit, says what to ask instead, and runs no longer', async () => {
    const endless = failureOf(questions.query(ENDLESS))
    await eventually('it runs', async () => (await running()) === 1)
    const { code, publicMessage } = await endless
    assert.equal(code, 'timeout')
    assert.match(publicMessage, WHAT_TO_ASK)
    for (const [statement, expected] of DEAR) {
      const error = await failureOf(questions.query(statement))
      assert.equal(error.code, expected, statement)
      assert.match(error.publicMessage, WHAT_TO_ASK)
    }
    assert.equal(await running(), 0)
  })

  test('slow questions in a row, and at once, have nobody else refused', async () => {
    for (let round = 0; round < 2; round += 1) {
      const slow = Array.from({ length: 5 }, () => failureOf(questions.query(ENDLESS)))
      const [other] = await questions.query<{ n: number }>('SELECT 1 AS n')
      assert.deepEqual(other, { n: 1 })
      for (const error of await Promise.all(slow)) assert.equal(error.code, 'timeout')
    }
    assert.deepEqual(await questions.query('SELECT 2 AS n'), [{ n: 2 }])
    assert.equal(await running(), 0)
  })
})
