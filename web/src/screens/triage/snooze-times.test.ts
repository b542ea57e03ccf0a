import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { localTime, snoozeTimes } from './snooze-times.ts'

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
