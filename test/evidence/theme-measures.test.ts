import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adjustedRandIndex, firstGroups, themesFound } from './theme-measures.ts'

const message = (id: string, ...themes: readonly string[]) => ({ id, themes })
const near = (value: number, expected: number) =>
  assert.ok(Math.abs(value - expected) < 1e-9, `${value} instead of ${expected}`)

const LINES = [
  message('a1', 'apples'),
  message('a2', 'apples'),
  message('a3', 'apples'),
  message('b1', 'beans'),
  message('b2', 'beans'),
  message('n1'),
  message('n2'),
]

describe('the adjusted Rand index of groups and themes', () => {
  it('is 1 for the themes themselves, with noise left alone or named as a group of one', () => {
    const themes = [
      ['b2', 'b1'],
      ['a1', 'a2', 'a3'],
    ]
    near(adjustedRandIndex(LINES, themes), 1)
    near(adjustedRandIndex(LINES, [...themes, ['n1']]), 1)
  })

  it('is 0 where nothing is put together, and where all is', () => {
    near(adjustedRandIndex(LINES, []), 0)
    near(adjustedRandIndex(LINES, [LINES.map(({ id }) => id)]), 0)
  })

  it('is what the formula gives of the counts', () => {
    // Two themes of three, two groups with two of one and one of the other: 2 pairs agree, of 6, of 6 and of 15.
    const lines = ['a1', 'a2', 'a3'].map(id => message(id, 'a')).concat(['b1', 'b2', 'b3'].map(id => message(id, 'b')))
    const index = adjustedRandIndex(lines, [
      ['a1', 'a2', 'b3'],
      ['b1', 'b2', 'a3'],
    ])
    near(index, (2 - 36 / 15) / (6 - 36 / 15))
  })

  it('falls where noise is put together, and where it joins a theme', () => {
    const themes = [
      ['a1', 'a2', 'a3'],
      ['b1', 'b2'],
    ]
    assert.ok(adjustedRandIndex(LINES, [...themes, ['n1', 'n2']]) < 1)
    assert.ok(
      adjustedRandIndex(LINES, [
        ['a1', 'a2', 'a3', 'n1'],
        ['b1', 'b2'],
      ]) < 1,
    )
  })

  it('counts a message with two needs for the theme and the group that fit best', () => {
    const lines = [...LINES, message('both', 'apples', 'beans')]
    near(
      adjustedRandIndex(lines, [
        ['a1', 'a2', 'a3'],
        ['b1', 'b2', 'both'],
      ]),
      1,
    )
    near(
      adjustedRandIndex(lines, [
        ['a1', 'a2', 'a3', 'both'],
        ['b1', 'b2', 'both'],
      ]),
      1,
    )
    assert.ok(
      adjustedRandIndex(lines, [
        ['a1', 'a2', 'a3'],
        ['b1', 'b2'],
        ['both', 'n1'],
      ]) < 1,
    )
  })

  it('counts a message with one need for the first group that has it', () => {
    const first = adjustedRandIndex(LINES, [
      ['a1', 'a2', 'a3'],
      ['b1', 'b2', 'a3'],
    ])
    const second = adjustedRandIndex(LINES, [
      ['b1', 'b2', 'a3'],
      ['a1', 'a2', 'a3'],
    ])
    near(first, 1)
    assert.ok(second < 1)
  })
})

describe('the themes that are found', () => {
  it('are those of which most is in one group that is mostly theirs', () => {
    assert.deepEqual(themesFound(LINES, [['a1', 'a2', 'n1'], ['b1']]), new Set(['apples']))
    assert.deepEqual(themesFound(LINES, [['a1', 'a2', 'n1', 'n2']]), new Set())
    assert.deepEqual(themesFound(LINES, [['a1', 'a2', 'a3', 'b1', 'b2']]), new Set(['apples']))
    assert.deepEqual(themesFound(LINES, []), new Set())
  })

  it('have messages with two needs as members', () => {
    const lines = [message('a1', 'apples'), message('both', 'apples', 'beans')]
    assert.deepEqual(themesFound(lines, [['a1', 'both']]), new Set(['apples']))
    assert.deepEqual(themesFound(lines, [['both']]), new Set(['beans']))
  })
})

describe('the first groups', () => {
  it('say how much of them is noise, and how many are of what their group has most of', () => {
    const groups = [['a1', 'a2', 'b1', 'n1'], ['b2', 'n2'], ['a3']]
    const { noise, right } = firstGroups(LINES, groups, 2)
    assert.equal(noise.of, 6)
    near(noise.value, 2 / 6)
    near(right.value, 3 / 6)
  })

  it('have nothing right where a group is noise alone, and no figure where there is no group', () => {
    near(firstGroups(LINES, [['n1', 'n2']]).right.value, 0)
    near(firstGroups(LINES, [['n1', 'n2']]).noise.value, 1)
    assert.ok(Number.isNaN(firstGroups(LINES, []).right.value))
  })
})
