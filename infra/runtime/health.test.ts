import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { AssayError } from './errors.ts'
import { createHealth, createReachability, measureHealth } from './health.ts'
import { createMetrics } from './metrics.ts'

test('ready when every check passes', async () => {
  const health = createHealth()
  health.check('database', async () => {})
  assert.deepEqual(await health.ready(), { status: 200, body: { status: 'ok', checks: { database: 'ok' } } })
})

test('not ready when one fails, and it says which and why, without what only the log may know', async () => {
  const health = createHealth()
  health.check('log', async () => {})
  health.check('database', async () => {
    throw new AssayError('unavailable', 'The database is unavailable.', { cause: new Error('10.0.0.7 refused') })
  })
  health.check('analytics', () => {
    throw new Error('password=hunter2')
  })
  assert.deepEqual(await health.ready(), {
    status: 503,
    body: {
      status: 'failing',
      checks: { log: 'ok', database: 'The database is unavailable.', analytics: 'An unexpected error occurred.' },
    },
  })
})

test('a check that does not answer counts as failing', async () => {
  const health = createHealth({ timeoutMs: 10 })
  health.check('database', () => new Promise(() => {}))
  const { status, body } = await health.ready()
  assert.equal(status, 503)
  assert.equal(body.checks.database, 'The check took longer than 10 ms.')
})

test('live while failing, for a restart would not help what it needs; not ready while stopping', async () => {
  const health = createHealth()
  health.stopping()
  assert.equal(health.live().status, 200)
  assert.deepEqual(await health.ready(), { status: 503, body: { status: 'stopping', checks: {} } })
})

test('without something that only a part of its work needs, a program is ready and says what is away', async () => {
  const health = createHealth()
  health.check('log', async () => {})
  health.check(
    'analytics',
    async () => {
      throw new AssayError('unavailable', 'ClickHouse cannot be reached.')
    },
    'degrading',
  )
  assert.deepEqual(await health.ready(), {
    status: 200,
    body: { status: 'degraded', checks: { log: 'ok', analytics: 'ClickHouse cannot be reached.' } },
  })
})

test('what a part cannot work without makes the part fail, and the program no more than degraded', async () => {
  const program = createHealth()
  program.check('log', async () => {})
  const part = program.part()
  part.check('model', async () => {
    throw new AssayError('unavailable', 'The model cannot be reached.')
  })
  const { status, body } = await program.ready()
  assert.equal(status, 200)
  assert.deepEqual(body, { status: 'degraded', checks: { log: 'ok', model: 'The model cannot be reached.' } })
  assert.equal((await part.ready()).body.status, 'failing')
  program.stopping()
  assert.equal((await part.ready()).body.status, 'stopping')
})

test('the metrics say of each check whether it fails, at the moment when they are read', async () => {
  const metrics = createMetrics({ program: 'test', ofProcess: false })
  const health = createHealth()
  let isAway = true
  health.check('log', async () => {})
  health.check('database', async () => {
    if (isAway) throw new AssayError('unavailable', 'The database is unavailable.')
  })
  measureHealth(metrics, health)
  const shown = async () =>
    (await metrics.expose()).body
      .match(/(?<=^assay_check_failing\{check=").+$/gm)
      ?.map(line => line.replace(/".* /, ' '))
  assert.deepEqual(await shown(), ['log 0', 'database 1'])
  isAway = false
  assert.deepEqual(await shown(), ['log 0', 'database 0'])
})

const kit = () => {
  let clock = 1000
  const reach = createReachability(() => clock)
  const fails = (error: Error) => assert.rejects(reach.through(() => Promise.reject(error)))
  return {
    reach,
    fails,
    pass: (milliseconds: number) => {
      clock += milliseconds
    },
  }
}
const AWAY = new AssayError('unavailable', 'The model is away.')

describe('whether a service can be reached', () => {
  it('is known by its calls: away since the first failure in a row, and back with the first answer', async () => {
    const { reach, fails, pass } = kit()
    assert.equal(reach.away(), null)
    await fails(AWAY)
    pass(5000)
    await fails(new AssayError('timeout', 'It took too long.'))
    assert.deepEqual(reach.away(), { since: 1000, reason: 'It took too long.' })
    assert.equal(await reach.through(async () => 7), 7)
    assert.equal(reach.away(), null)
  })

  it('takes a refusal for an answer', async () => {
    const { reach, fails } = kit()
    await fails(AWAY)
    await fails(new AssayError('invalid_input', 'The text is too long.'))
    assert.equal(reach.away(), null)
  })

  it('is known for as long as nothing of use was answered, since that does not pass by itself', async () => {
    const { reach, fails, pass } = kit()
    await fails(new AssayError('unsupported', 'It gives no usable verdict.'))
    pass(60 * 60_000)
    assert.deepEqual(reach.away(), { since: 1000, reason: 'It gives no usable verdict.' })
    await reach.through(async () => 7)
    assert.equal(reach.away(), null)
  })

  it('is not known when nobody has called for long', async () => {
    const { reach, fails, pass } = kit()
    await fails(AWAY)
    pass(2 * 60_000 + 1)
    assert.equal(reach.away(), null)
  })
})
