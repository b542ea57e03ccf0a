import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTimeBoundParts, threadCpuMs, withinCpu } from './cpu-budget.ts'

const BUDGET_MS = 80

/** Tries 2^40 ways to read what it cannot match. */
const endless = (): boolean => /^(a+)+$/.test(`${'a'.repeat(40)}!`)

/** Waits without using the processor, as a thread does that gets none of it. */
const sleep = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

test('Work answers what it answers, and throws what it throws.', () => {
  assert.equal(
    withinCpu(BUDGET_MS, () => 5),
    5,
  )
  assert.throws(
    () =>
      withinCpu(BUDGET_MS, () => {
        throw new RangeError('mine')
      }),
    RangeError,
  )
})

test('An endless expression is ended, as is an endless loop that catches everything.', () => {
  assert.throws(() => withinCpu(BUDGET_MS, endless), { code: 'too_costly', retriable: false })
  const loop = () => {
    for (;;) {
      try {
        endless()
      } catch {}
    }
  }
  assert.throws(() => withinCpu(BUDGET_MS, loop), { code: 'too_costly' })
})

test('A budget within a budget ends its own work alone.', () => {
  const outer = () => {
    assert.throws(() => withinCpu(BUDGET_MS, endless), { code: 'too_costly' })
    return 'the outer goes on'
  }
  // However long the machine has other things to do.
  const answer = withinCpu(BUDGET_MS * 10, outer, 60_000)
  assert.equal(answer, 'the outer goes on')
})

test('A thread that is kept from the processor is given its time.', () => {
  let begun = 0
  const starved = () => {
    begun += 1
    sleep(BUDGET_MS * 2)
    return 'done'
  }
  assert.equal(withinCpu(BUDGET_MS, starved), 'done')
  assert.equal(begun, 2, 'it was ended once, and had used next to nothing')
})

test('A thread that gets nothing at all is busy, which passes: the work is not to blame.', () => {
  assert.throws(() => withinCpu(20, () => sleep(10_000), 40), { code: 'busy', retriable: true })
})

test('Of many items each has its own budget, and the event loop its turns.', async t => {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  t.after(() => clearInterval(timer))
  const items = Array.from({ length: 40 }, (_, index) => index)
  const results = await inTimeBoundParts(items, BUDGET_MS, item => {
    if (item === 7) endless()
    // Each item uses 10 ms of this thread's CPU, however long a busy machine takes to give them.
    const end = threadCpuMs() + 10
    while (threadCpuMs() < end);
    return item * 2
  })
  assert.deepEqual(
    results.map(result => (typeof result === 'number' ? result : result.code)),
    items.map(item => (item === 7 ? 'too_costly' : item * 2)),
  )
  assert.ok(turns > 1, `the event loop turned ${turns} times`)
})
