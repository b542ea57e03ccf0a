import assert from 'node:assert/strict'
import { it } from 'node:test'
import { duration } from './duration.ts'

it('says a time in the unit that fits it', () => {
  const said = [
    0, 0.02, 0.44, 9.94, 9.96, 12.4, 999, 1000, 1349, 12_300, 59_900, 60_000, 250_000, 7_500_000, 86_400_000,
    270_000_000,
  ]
  assert.deepEqual(said.map(duration), [
    '0 ms',
    '< 0.1 ms',
    '0.4 ms',
    '9.9 ms',
    '10 ms',
    '12 ms',
    '999 ms',
    '1 s',
    '1.3 s',
    '12 s',
    '1 min',
    '1 min',
    '4 min 10 s',
    '2 h 5 min',
    '1 d',
    '3 d 3 h',
  ])
})

it('never says something negative, when two clocks disagree', () => {
  assert.equal(duration(-40), '0 ms')
})
