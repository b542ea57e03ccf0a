import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { itemsOf, type Page, refreshPage, removeSignals, replaceSignals } from './use-inbox.ts'

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

  it('drops what has left, and shows nothing twice that moved up', () => {
    const after = refreshPage(page([9, 8, 7], 'below 7'), page([9, 7, 6], 'below 6'))
    assert.deepEqual(numbers([after, page([6, 5, 4], null)]), [9, 7, 6, 5, 4])
    assert.deepEqual(numbers([refreshPage(page([9, 8], 'below 8'), page([9], null))]), [9])
  })

  it('takes decided ones out and counts them off, and shows what others have become', () => {
    const pages = removeSignals([page([3, 2], 'x', 4), page([1], null)], new Set(['id-2']))
    assert.deepEqual([numbers(pages), pages[0]?.data.count], [[3, 1], 3])
    const changed = { ...pages[1]?.data.items[0], version: 2 } as never
    assert.deepEqual(
      itemsOf(replaceSignals(pages, [changed])).map(({ version }) => version),
      [1, 2],
    )
  })
})
