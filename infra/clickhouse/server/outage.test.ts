import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type AssayError, isAssayError } from '../../runtime/errors.ts'
import { createLogger } from '../../runtime/logger.ts'
import { eventually } from '../../runtime/testing.ts'
import { describeWithStack } from '../../stack/testing.ts'
import { createAnalytics } from '../client.ts'
import { parseClickHouseUrl } from '../config.ts'
import { assertClickHouseMigrated, migrateClickHouse } from '../migrate.ts'

const logger = createLogger({ level: 'silent', program: 'test' })

const failureOf = (work: Promise<unknown>): Promise<AssayError> =>
  work.then(
    () => assert.fail('it did not fail'),
    error => (isAssayError(error) ? error : assert.fail(String(error))),
  )

/** A server that other tests do not use, as it is stopped here. */
await describeWithStack(['clickhouse'], stack => {
  after(() => stack.stop())

  test('while the server is away every call fails as unavailable, and afterwards they work with what was stored', async () => {
    const connection = parseClickHouseUrl(stack.urls.CLICKHOUSE_URL ?? '')
    const analytics = createAnalytics(connection, { logger })
    await migrateClickHouse(connection, { logger })
    const insert = (token: string) => analytics.insert('activity', [{ kind: 'test' }], token)
    const count = async () => (await analytics.query<{ rows: number }>('SELECT count() AS rows FROM activity'))[0]?.rows
    await insert('before')

    const running = Array.from({ length: 4 }, () => analytics.query('SELECT sleep(2) AS slept'))
    const [outcomes] = await Promise.all([Promise.allSettled(running), stack.stopEngine('clickhouse')])
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.ok(isAssayError(outcome.reason) && outcome.reason.retriable)

    for (const call of [
      () => count(),
      () => insert('during'),
      () => analytics.ping(),
      () => assertClickHouseMigrated(analytics),
      () => migrateClickHouse(connection, { logger }),
    ]) {
      const { code, retriable } = await failureOf(call())
      assert.deepEqual([code, retriable], ['unavailable', true])
    }

    await stack.startEngine('clickhouse')
    await eventually('it is ready again', () => assertClickHouseMigrated(analytics).then(() => true))
    // The same again, as whoever got no answer to its insert does.
    for (const token of ['before', 'during', 'during']) await insert(token)
    assert.equal(await count(), 2)
    await analytics.close()
  })
})
