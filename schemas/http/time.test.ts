import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseInstant } from './time.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
const at = (sent: string | number) => {
  const instant = parseInstant(sent, NOW)
  return instant.ok ? new Date(instant.at).toISOString() : instant.message
}

describe('a time as senders write it', () => {
  it('is ISO 8601: with an offset, in UTC without one, or a date alone', () => {
    const cases: [string, string][] = [
      ['2026-01-30T09:30:00Z', '2026-01-30T09:30:00.000Z'],
      ['2026-01-30t09:30:00.123456789z', '2026-01-30T09:30:00.123Z'],
      ['2026-01-30T09:30:00,5+02:00', '2026-01-30T07:30:00.500Z'],
      ['2026-01-30T09:30-0330', '2026-01-30T13:00:00.000Z'],
      ['2026-01-30T09:30+02', '2026-01-30T07:30:00.000Z'],
      ['2026-01-30 09:30:15', '2026-01-30T09:30:15.000Z'],
      ['2026-01-30', '2026-01-30T00:00:00.000Z'],
      ['2024-02-29', '2024-02-29T00:00:00.000Z'],
      ['20260130T093000Z', '2026-01-30T09:30:00.000Z'],
      ['20260130T0930', '2026-01-30T09:30:00.000Z'],
      ['20260130T093000.25+0200', '2026-01-30T07:30:00.250Z'],
      ['20260130', '2026-01-30T00:00:00.000Z'],
      ['2026-W05-5', '2026-01-30T00:00:00.000Z'],
      ['2026W055T093000Z', '2026-01-30T09:30:00.000Z'],
      ['2020-W53-7', '2021-01-03T00:00:00.000Z'],
      ['2026-030', '2026-01-30T00:00:00.000Z'],
      ['2026030T0930Z', '2026-01-30T09:30:00.000Z'],
      ['2024-366', '2024-12-31T00:00:00.000Z'],
    ]
    for (const [sent, expected] of cases) assert.equal(at(sent), expected, sent)
  })

  it('is epoch seconds below 1e11 and milliseconds from there on, in digits or as text', () => {
    for (const sent of [1767225600, 1767225600_000, '1767225600', '1767225600000', '1767225600.0', ' 1767225600 ']) {
      assert.equal(at(sent), '2026-01-01T00:00:00.000Z', String(sent))
    }
    assert.equal(at(1767225600.25), '2026-01-01T00:00:00.250Z')
    assert.match(at(99_999_999_999), /must not be/)
    assert.match(at(100_000_000_000), /must not be/)
  })

  it('is not before 2000 nor more than a day ahead', () => {
    assert.equal(at('2000-01-01'), '2000-01-01T00:00:00.000Z')
    assert.match(at('1999-12-31T23:59:59Z'), /must not be before 2000-01-01/)
    assert.equal(at('2026-02-01T12:00:00Z'), '2026-02-01T12:00:00.000Z')
    assert.match(at('2026-02-01T12:00:01Z'), /one day in the future/)
    for (const sent of [0, -1, 1e300]) assert.match(at(sent), /must not be/)
  })

  it('is refused when it says no instant, or one that does not exist', () => {
    const wrong = [
      '',
      'yesterday',
      '2026-02-30',
      '2026-13-01',
      '2026-00-10',
      '2026-01-30T25:00:00Z',
      '2026-01-30T09:61',
      '30.01.2026',
      '2026',
      '20260230',
      '202601',
      '2026-W54-1',
      '2021-W53-1',
      '2026-W00-1',
      '2026-W05-8',
      '2026-W05',
      '2025-366',
      '2026-000',
      '20260130T0930001Z',
      '20260130T93',
      '2026-01-30T09:30:00+99:00',
    ]
    for (const sent of wrong) assert.match(at(sent), /must be an ISO 8601 date/, sent)
    assert.match(at(Number.NaN), /must be/)
  })
})
