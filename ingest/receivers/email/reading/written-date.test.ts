import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseWrittenDate } from './written-date.ts'

const DATES: readonly (readonly [string, string | null])[] = [
  ['Tue, 4 Mar 2025 10:12:00 +0100', '2025-03-04T09:12:00Z'],
  ['Tue, 04 Mar 2025 10:12:00 -0530 (IST)', '2025-03-04T15:42:00Z'],
  ['4 Mar 2025 10:12 GMT', '2025-03-04T10:12:00Z'],
  ['Tue, Mar 4, 2025 at 12:12 AM', '2025-03-04T00:12:00Z'],
  ['Tuesday, March 4, 2025 12:12 PM', '2025-03-04T12:12:00Z'],
  ['Tuesday, March 4, 2025 at 10:12:00 AM GMT+1', '2025-03-04T09:12:00Z'],
  ['4 March 2025 at 10:12:33 CET', '2025-03-04T09:12:33Z'],
  ['Dienstag, 4. März 2025 10:12', '2025-03-04T10:12:00Z'],
  ['mardi 4 mars 2025 10:12', '2025-03-04T10:12:00Z'],
  ['martes, 4 de marzo de 2025 10:12', '2025-03-04T10:12:00Z'],
  ['вторник, 4 марта 2025 г. 10:12', '2025-03-04T10:12:00Z'],
  ['2025年3月4日 10:12', '2025-03-04T10:12:00Z'],
  ['04.03.2025 10:12', '2025-03-04T10:12:00Z'],
  ['2025-03-04T10:12:00Z', '2025-03-04T10:12:00Z'],
  ['3/4/2025 10:12 AM', null],
  ['31 Feb 2025 10:12', null],
  ['4 Nonsense 2025', null],
  ['4 Mar 2025 10:12 XYZ', null],
  ['', null],
]

for (const [written, expected] of DATES) {
  it(`${written || 'nothing'} is ${expected ?? 'not plain'}`, () => {
    assert.equal(parseWrittenDate(written), expected === null ? null : Date.parse(expected))
  })
}
