import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from './logger.ts'

const capture = () => {
  const lines: string[] = []
  const logger = createLogger({ level: 'info', program: 'test', destination: { write: line => void lines.push(line) } })
  return { logger, lines }
}

test('a line is JSON that says when, how bad, and who', () => {
  const { logger, lines } = capture()
  logger.info({ signals: 3 }, 'accepted')
  const line = JSON.parse(lines[0] ?? '')
  assert.deepEqual({ ...line, time: '' }, { level: 'info', time: '', program: 'test', signals: 3, msg: 'accepted' })
  assert.ok(Number.isFinite(Date.parse(line.time)))
})

test('secrets and the words of a signal are not written, wherever they are found', () => {
  const { logger, lines } = capture()
  const sensitive = {
    authorization: 'leak',
    cookie: 'leak',
    secret: 'leak',
    password: 'leak',
    key: 'leak',
    text: 'leak',
  }
  logger.info(sensitive, 'at the top')
  logger.info({ request: { headers: sensitive } }, 'deep')
  logger.child({ token: 'leak' }).info({ source: sensitive }, 'in a child')
  assert.equal(lines.length, 3)
  assert.doesNotMatch(lines.join(''), /leak/)
  assert.match(lines.join(''), /\[redacted\]/)
})

test('an error is written with its cause', () => {
  const { logger, lines } = capture()
  logger.error({ err: new Error('outer', { cause: new Error('the reason') }) }, 'failed')
  assert.match(lines[0] ?? '', /the reason/)
})
