import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guessDates, readDate } from './dates.ts'

describe('A date as spreadsheets write it', () => {
  it('is read where it says its order by itself, with or without a time', () => {
    for (const [written, read] of [
      ['2025-06-17', '2025-06-17'],
      [' 2025-06-17T14:30:00Z ', '2025-06-17T14:30:00Z'],
      ['1750170600', '1750170600'],
      ['2025/6/7', '2025-06-07'],
      ['2025-06-17 14:30:05 UTC', '2025-06-17T14:30:05Z'],
      ['2025-06-17 14:30:05 +0200', '2025-06-17T14:30:05+02:00'],
      ['17 Jun 2025', '2025-06-17'],
      ['17-Jun-25', '2025-06-17'],
      ['17. Juni 2025', '2025-06-17'],
      ['3. März 2025 um 9:05 Uhr', '2025-03-03T09:05:00Z'],
      ['Dez 31, 2025', '2025-12-31'],
      ['June 3rd, 2025 at 12:05 am', '2025-06-03T00:05:00Z'],
      ['Jun 17, 2025, 2:30\u202fPM', '2025-06-17T14:30:00Z'],
      ['Tue, 17 Jun 2025 14:30:00 +0200', '2025-06-17T14:30:00+02:00'],
      ['Tue Jun 17 2025 14:30:00 GMT+0200 (Central European Summer Time)', '2025-06-17T14:30:00+02:00'],
      ['31/12/2025', '2025-12-31'],
      ['12/31/25 11:59 PM', '2025-12-31T23:59:00Z'],
      ['5/5/2025', '2025-05-05'],
    ] as const) {
      assert.equal(readDate(written, undefined), read, written)
    }
  })

  it('is read in the order that was chosen, and in no other', () => {
    assert.equal(readDate('3/4/2026', undefined), null)
    assert.equal(readDate('3/4/2026', 'day_first'), '2026-04-03')
    assert.equal(readDate('3/4/2026 8:00', 'month_first'), '2026-03-04T08:00:00Z')
    assert.equal(readDate('17.06.2025', 'day_first'), '2025-06-17')
    assert.equal(readDate('31/12/2025', 'month_first'), null)
  })

  it('is none where no calendar has it, or it is other words', () => {
    const none = ['the day before', '31.02.2025', '2025-13-01', 'Mumble 3, 2025', '25:00', '3/4/2026 25:00', '13 Jun']
    for (const text of [...none, `3/4/2026${' '.repeat(50)}${'x'.repeat(50_000)}`]) {
      assert.equal(readDate(text, 'day_first'), null, text)
    }
  })
})

describe('The order of a column of dates', () => {
  it('is the one that fits all of them, shown by one that tells', () => {
    assert.deepEqual(guessDates(['1/2/2025', '31/12/2025', '']), { orders: ['day_first'], example: '31/12/2025' })
    assert.deepEqual(guessDates(['1/2/2025', '12/31/2025 4:05 PM']), {
      orders: ['month_first'],
      example: '12/31/2025 4:05 PM',
    })
    assert.deepEqual(guessDates(['17.06.2025', '01.02.2025']), { orders: ['day_first'], example: '17.06.2025' })
  })

  it('is the one that fits most, whatever a few lines say', () => {
    assert.deepEqual(guessDates(['31/12/2025', '30/12/2025', '12/31/2025', 'soon'])?.orders, ['day_first'])
  })

  it('is for a person to choose where both fit, the usual one first', () => {
    assert.deepEqual(guessDates(['1/2/2025']), { orders: ['month_first', 'day_first'], example: '1/2/2025' })
    assert.deepEqual(guessDates(['1.2.2025'])?.orders, ['day_first', 'month_first'])
  })

  it('is none where each says it by itself', () => {
    assert.equal(guessDates(['2025-06-17', 'Jun 17, 2025', 'soon', '1750170600']), null)
  })
})
