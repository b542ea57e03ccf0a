import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Batch, BatchContext } from '../../infra/log/port.ts'
import { AssayError, isAssayError } from '../../infra/runtime/errors.ts'
import { stored, testObserver, testSignal } from './testing.ts'
import { createBreaker, waitForDependency } from './wait-for-dependency.ts'

const batch = async (offset: number): Promise<Batch> => {
  const record = await stored(testSignal('any'), { offset })
  return { topic: record.topic, partition: 0, records: [record], committed: null, highWatermark: offset + 1 }
}

const context: BatchContext = {
  signal: new AbortController().signal,
  commit: async () => {},
  heartbeat: async () => {},
  before: Promise.resolve(),
}

const create = (handle: () => Promise<{ next: number }>) => {
  let clock = 0
  const breaker = createBreaker({ firstMs: 100, maxMs: 1000, now: () => clock, wallClock: () => clock })
  const observer = testObserver()
  return {
    handler: waitForDependency('group', breaker, observer, handle),
    breaker,
    observer,
    advance: (ms: number) => (clock += ms),
  }
}

test('while the breaker is open nothing is tried, on any partition', async () => {
  let tries = 0
  const { handler, advance } = create(async () => {
    tries += 1
    throw new AssayError('unavailable', 'away')
  })
  assert.deepEqual(await handler(await batch(7), context), { next: 7, pauseMs: 100 })
  advance(40)
  assert.deepEqual(await handler(await batch(3), context), { next: 3, pauseMs: 60 })
  assert.equal(tries, 1)
  advance(60)
  assert.deepEqual(await handler(await batch(7), context), { next: 7, pauseMs: 200 })
})

test('a dependency that says how long to leave it alone is left alone for so long', async () => {
  const { handler, advance } = create(async () => {
    throw new AssayError('unavailable', 'Too much to do.', { retryAfterSeconds: 60 })
  })
  assert.deepEqual(await handler(await batch(7), context), { next: 7, pauseMs: 60_000 })
  advance(59_999)
  assert.deepEqual(await handler(await batch(7), context), { next: 7, pauseMs: 1 })
})

test('a batch that stays where it is says nothing of a dependency, one that goes on closes the breaker', async () => {
  let next = 7
  let isUnavailable = true
  const { handler, breaker, advance } = create(async () => {
    if (isUnavailable) throw new AssayError('unavailable', 'away')
    return { next }
  })
  await handler(await batch(7), context)
  advance(100)
  isUnavailable = false
  await handler(await batch(7), context)
  assert.equal(breaker.open()?.reason, 'away')
  next = 8
  await handler(await batch(7), context)
  assert.equal(breaker.open(), null)
})

test('a dependency is waited for only as long as a partition that met its failure is here', async () => {
  let isUnavailable = true
  const { handler, breaker, advance } = create(async () => {
    if (isUnavailable) throw new AssayError('unavailable', 'away')
    return { next: 10 }
  })
  const [first, second] = [new AbortController(), new AbortController()]
  await handler(await batch(7), { ...context, signal: first.signal })
  await handler(await batch(3), { ...context, signal: second.signal })
  first.abort()
  assert.deepEqual(breaker.open(), { reason: 'away', since: 0 })
  second.abort()
  assert.equal(breaker.open(), null)
  advance(100)
  await handler(await batch(7), context)
  assert.deepEqual(breaker.open(), { reason: 'away', since: 100 })
  isUnavailable = false
  advance(200)
  await handler(await batch(7), context)
  assert.equal(breaker.open(), null)
})

test('a partition that another member has by now is no failure', async () => {
  const { handler, breaker } = create(async () => {
    throw new AssayError('partition_lost', 'Another member has it.')
  })
  assert.deepEqual(await handler(await batch(7), context), { next: 7 })
  assert.equal(breaker.open(), null)
})

test('an error that nobody foresaw leaves without its text, which may quote a record', async () => {
  const { handler, observer } = create(async () => {
    throw new TypeError('cannot read sender@example.com')
  })
  await assert.rejects(handler(await batch(7), context), error => {
    assert.ok(isAssayError(error))
    assert.equal(error.cause, undefined)
    assert.doesNotMatch(error.message, /example/)
    return true
  })
  assert.doesNotMatch(JSON.stringify(observer.notes), /example/)
  assert.equal(observer.notes[0]?.facts.errorClass, 'TypeError')
})

const aBreaker = () => {
  let clock = 0
  const breaker = createBreaker({ firstMs: 100, maxMs: 1000, now: () => clock, wallClock: () => clock })
  return { breaker, advance: (ms: number) => (clock += ms) }
}

test('the pause that a dependency asks for counts when it is the longer one', () => {
  const { breaker, advance } = aBreaker()
  assert.equal(breaker.fail('busy', 20), 100)
  advance(100)
  assert.equal(breaker.fail('busy', 5000), 5000)
})

test('a pause that is asked for while it is quiet already makes it longer, never shorter', () => {
  const { breaker } = aBreaker()
  breaker.fail('busy', 3000)
  assert.equal(breaker.fail('busy', 2000), 3000)
  assert.equal(breaker.fail('busy', 4000), 4000)
})

test('success of another partition does not cut short what was asked for', () => {
  const { breaker, advance } = aBreaker()
  breaker.fail('busy', 3000)
  breaker.succeed()
  assert.equal(breaker.waitMs(), 3000)
  advance(3000)
  breaker.succeed()
  assert.deepEqual([breaker.waitMs(), breaker.open()], [0, null])
})

test('nobody can ask for more than a quarter of an hour', () => {
  const { breaker } = aBreaker()
  assert.equal(breaker.fail('busy', 86_400_000), 900_000)
})
