import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createDecided, isAway } from './decided.ts'
import { itemsOf, type Page, refreshPage, replaceSignals, withoutSignals } from './use-inbox.ts'

/** Only what these functions look at. */
const page = (numbers: readonly number[], next: string | null, count = 0): Page =>
  ({
    data: {
      count,
      items: numbers.map(number => {
        // Two happened at each moment; what has the higher number came first.
        const at = new Date(Math.floor(number / 2)).toISOString()
        const received_at = number % 3 === 0 ? at : new Date(1000).toISOString()
        return { id: `id-${number}`, reference: `SIG-${number}`, version: 1, occurred_at: at, received_at }
      }),
    },
    meta: { next_cursor: next },
  }) as unknown as Page

const numbers = (pages: readonly Page[]) => itemsOf(pages).map(({ reference }) => Number(reference.slice(4)))

describe('The pages of a list that changes', () => {
  it('keeps what newer Signals push out of a page that is read anew', () => {
    const second = page([6, 5, 4], null)
    const after = refreshPage(page([9, 8, 7], 'below 7'), page([11, 10, 9], 'below 9'))
    assert.deepEqual(numbers([after, second]), [11, 10, 9, 8, 7, 6, 5, 4])
    assert.equal(after.meta.next_cursor, 'below 7')
  })

  it('keeps nothing of a list in place of which another one is offered', () => {
    const offered = page([9, 8, 7], 'below 7')
    const after = refreshPage(page([2], null), { ...offered, data: { ...offered.data, some_words: true } })
    assert.deepEqual(numbers([after]), [9, 8, 7])
  })

  it('drops what has left, and shows nothing twice that moved up', () => {
    const after = refreshPage(page([9, 8, 7], 'below 7'), page([9, 7, 6], 'below 6'))
    assert.deepEqual(numbers([after, page([6, 5, 4], null)]), [9, 7, 6, 5, 4])
    assert.deepEqual(numbers([refreshPage(page([9, 8], 'below 8'), page([9], null))]), [9])
  })

  it('takes decided ones out and counts them off, and shows what others have become', () => {
    const isSecond = ({ id }: { readonly id: string }) => id === 'id-2'
    const pages = withoutSignals([page([3, 2], 'x', 4), page([2, 1], null)], isSecond)
    assert.deepEqual([numbers(pages), pages[0]?.data.count], [[3, 1], 3])
    const changed = { ...pages[1]?.data.items[0], version: 2 } as never
    assert.deepEqual(
      itemsOf(replaceSignals(pages, [changed])).map(({ version }) => version),
      [1, 2],
    )
  })
})

describe('Signals that were decided away', () => {
  const made = (number: number, version: number) => ({ id: `id-${number}`, version })
  /** What the list shows of an answer, and how many it says that there are. */
  const shown = (decided: ReturnType<typeof createDecided>, ...answered: [number: number, version: number][]) => {
    const read = page(
      answered.map(([number]) => number),
      null,
      answered.length,
    )
    const versions = new Map(answered.map(([number, version]) => [`id-${number}`, version]))
    const items = read.data.items.map(item => ({ ...item, version: versions.get(item.id) ?? 0 }))
    const pages = withoutSignals([{ ...read, data: { ...read.data, items } }], item => isAway(decided.now(), item))
    return [numbers(pages), pages[0]?.data.count]
  }

  it('stay away from their keys on, in whatever order answers of the list and of the decisions come', () => {
    const decided = createDecided()
    decided.leave(['id-3'])
    decided.leave(['id-2'])
    assert.deepEqual(shown(decided, [3, 1], [2, 1], [1, 1]), [[1], 1], 'read before either was done')
    decided.settle(['id-2'], [made(2, 2)])
    assert.deepEqual(shown(decided, [3, 1], [1, 1]), [[1], 1], 'read after the second, answered before the first')
    decided.settle(['id-3'], [made(3, 5)])
    assert.deepEqual(shown(decided, [3, 4], [2, 1], [1, 1]), [[1], 1], 'read before both, and come after both')
  })

  it('are there again once they were put back, and at once when the service refused', () => {
    const decided = createDecided()
    decided.leave(['id-2', 'id-1'])
    decided.settle(['id-2'], [made(2, 2)])
    decided.comeBack(['id-1'])
    assert.deepEqual(shown(decided, [2, 1], [1, 1]), [[1], 1])
    assert.deepEqual(shown(decided, [2, 3], [1, 1]), [[2, 1], 2], 'an undo makes a version of its own')
    assert.deepEqual(shown(decided, [2, 2]), [[2], 1], 'a list that has it as the decision made it')
  })

  it('tell who shows them', () => {
    const decided = createDecided()
    let told = 0
    const stop = decided.watch(() => {
      told += 1
    })
    decided.leave(['id-1'])
    decided.settle(['id-1'], [])
    assert.deepEqual([told, [...decided.now()]], [2, []])
    stop()
    decided.leave(['id-1'])
    assert.equal(told, 2)
  })
})
