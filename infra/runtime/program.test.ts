import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { createLogger } from './logger.ts'
import { createLifecycle } from './program.ts'

const logger = createLogger({ level: 'silent', program: 'test' })

/** Stands in for `process`: signals are events, and the first exit is kept. */
const fakeProcess = () => {
  const emitter = new EventEmitter()
  const { promise: exited, resolve } = Promise.withResolvers<number>()
  const exit = (code?: number | string | null): never => {
    resolve(Number(code))
    // `exit` does not return in a real process; here the caller goes on, and nothing follows it.
    return undefined as never
  }
  const target = {
    on: (name: string, listener: (...values: unknown[]) => void) => emitter.on(name, listener),
    off: (name: string, listener: (...values: unknown[]) => void) => emitter.off(name, listener),
    exit,
    // Only these three of a process are used, with the signatures of the events that are listened to.
  } as unknown as Pick<NodeJS.Process, 'on' | 'off' | 'exit'>
  return { target, emitter, exited }
}

test('parts stop in the opposite order, each after the one before has finished', async () => {
  const lifecycle = createLifecycle({ logger })
  const seen: string[] = []
  lifecycle.onStop('log', () => void seen.push('log'))
  lifecycle.onStop('server', async () => {
    seen.push('server stops')
    await new Promise(setImmediate)
    seen.push('server stopped')
  })
  assert.equal(await lifecycle.stop(), 0)
  assert.deepEqual(seen, ['server stops', 'server stopped', 'log'])
})

test('stopping twice stops once', async () => {
  const lifecycle = createLifecycle({ logger })
  let stops = 0
  lifecycle.onStop('part', () => {
    stops += 1
  })
  await Promise.all([lifecycle.stop(), lifecycle.stop()])
  assert.equal(stops, 1)
})

test('a part that fails or hangs does not keep the others from stopping, and the code says so', async () => {
  const lifecycle = createLifecycle({ logger, deadlineMs: 50 })
  let stopped = false
  lifecycle.onStop('first', () => {
    stopped = true
  })
  lifecycle.onStop('hangs', () => new Promise(() => {}))
  lifecycle.onStop('fails', () => {
    throw new Error('no')
  })
  assert.equal(await lifecycle.stop(), 1)
  assert.ok(stopped)
})

test('a signal stops and exits with 0', async () => {
  const { target, emitter, exited } = fakeProcess()
  const lifecycle = createLifecycle({ logger, process: target })
  let stopped = false
  lifecycle.onStop('part', () => {
    stopped = true
  })
  lifecycle.listen()
  emitter.emit('SIGTERM', 'SIGTERM')
  assert.equal(await exited, 0)
  assert.ok(stopped)
})

test('a command that a signal ended has not done its work, and its code says so', async () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const { target, emitter, exited } = fakeProcess()
    createLifecycle({ logger, process: target, endsByItself: true }).listen()
    emitter.emit(signal, signal)
    assert.equal(await exited, code)
  }
})

test('a second signal exits at once', async () => {
  const { target, emitter, exited } = fakeProcess()
  let now = 0
  const lifecycle = createLifecycle({ logger, deadlineMs: 50, process: target, now: () => now })
  lifecycle.onStop('hangs', () => new Promise(() => {}))
  lifecycle.listen()
  emitter.emit('SIGINT', 'SIGINT')
  now = 1000
  emitter.emit('SIGINT', 'SIGINT')
  assert.equal(await exited, 130)
})

test('one press of Ctrl+C, which comes from the terminal and once more from npm, stops in order', async () => {
  const { target, emitter, exited } = fakeProcess()
  let now = 0
  const lifecycle = createLifecycle({ logger, process: target, now: () => now })
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  lifecycle.onStop('takes a while', () => done)
  lifecycle.listen()
  emitter.emit('SIGINT', 'SIGINT')
  now = 300
  emitter.emit('SIGINT', 'SIGINT')
  finish()
  assert.equal(await exited, 0)
})

test('an error that nobody caught stops everything and exits with 1', async () => {
  const { target, emitter, exited } = fakeProcess()
  const lifecycle = createLifecycle({ logger, process: target })
  let stopped = false
  lifecycle.onStop('part', () => {
    stopped = true
  })
  lifecycle.listen()
  emitter.emit('uncaughtException', new Error('unforeseen'))
  assert.equal(await exited, 1)
  assert.ok(stopped)
})

test('a command without a log says of such an error what it was', async t => {
  const { target, emitter, exited } = fakeProcess()
  const write = t.mock.method(process.stderr, 'write', () => true)
  createLifecycle({ logger, process: target, endsByItself: true }).listen()
  emitter.emit('unhandledRejection', new Error('unforeseen'))
  assert.equal(await exited, 1)
  const said = write.mock.calls.map(({ arguments: [text] }) => String(text)).join('')
  write.mock.restore()
  assert.match(said, /^An error that nobody caught: Error: unforeseen\n {4}at /)
})
