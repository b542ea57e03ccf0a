import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatMoment, formatPeriod } from './format-period.ts'

describe('A time in words', () => {
  it('names its last day, and hours only where it has no whole days', () => {
    const cases = [
      ['2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z', '1 Jan 2027 to 31 Jan 2027'],
      ['2027-01-01T00:00:00Z', '2027-01-02T00:00:00Z', '1 Jan 2027'],
      ['2027-01-01T00:00:00Z', '2027-01-20T15:30:00Z', '1 Jan 2027 to 20 Jan 2027, 15:30'],
      ['2027-01-01T08:05:00Z', '2027-01-20T15:30:00Z', '1 Jan 2027, 08:05 to 20 Jan 2027, 15:30'],
    ] as const
    for (const [from, to, label] of cases) assert.equal(formatPeriod(from, to, 'UTC'), label)
  })

  it('tells days of the reader’s zone, or of UTC where they are whole there alone', () => {
    const [from, to] = ['2026-12-31T15:00:00Z', '2027-01-31T15:00:00Z']
    assert.equal(formatPeriod(from, to, 'Asia/Tokyo'), '1 Jan 2027 to 31 Jan 2027')
    assert.equal(
      formatPeriod('2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z', 'Asia/Tokyo'),
      '1 Jan 2027 to 31 Jan 2027',
    )
    assert.equal(formatMoment(from, 'Asia/Tokyo'), '1 Jan 2027')
    assert.equal(formatMoment('2027-01-01T08:05:00Z', 'UTC'), '1 Jan 2027, 08:05')
  })
})
