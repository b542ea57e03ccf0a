import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moved, planDrop } from './plan-drop.ts'

const board = (...ranks: readonly (number | null)[]) =>
  ranks.map((manual_rank, position) => ({ id: String.fromCharCode(97 + position), manual_rank }))

const planned = (items: ReturnType<typeof board>, from: number, to: number) => {
  const drop = planDrop(items, from, to)
  return drop && [drop.ranked.map(({ id }) => id).join(''), drop.manual_rank]
}

describe('planDrop', () => {
  it('ranks the first on the board 1', () => {
    assert.deepEqual(planned(board(null, null, null), 2, 0), ['c', 1])
    assert.deepEqual(planned(board(1, 2, null), 2, 0), ['c', 1])
    assert.deepEqual(planned(board(4, 7), 1, 0), ['b', 1])
  })

  it('ranks among those with a rank behind the one above it', () => {
    assert.deepEqual(planned(board(2, 5, null), 2, 1), ['c', 3])
    assert.deepEqual(planned(board(1, 2, 3), 0, 2), ['a', 4])
    assert.deepEqual(planned(board(1, 2, null), 2, 2), null)
  })

  it('takes those above it along when it is to stand among those without a rank', () => {
    assert.deepEqual(planned(board(null, null, null), 2, 1), ['ac', 1])
    assert.deepEqual(planned(board(1, null, null, null), 3, 2), ['bd', 2])
    assert.deepEqual(planned(board(1, 2, null, null), 0, 2), ['ca', 3])
  })

  it('plans nothing where nothing moves', () => {
    assert.equal(planned(board(1, 2), 1, 1), null)
    assert.equal(planned(board(), 0, 1), null)
  })
})

it('shows the order as it is to be', () => {
  assert.deepEqual(moved(['a', 'b', 'c', 'd'], 0, 2), ['b', 'c', 'a', 'd'])
  assert.deepEqual(moved(['a', 'b', 'c', 'd'], 3, 1), ['a', 'd', 'b', 'c'])
  assert.deepEqual(moved(['a', 'b'], 1, 1), ['a', 'b'])
})
