import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createFairThreads } from './fair-threads.ts'

/** Answers at once, once it is let go on, or never. */
const THREAD = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ say, gate }) => {
    if (say === 'never') for (;;);
    if (gate) Atomics.wait(new Int32Array(gate), 0, 0)
    parentPort.postMessage(say)
  })`)}`,
)

type Question = { readonly say: string; readonly gate?: SharedArrayBuffer }

const CPU_LIMIT_MS = 500

const start = (count = 2) => {
  const threads = createFairThreads<string, Question, string>(count, {
    file: THREAD,
    name: 'test',
    heapMebibytes: 64,
    deadlineMs: 120_000,
    cpuLimitMs: CPU_LIMIT_MS,
    logger: { warn: () => {} },
  })
  after(() => threads.stop())
  const answered: string[] = []
  const ask = async (holder: string, question: Question) => {
    const answer = await threads.ask(holder, question)
    answered.push(answer.kind === 'answered' ? answer.answer : `${question.say} failed`)
  }
  return { ask, answered }
}

const closed = () => new SharedArrayBuffer(4)
const open = (gate: SharedArrayBuffer): void => {
  const word = new Int32Array(gate)
  Atomics.store(word, 0, 1)
  Atomics.notify(word, 0)
}

describe('Threads that tenants share', () => {
  it('are never all one tenant’s: another’s question is answered while five of his wait', async () => {
    const { ask, answered } = start()
    const gate = closed()
    const hostile = Array.from({ length: 5 }, (_, place) => ask('hostile', { say: `hostile ${place}`, gate }))
    await ask('good', { say: 'good' })
    assert.deepEqual(answered, ['good'])
    open(gate)
    await Promise.all(hostile)
    assert.equal(answered.length, 6)
  })

  it('serve the tenants in turn, however many questions one has', async () => {
    const { ask, answered } = start(1)
    const gate = closed()
    const others = [
      ...['a', 'b', 'c'].map(say => ask('hostile', { say, gate })),
      ask('good', { say: 'good' }),
      ask('better', { say: 'better' }),
    ]
    open(gate)
    await Promise.all(others)
    assert.deepEqual(answered, ['a', 'good', 'better', 'b', 'c'])
  })

  it('serve those last that spent most of a processor, however many they are', async () => {
    const { ask, answered } = start(1)
    const hostile = ['hostile 1', 'hostile 2', 'hostile 3']
    await Promise.all(hostile.map(holder => ask(holder, { say: 'never' })))
    const gate = closed()
    const others = [
      ask('first', { say: 'first', gate }),
      ...hostile.map(holder => ask(holder, { say: holder })),
      ask('good', { say: 'good' }),
    ]
    open(gate)
    await Promise.all(others)
    assert.deepEqual(answered.slice(3, 5), ['first', 'good'])
    assert.deepEqual(answered.slice(5).toSorted(), hostile)
  })

  it('give up a question at its limit of CPU: what waits goes on, and so do the other tenants', async () => {
    const { ask, answered } = start()
    const before = process.cpuUsage()
    const hostile = Array.from({ length: 5 }, () => ask('hostile', { say: 'never' }))
    await ask('good', { say: 'good' })
    assert.deepEqual(answered.slice(-1), ['good'])
    await Promise.all([...hostile, ask('hostile', { say: 'at last' })])
    assert.deepEqual(answered.toSorted(), ['at last', 'good', ...Array(5).fill('never failed')])
    const { user, system } = process.cpuUsage(before)
    // Each has its limit, and is noticed within a few looks, which come late on a busy machine; the deadline would be
    // 240 limits of each.
    assert.ok((user + system) / 1000 < 6 * 10 * CPU_LIMIT_MS, `${(user + system) / 1000} ms`)
  })
})
