import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { clip, duration, happenedOf, percent, queryOf, relative } from './formats.ts'

test('a duration is told in the unit that fits it', () => {
  const said = [
    0, 0.02, 0.44, 9.94, 9.96, 12.4, 999, 1000, 1349, 12_300, 59_900, 60_000, 250_000, 7_500_000, 86_400_000,
    270_000_000,
  ]
  const told = said.map(each => duration(each).replaceAll('\u00a0', ' '))
  assert.deepEqual(told, [
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

test('no duration is negative, when two clocks disagree', () => {
  assert.equal(duration(-40), '0\u00a0ms')
})

test('no end of a line parts a number and its unit', () => {
  for (const said of [...[0.02, 12, 1349, 250_000, 270_000_000].map(duration), percent(0.934), percent(0.5, 2)])
    assert.doesNotMatch(said, /\d [a-z%]/)
})

test('a time is told in the greatest unit that fits it', () => {
  const now = new Date('2026-06-15T12:00:00Z')
  const cases = {
    '2026-06-15T11:59:01Z': 'just now',
    '2026-06-15T12:00:30Z': 'just now',
    '2026-06-15T11:58:59Z': '1 min. ago',
    '2026-06-15T09:00:00Z': '3 hr. ago',
    '2026-06-14T11:00:00Z': 'yesterday',
    '2026-06-17T12:00:00Z': 'in 2 days',
    '2026-06-22T11:59:58Z': 'in 7 days',
    '2026-06-01T12:00:00Z': '2 wk. ago',
    '2025-12-01T12:00:00Z': '6 mo. ago',
    '2020-06-15T12:00:00Z': '5 yr. ago',
  }
  for (const [at, said] of Object.entries(cases)) assert.equal(relative(new Date(at), now), said, at)
})

const at = (text: string) => new Date(text)

test('what was imported happened when its sender says, and came in later', () => {
  const received = '2026-05-01T12:00:00.000Z'
  assert.deepEqual(happenedOf('2024-03-09T08:00:00Z', received), {
    happened: at('2024-03-09T08:00:00Z'),
    cameIn: at(received),
  })
})

test('what came in at once, or of which nobody knows when, has one time', () => {
  const happened = '2026-05-01T11:30:00.000Z'
  for (const received of ['2026-05-01T12:00:00.000Z', undefined])
    assert.deepEqual(happenedOf(happened, received), { happened: at(happened), cameIn: null })
})

test('nothing happens after it came in', () => {
  const received = '2026-05-01T12:00:00.000Z'
  assert.deepEqual(happenedOf('2030-01-01T00:00:00Z', received), { happened: at(received), cameIn: null })
})

test('a short text stays as it is, a long one ends in three dots', () => {
  assert.equal(clip('abc', 3), 'abc')
  assert.equal(clip('abcd', 3), 'abc…')
  assert.equal(clip('', 3), '')
})

test('no character is cut in half', () => {
  assert.equal(clip('ab😀d', 3), 'ab…')
  assert.equal(clip('ab😀d', 4), 'ab😀…')
})

test('what a search is asked is never longer than it takes, nor ends in half of a character', () => {
  const most = MAX_CHARACTERS.query
  assert.equal(queryOf('  an export '), 'an export')
  assert.equal(queryOf('x'.repeat(most + 200)), 'x'.repeat(most))
  assert.equal(queryOf(`${'x'.repeat(most - 1)}😀`), 'x'.repeat(most - 1))
})
