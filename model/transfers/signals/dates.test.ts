import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guessDates, mayHaveOrder, readDate } from './dates.ts'

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
      ['3.4.2026', '2026-04-03'],
      ['12/31/25 11:59 PM', '2025-12-31T23:59:00Z'],
      ['5/5/2025', '2025-05-05'],
      ['30/Sep/21 17:20', '2021-09-30T17:20:00Z'],
      ['12/Mar/24 9:41 AM', '2024-03-12T09:41:00Z'],
      ['30/Set/21 5:20 PM', '2021-09-30T17:20:00Z'],
      ['3 de mayo de 2025 9:41 p. m.', '2025-05-03T21:41:00Z'],
      ['17 juin 2025', '2025-06-17'],
      ['17 juil. 2025', '2025-07-17'],
      ['2024/03/12 9:41:23 AM GMT+1', '2024-03-12T09:41:23+01:00'],
      ['2024/03/12 5:41:23 오후 GMT+9', '2024-03-12T17:41:23+09:00'],
      ['2024. 3. 12 오전 9:41:23', '2024-03-12T09:41:23Z'],
      ['3/14/2024 9:41am', '2024-03-14T09:41:00Z'],
      ['14 Mar 2024 09:41:00 PST', '2024-03-14T09:41:00-08:00'],
      ['2022/06/22 11:07:29 AM AST', '2022-06-22T11:07:29-04:00'],
      ['17.06.2025 14:30:05 MESZ', '2025-06-17T14:30:05+02:00'],
      ['21.Jun.25 16:14', '2025-06-21T16:14:00Z'],
      ['28/maj/21 17:20', '2021-05-28T17:20:00Z'],
      ['28 sty 2021, 17:20', '2021-01-28T17:20:00Z'],
      ['28 февр. 2021 г., 17:20', '2021-02-28T17:20:00Z'],
      ['28 января 2021 г. в 17:20', '2021-01-28T17:20:00Z'],
      ['28 de enero de 2021 a las 17:20', '2021-01-28T17:20:00Z'],
      ['28 février 2021 à 17 h 20', '2021-02-28T17:20:00Z'],
      ['2021. február 28. 17:20', '2021-02-28T17:20:00Z'],
      ['28.12.2021 klo 17.20', '2021-12-28T17:20:00Z'],
      ['28 Şubat 2021 17:20', '2021-02-28T17:20:00Z'],
      ['28/2月/21 17:20', '2021-02-28T17:20:00Z'],
      ['2021年2月28日 17:20', '2021-02-28T17:20:00Z'],
      ['2021년 2월 28일 오후 5:20', '2021-02-28T17:20:00Z'],
      ['Wed Oct 02 10:15:50 +0300 2013', '2013-10-02T10:15:50+03:00'],
      ['Wed Oct  2 10:15:50 2013', '2013-10-02T10:15:50Z'],
    ] as const) {
      assert.equal(readDate(written, undefined), read, written)
    }
  })

  it('is read in the order that was chosen, and in no other', () => {
    assert.equal(readDate('3/4/2026', undefined), null)
    assert.equal(readDate('3/4/2026', 'day_first'), '2026-04-03')
    assert.equal(readDate('3/4/2026 8:00', 'month_first'), '2026-03-04T08:00:00Z')
    assert.equal(readDate('3-4-2026', 'month_first'), '2026-03-04')
    assert.equal(readDate('31/12/2025', 'month_first'), null)
  })

  it('is none where languages mean two months by one name', () => {
    // November in Polish and Czech, October in Croatian.
    for (const written of ['28 lis 2021', '28. listopada 2021.']) assert.equal(readDate(written, 'day_first'), null)
  })

  it('is none where no calendar has it, or it is other words', () => {
    const none = [
      'the day before',
      '31.02.2025',
      '12.31.2025',
      '2025-13-01',
      'Mumble 3, 2025',
      '25:00',
      '3/4/2026 25:00',
      '13 Jun',
    ]
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
    assert.deepEqual(guessDates(['17-06-2025', '01-02-2025']), { orders: ['day_first'], example: '17-06-2025' })
    // Between dots the day comes first, whatever the order of the others is.
    assert.deepEqual(guessDates(['31.01.2025', '1.2.2025', '12/31/2025']), {
      orders: ['month_first'],
      example: '12/31/2025',
    })
    assert.equal(readDate('1.2.2025', 'month_first'), '2025-02-01')
  })

  it('is the one that fits most, whatever a few lines say', () => {
    assert.deepEqual(guessDates(['31/12/2025', '30/12/2025', '12/31/2025', 'soon'])?.orders, ['day_first'])
  })

  it('is for a person to choose where both fit, the usual one first', () => {
    assert.deepEqual(guessDates(['1/2/2025']), { orders: ['month_first', 'day_first'], example: '1/2/2025' })
    assert.deepEqual(guessDates(['1-2-2025'])?.orders, ['day_first', 'month_first'])
  })

  it('may be one that was chosen for an earlier file, unless all that tell one tell the other', () => {
    const mixed = ['31/12/2025', '12/31/2025', '12/30/2025', '1/2/2025']
    assert.deepEqual(guessDates(mixed)?.orders, ['month_first'])
    for (const [values, order, may] of [
      [mixed, 'day_first', true],
      [['1/2/2025', 'soon'], 'day_first', true],
      [['12/31/2025', '1/2/2025'], 'day_first', false],
    ] as const)
      assert.equal(mayHaveOrder(values, order), may, values.join())
  })

  it('is none where each says it by itself', () => {
    assert.equal(guessDates(['2025-06-17', 'Jun 17, 2025', 'soon', '1750170600']), null)
  })
})
