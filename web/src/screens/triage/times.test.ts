import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayOf, localTime, momentOf, snoozeTimes } from './times.ts'

describe('The times to snooze until', () => {
  it('are mornings to come, on the clock of whoever looks', () => {
    for (const now of [new Date(2026, 4, 31, 23, 59), new Date(2026, 5, 1, 8, 0), new Date(2026, 11, 31, 12, 0)]) {
      const times = snoozeTimes(now)
      for (const { at, label } of times) {
        assert.ok(at > now, label)
        assert.match(localTime(at), /T09:00$/)
      }
      assert.equal(new Set(times.map(({ at }) => at.getTime())).size, times.length)
      assert.ok(times.some(({ at }) => at.getDay() === 1))
    }
    // A Monday is not its own next one.
    assert.equal(localTime(snoozeTimes(new Date(2026, 5, 1, 8, 0))[1]?.at ?? new Date()), '2026-06-08T09:00')
  })
})

it('What is written down today happened now, and what was on a day before at its noon', () => {
  for (const hour of [0, 9, 23]) {
    const now = new Date(2026, 4, 7, hour, 30)
    assert.equal(momentOf(dayOf(now), now), now)
    assert.deepEqual(momentOf('2026-05-06', now), new Date(2026, 4, 6, 12))
  }
})
