import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isAssayError } from '../runtime/errors.ts'
import { createLogger } from '../runtime/logger.ts'
import { createAnalytics } from './client.ts'
import type { Analytics } from './port.ts'
import { startTestAnalytics, type TestAnalytics } from './testing.ts'

const LIMITS = { seconds: 1, memoryBytes: 64 * 1024 * 1024, groups: 1000, resultRows: 1000, threads: 1 }

let server: TestAnalytics
let analytics: Analytics

before(async () => {
  server = await startTestAnalytics()
  const logger = createLogger({ level: 'silent', program: 'test' })
  analytics = createAnalytics(server.connection, { logger, limits: LIMITS })
})
after(async () => {
  await analytics.close()
  await server.stop()
})

const codeOf = (statement: string): Promise<string> =>
  analytics.query(statement).then(
    () => 'answered',
    error => (isAssayError(error) ? error.code : String(error)),
  )

test('a question is ended at each of its limits, and says which it was', async () => {
  assert.equal(await codeOf('SELECT number AS n FROM system.numbers LIMIT 10'), 'answered')
  assert.equal(await codeOf('SELECT count() AS n FROM system.numbers WHERE sipHash64(number) = 0'), 'timeout')
  assert.equal(await codeOf('SELECT number AS n FROM numbers(100000) GROUP BY n LIMIT 1'), 'too_large')
  assert.equal(await codeOf('SELECT number AS n FROM numbers(100000)'), 'too_large')
  assert.equal(await codeOf(`SELECT length(groupArray(repeat('x', 1000))) AS n FROM numbers(1000000)`), 'too_large')
})

test('the programs’ own questions have none of them', async () => {
  const rows = await server.analytics.query('SELECT number AS n FROM numbers(100000) GROUP BY n')
  assert.equal(rows.length, 100_000)
})
