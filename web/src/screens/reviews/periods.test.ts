import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moments } from '../../language/messages.ts'
import { formatDays, formatMoment, formatPeriod, PERIODS, periodOf, today } from './periods.ts'

const day = (at: string) => new Date(at).toLocaleDateString(moments, { dateStyle: 'medium', timeZone: 'UTC' })
const moment = (at: string) =>
  new Date(at).toLocaleString(moments, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

const NONE = { from: '', until: '' }

describe('The time of a review', () => {
  it('is so many days until now, or whole months and quarters', () => {
    const of = (day: string) => PERIODS.map(({ value }) => periodOf(value, day, NONE))
    assert.deepEqual(of('2027-02-10'), [
      { from: '2027-02-03', title: `7 days to ${day('2027-02-10')}` },
      { from: '2027-01-11', title: `30 days to ${day('2027-02-10')}` },
      { from: '2026-11-12', title: `90 days to ${day('2027-02-10')}` },
      { from: '2027-02-01', title: 'February 2027 so far' },
      { from: '2027-01-01', title: 'Q1 2027 so far' },
      { from: '2027-01-01', to: '2027-02-01', title: 'January 2027' },
      { from: '2026-10-01', to: '2027-01-01', title: 'Q4 2026' },
      null,
    ])
    assert.deepEqual(periodOf('last_month', '2027-01-31', NONE), {
      from: '2026-12-01',
      to: '2027-01-01',
      title: 'December 2026',
    })
    assert.equal(periodOf('last_quarter', '2027-12-31', NONE)?.title, 'Q3 2027')
  })

  it('is of the days that somebody picks, both included, and until now where the last is today', () => {
    const of = (from: string, until: string) => periodOf('custom', '2027-02-10', { from, until })
    assert.deepEqual(of('2027-01-30', '2027-01-31'), {
      from: '2027-01-30',
      to: '2027-02-01',
      title: `${day('2027-01-30')} to ${day('2027-01-31')}`,
    })
    assert.deepEqual(of('2027-01-30', '2027-01-30'), { from: '2027-01-30', to: '2027-01-31', title: day('2027-01-30') })
    assert.deepEqual(of('2027-02-01', '2027-02-10'), {
      from: '2027-02-01',
      title: `${day('2027-02-01')} to ${day('2027-02-10')}`,
    })
    for (const [from, until] of [
      ['2027-02-02', '2027-02-01'],
      ['2027-02-11', '2027-02-12'],
      ['', '2027-02-01'],
      ['2027-02-01', ''],
      ['2027-13-01', '2027-13-02'],
    ] as const) {
      assert.equal(of(from, until), null)
    }
  })

  it('counts the days of the reader’s zone', () => {
    const at = new Date('2027-02-10T23:30:00Z')
    assert.deepEqual([today('UTC', at), today('Asia/Tokyo', at)], ['2027-02-10', '2027-02-11'])
  })
})

describe('A time in words', () => {
  it('names its last day, and hours only where it has no whole days', () => {
    const cases = [
      ['2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z', `${day('2027-01-01')} to ${day('2027-01-31')}`],
      ['2027-01-01T00:00:00Z', '2027-01-02T00:00:00Z', day('2027-01-01')],
      ['2027-01-01T00:00:00Z', '2027-01-20T15:30:00Z', `${day('2027-01-01')} to ${moment('2027-01-20T15:30Z')}`],
      [
        '2027-01-01T08:05:00Z',
        '2027-01-20T15:30:00Z',
        `${moment('2027-01-01T08:05Z')} to ${moment('2027-01-20T15:30Z')}`,
      ],
    ] as const
    for (const [from, to, label] of cases) assert.equal(formatPeriod(from, to, 'UTC'), label)
  })

  it('is days alone in a list, each part said once', () => {
    const cases = [
      ['2026-05-28T05:49:00Z', '2026-11-26T05:49:00Z', /^May 28 – Nov 26, 2026$/],
      ['2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z', /^Jan 1 – 31, 2027$/],
      ['2027-01-01T00:00:00Z', '2027-01-02T00:00:00Z', /^Jan 1, 2027$/],
    ] as const
    for (const [from, to, days] of cases) assert.match(formatDays(from, to, 'UTC').replaceAll('\u2009', ' '), days)
  })

  it('tells days of the reader’s zone, or of UTC where they are whole there alone', () => {
    const [from, to] = ['2026-12-31T15:00:00Z', '2027-01-31T15:00:00Z']
    assert.equal(formatPeriod(from, to, 'Asia/Tokyo'), `${day('2027-01-01')} to ${day('2027-01-31')}`)
    assert.equal(
      formatPeriod('2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z', 'Asia/Tokyo'),
      `${day('2027-01-01')} to ${day('2027-01-31')}`,
    )
    assert.equal(formatMoment(from, 'Asia/Tokyo'), day('2027-01-01'))
    assert.equal(formatMoment('2027-01-01T08:05:00Z', 'UTC'), moment('2027-01-01T08:05Z'))
  })
})
