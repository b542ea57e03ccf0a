import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  advance,
  extendBy,
  moveBy,
  moveTo,
  NOTHING_SELECTED,
  type Selection,
  subjectsOf,
  toggle,
  within,
} from './selection.ts'

const IDS = ['a', 'b', 'c', 'd', 'e']
const at = (cursor: string | null): Selection => moveTo(NOTHING_SELECTED, cursor)
const chosen = (choice: Selection) => [...choice.chosen].sort().join('')

describe('Choosing in a list', () => {
  it('moves line by line and stops at the ends', () => {
    assert.equal(moveBy(at('a'), IDS, 1).cursor, 'b')
    assert.equal(moveBy(at('a'), IDS, -1).cursor, 'a')
    assert.equal(moveBy(at('e'), IDS, 1).cursor, 'e')
    assert.equal(moveBy(at(null), IDS, 1).cursor, 'a')
    assert.equal(moveBy(at('a'), [], 1).cursor, null)
  })

  it('chooses a range that grows and shrinks from where it began', () => {
    const two = extendBy(extendBy(at('b'), IDS, 1), IDS, 1)
    assert.deepEqual([chosen(two), two.cursor], ['bcd', 'd'])
    const up = [-1, -1, -1].reduce((choice, lines) => extendBy(choice, IDS, lines), two)
    assert.deepEqual([chosen(up), up.cursor], ['ab', 'a'])
  })

  it('decides on what is chosen, in the order of the list, or else on the line', () => {
    assert.deepEqual(subjectsOf(at('c'), IDS), ['c'])
    assert.deepEqual(subjectsOf(toggle(toggle(at('a'), 'd'), 'b'), IDS), ['b', 'd'])
    assert.deepEqual(subjectsOf(toggle(toggle(at('a'), 'd'), 'd'), IDS), ['d'])
    assert.deepEqual(subjectsOf(NOTHING_SELECTED, IDS), [])
  })

  it('goes on to the next line that stays, and at the end to the one before', () => {
    assert.equal(advance(at('b'), IDS, new Set(['b'])).cursor, 'c')
    assert.equal(advance(at('b'), IDS, new Set(['b', 'd'])).cursor, 'e')
    assert.equal(advance(at('e'), IDS, new Set(['d', 'e'])).cursor, 'c')
    assert.equal(advance(at('a'), ['a'], new Set(['a'])).cursor, null)
  })

  it('keeps its place when the list changes under it', () => {
    const choice = { ...at('c'), chosen: new Set(['c', 'd']) }
    assert.equal(within(choice, ['new', ...IDS], IDS), choice)
    const lost = within(choice, ['a', 'b', 'd', 'e'], IDS)
    assert.deepEqual([lost.cursor, chosen(lost)], ['d', 'd'])
    assert.equal(within(NOTHING_SELECTED, IDS, []).cursor, 'a')
    assert.equal(within(at('c'), [], IDS).cursor, null)
  })

  it('puts the cursor on no line that is offered in place of what was searched for', () => {
    assert.equal(within(NOTHING_SELECTED, IDS, [], true).cursor, null)
    assert.equal(within(at('found'), IDS, ['found'], true).cursor, null)
    assert.equal(within(at('b'), ['a', 'c'], ['a', 'b', 'c'], true).cursor, 'c')
  })
})
