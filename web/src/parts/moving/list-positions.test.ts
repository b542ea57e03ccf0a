import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { arranged, indexAt, inPresent, lineAt, listPositionOf, type Move, positionAfterKey } from './list-positions.ts'

/** `ab|c|` is two lists with something and an empty one, named 0, 1 and 2. */
const listsOf = (written: string) =>
  written.split('|').map((items, position) => ({ id: String(position), items: [...items] }))

const moved = (written: string, id: string, list: string, position: number): Move => {
  const from = listPositionOf(listsOf(written), id)
  assert.ok(from)
  return { id, from, to: { list, position } }
}

const written = (lists: readonly { readonly items: readonly string[] }[]) =>
  lists.map(({ items }) => items.join('')).join('|')

describe('arranged', () => {
  it('shows the order as it is to be, in one list or between two', () => {
    const cases = [
      ['abcd', 'a', '0', 2, 'bcad'],
      ['abcd', 'd', '0', 1, 'adbc'],
      ['ab|c|', 'a', '1', 0, 'b|ac|'],
      ['ab|c|', 'b', '2', 0, 'a|c|b'],
    ] as const
    for (const [before, id, list, position, after] of cases) {
      assert.equal(written(arranged(listsOf(before), moved(before, id, list, position))), after)
    }
  })
})

describe('inPresent', () => {
  const present = (before: string, move: Move, now: string) => {
    const found = inPresent(move, listsOf(before), listsOf(now))
    return found && [found.from, found.to].map(({ list, position }) => `${list}:${position}`).join(' ')
  }

  it('is about the same item, behind the one that it was to follow, whatever order others made meanwhile', () => {
    assert.equal(present('abcde', moved('abcde', 'd', '0', 1), 'eabcd'), '0:4 0:2')
    assert.equal(present('abc|d|', moved('abc|d|', 'a', '1', 1), 'bac|ed|'), '0:1 1:2')
    assert.equal(present('abcd', moved('abcd', 'a', '0', 2), 'bda'), '0:2 0:1')
    assert.equal(present('abcd', moved('abcd', 'd', '0', 0), 'cbad'), '0:3 0:0')
  })

  it('stays where the item is until it is moved', () =>
    assert.equal(present('abcd', moved('abcd', 'd', '0', 3), 'dabc'), '0:0 0:0'))

  it('is nothing where somebody took the item away', () => {
    assert.equal(present('ab|c|', moved('ab|c|', 'a', '2', 0), 'b|ac|'), null)
    assert.equal(present('ab|c|', moved('ab|c|', 'a', '2', 0), 'b|c|'), null)
  })
})

describe('lineAt', () => {
  const lines = (before: string, move: Move) =>
    listsOf(before).map(list => list.items.map((_, position) => lineAt(move, list, position)?.[0] ?? '-').join(''))

  it('is drawn where it will stand', () => {
    assert.deepEqual(lines('abcd', moved('abcd', 'a', '0', 2)), ['---a'])
    assert.deepEqual(lines('abcd', moved('abcd', 'd', '0', 1)), ['-a--'])
    assert.deepEqual(lines('abcd', moved('abcd', 'b', '0', 3)), ['---b'])
    assert.deepEqual(lines('ab|cd', moved('ab|cd', 'a', '1', 1)), ['--', '-a'])
    assert.deepEqual(lines('ab|cd', moved('ab|cd', 'a', '1', 2)), ['--', '-b'])
  })

  it('is not drawn where nothing would move', () => {
    assert.deepEqual(lines('abc', moved('abc', 'b', '0', 1)), ['---'])
  })
})

it('finds the place at a height among the others', () => {
  assert.deepEqual(
    [0, 20, 40, 60].map(height => indexAt([10, 50], height)),
    [0, 1, 1, 2],
  )
})

describe('spotAfter', () => {
  const after = (key: string, from: Move, stacked = false) => {
    const spot = positionAfterKey(key, listsOf('abc|d|'), from, stacked)
    return spot && `${spot.list}:${spot.position}`
  }
  const at = (list: string, position: number) => moved('abc|d|', 'b', list, position)

  it('moves up and down as far as the list goes', () => {
    assert.deepEqual([after('ArrowUp', at('0', 1)), after('ArrowUp', at('0', 0))], ['0:0', '0:0'])
    assert.deepEqual([after('ArrowDown', at('0', 1)), after('ArrowDown', at('0', 2))], ['0:2', '0:2'])
    assert.deepEqual([after('Home', at('0', 2)), after('End', at('0', 0))], ['0:0', '0:2'])
  })

  it('moves to the lists beside it, as near to its height as they reach', () => {
    assert.deepEqual([after('ArrowRight', at('0', 2)), after('ArrowRight', at('1', 1))], ['1:1', '2:0'])
    assert.deepEqual([after('ArrowRight', at('2', 0)), after('ArrowLeft', at('0', 1))], ['2:0', '0:1'])
  })

  it('goes on in the list below or above where lists are stacked', () => {
    assert.deepEqual([after('ArrowDown', at('0', 2), true), after('ArrowUp', at('1', 0), true)], ['1:0', '0:2'])
    assert.deepEqual([after('ArrowDown', at('2', 0), true), after('ArrowUp', at('0', 0), true)], ['2:0', '0:0'])
  })

  it('leaves other keys alone', () => assert.equal(after('x', at('0', 1)), null))
})
