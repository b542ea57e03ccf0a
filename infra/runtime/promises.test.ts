import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AssayError } from './errors.ts'
import { createLogger } from './logger.ts'
import { waitFor } from './promises.ts'

const capture = () => {
  const lines: string[] = []
  return {
    lines,
    logger: createLogger({ level: 'info', program: 'test', destination: { write: line => void lines.push(line) } }),
  }
}

test('tries until it works, and says once what it waits for and once that it came', async () => {
  const { lines, logger } = capture()
  let attempts = 0
  const attempt = async () => {
    attempts += 1
    if (attempts < 4) throw new AssayError('unavailable', 'away')
    return 'here'
  }
  assert.equal(await waitFor(attempt, { what: 'the broker', logger, firstPauseMs: 1 }), 'here')
  assert.equal(attempts, 4)
  assert.deepEqual(
    lines.map(line => JSON.parse(line).msg),
    ['waiting for the broker', 'no longer waiting for the broker'],
  )
})

test('says where a connection was refused, which the sentence for everybody leaves out', async () => {
  const { lines, logger } = capture()
  const system = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { syscall: 'connect' })
  const broker = Object.assign(new Error('Connection timeout'), { broker: '10.0.0.8:9092' })
  const causes: unknown[] = [new AggregateError([system]), new Error('gave up', { cause: broker }), new Error('other')]
  const attempt = async () => {
    if (causes.length > 0) throw new AssayError('unavailable', `away ${causes.length}`, { cause: causes.shift() })
  }
  await waitFor(attempt, { what: 'it', logger, firstPauseMs: 1 })
  assert.deepEqual(
    lines.map(line => JSON.parse(line)).map(({ reason, cause }) => [reason, cause]),
    [
      ['away 3', 'connect ECONNREFUSED 10.0.0.7:5432'],
      ['away 2', 'Connection timeout (10.0.0.8:9092)'],
      ['away 1', undefined],
      [undefined, undefined],
    ],
  )
})

test('what works at once is not worth a line', async () => {
  const { lines, logger } = capture()
  await waitFor(async () => {}, { what: 'it', logger })
  assert.deepEqual(lines, [])
})

test('an error that trying again cannot mend is thrown at once', async () => {
  const { logger } = capture()
  let attempts = 0
  const attempt = async () => {
    attempts += 1
    throw new AssayError('invalid_configuration', 'no')
  }
  await assert.rejects(waitFor(attempt, { what: 'it', logger, firstPauseMs: 1 }), /no/)
  assert.equal(attempts, 1)
})

test('gives up at the deadline with the last error', async () => {
  const { logger } = capture()
  const attempt = async () => {
    throw new AssayError('unavailable', 'still away')
  }
  await assert.rejects(waitFor(attempt, { what: 'it', logger, firstPauseMs: 1, deadlineMs: 10 }), /still away/)
})
