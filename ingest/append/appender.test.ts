import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLogger } from '../../infra/runtime/logger.ts'
import { createFakeLog, settingsWith } from '../testing.ts'
import { createAppender } from './appender.ts'
import { createByteBudget } from './byte-budget.ts'

const record = (bytes: number) => ({ topic: 'signals.validate', key: null, value: new Uint8Array(bytes) })

const create = (settings: Parameters<typeof settingsWith>[0], limit = 1e9) => {
  const log = createFakeLog()
  const budget = createByteBudget(limit)
  const logger = createLogger({ level: 'silent', program: 'ingest' })
  const appender = createAppender({ log, budget, logger, settings: settingsWith(settings), onAppended: () => {} })
  return { log, budget, appender }
}

describe('appends that arrive close together', () => {
  it('share one append of the log', async () => {
    const { log, appender } = create({ lingerMs: 20 })
    await Promise.all(Array.from({ length: 100 }, () => appender.append([record(10)])))
    assert.equal(log.appends.length, 1)
    assert.equal(log.appends[0]?.length, 100)
  })

  it('are cut by count and by bytes, and what belongs together is never cut apart', async () => {
    const counted = create({ lingerMs: 20, maxBatchRecords: 10 })
    await Promise.all(Array.from({ length: 25 }, () => counted.appender.append([record(10)])))
    assert.deepEqual(
      counted.log.appends.map(batch => batch.length),
      [10, 10, 5],
    )

    const weighed = create({ lingerMs: 20, maxBatchBytes: 10_000 })
    await Promise.all(Array.from({ length: 6 }, () => weighed.appender.append([record(3_000), record(500)])))
    assert.deepEqual(
      weighed.log.appends.map(batch => batch.length),
      [4, 4, 4],
    )
  })

  it('fail together, each for its own sender, and leave nothing behind in the budget', async () => {
    const { log, budget, appender } = create({})
    log.setUnavailable(true)
    const results = await Promise.allSettled([appender.append([record(10)]), appender.append([record(10)])])
    assert.deepEqual(
      results.map(result => result.status),
      ['rejected', 'rejected'],
    )
    assert.equal(budget.used(), 0)
  })

  it('are refused while too many bytes are under way', async () => {
    const { log, appender } = create({}, 2_000)
    const release = log.hold()
    const first = appender.append([record(1_000)])
    await assert.rejects(appender.append([record(1_000)]), { code: 'busy' })
    release()
    await first
    await appender.append([record(1_000)])
  })

  it('hold their bytes for as long as the log has not answered, even when nobody waits any more', async () => {
    const { log, budget, appender } = create({ appendTimeoutMs: 10 })
    const release = log.hold()
    await assert.rejects(appender.append([record(1_000)]), { code: 'timeout' })
    assert.ok(budget.used() >= 1_000)
    release()
    await appender.drain()
    assert.equal(budget.used(), 0)
  })
})
