import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { boundTimers, LONGEST_TIMER_MS, timerMs } from './timers.ts'

test('a delay of a year is as long as a timer takes, and others are as they are', () => {
  assert.deepEqual([timerMs(400 * 86_400_000), timerMs(250)], [LONGEST_TIMER_MS, 250])
})

test('a library’s timer is bounded too, and is otherwise as it was', async t => {
  const warnings: string[] = []
  const note = ({ name }: Error) => name === 'TimeoutOverflowWarning' && warnings.push(name)
  process.on('warning', note)
  t.after(() => process.off('warning', note))
  boundTimers()
  let hasFired = false
  const year = setTimeout(() => {
    hasFired = true
  }, 400 * 86_400_000)
  assert.equal(await promisify(setTimeout)(20, 'given'), 'given')
  clearTimeout(year)
  assert.deepEqual([hasFired, warnings], [false, []])
})
