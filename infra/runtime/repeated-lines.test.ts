import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from './logger.ts'
import { createRepeatedLines } from './repeated-lines.ts'

const WARN = 40
const MINUTE_MS = 60_000

test('of one cause a line is written a minute, and says how many were not', () => {
  let clock = 0
  const repeatedOf = createRepeatedLines(() => clock)
  const full = (fields: object = {}) => repeatedOf(WARN, 'A batch failed', { reason: 'the disk is full', ...fields })
  assert.equal(full({ group: 'assay.embed' }), 0)
  for (let times = 0; times < 65; times += 1) assert.equal(full({ group: `assay.${times}`, tookMs: times }), null)
  clock = MINUTE_MS
  assert.equal(full(), 65)
  assert.equal(full(), null)
})

test('another message, level, reason or error is another cause; figures in a sentence are not', () => {
  const repeatedOf = createRepeatedLines(() => 0)
  const inA = (): Error => new Error('away')
  const inB = (): Error => new Error('away')
  for (const [level, message, fields] of [
    [WARN, 'waits', {}],
    [50, 'waits', {}],
    [WARN, 'goes on', {}],
    [WARN, 'waits', { reason: 'a' }],
    [WARN, 'waits', { reason: 'b' }],
    [WARN, 'waits', { err: inA() }],
    [WARN, 'waits', { err: inB() }],
    [WARN, 'waits 5 s', {}],
  ] as const)
    assert.equal(repeatedOf(level, message, fields), 0, JSON.stringify([level, message, fields]))
  assert.equal(repeatedOf(WARN, 'waits 7 s', {}), null)
})

test('many causes fill no memory', () => {
  const repeatedOf = createRepeatedLines(() => 0)
  for (let at = 0; at < 5000; at += 1) repeatedOf(WARN, 'waits', { reason: 'x'.repeat(at) })
  assert.equal(repeatedOf(WARN, 'waits', { reason: '' }), 0, 'the oldest is forgotten')
  assert.equal(repeatedOf(WARN, 'waits', { reason: 'x'.repeat(4999) }), null)
})

test('a program’s log leaves repeated warnings and errors out, and nothing else', () => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const logger = createLogger({ level: 'info', program: 'test', destination, oncePerMinute: true })
  for (let times = 0; times < 3; times += 1) {
    logger.warn({ reason: 'the disk is full', group: times }, 'the log takes nothing')
    logger.child({ part: 'a' }).error({ err: new Error('full') }, 'failed')
    logger.info('accepted')
    logger.fatal('an error that nobody caught')
  }
  const messages = lines.map(line => JSON.parse(line).msg)
  assert.deepEqual(messages, [
    'the log takes nothing',
    'failed',
    ...Array.from({ length: 3 }, () => ['accepted', 'an error that nobody caught']).flat(),
  ])
})

test('the line that is written after others were not has its fields and its error', t => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  let clock = 0
  t.mock.method(performance, 'now', () => clock)
  const logger = createLogger({ level: 'info', program: 'test', destination, oncePerMinute: true })
  const failure = new Error('full')
  const say = () => {
    logger.error({ err: failure, group: 'a' }, 'failed')
    logger.warn('waits')
  }
  say()
  say()
  clock = MINUTE_MS
  say()
  const [, , failed, waits] = lines.map(line => JSON.parse(line))
  assert.deepEqual([lines.length, failed.repeated, failed.group, failed.err.message], [4, 1, 'a', 'full'])
  assert.deepEqual([waits.msg, waits.repeated], ['waits', 1])
})
