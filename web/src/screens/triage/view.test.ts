import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { filtersOf, MAX_VIEWS, readViews, storeViews, TABS, tabOf, VIEW, withoutView, withView } from './view.ts'

const storage = (stored: string | null = null) => {
  const kept = { value: stored }
  return {
    getItem: () => kept.value,
    setItem: (_name: string, value: string) => {
      kept.value = value
    },
  }
}

describe('Saved views', () => {
  it('are kept by name, and one takes the place of another of its name', () => {
    const store = storage()
    storeViews(store, withView(readViews(store), { name: 'Questions', search: '?classification=question' }))
    storeViews(store, withView(readViews(store), { name: 'Mail', search: '?channel=email' }))
    storeViews(store, withView(readViews(store), { name: 'Mail', search: '?channel=email&claim=without' }))
    assert.deepEqual(readViews(store), [
      { name: 'Mail', search: '?channel=email&claim=without' },
      { name: 'Questions', search: '?classification=question' },
    ])
    assert.deepEqual(
      withoutView(readViews(store), 'Mail').map(({ name }) => name),
      ['Questions'],
    )
  })

  it('are none where something else is stored, and never too many', () => {
    for (const stored of [null, '{', '{}', '[1, null, {"name": 1}]']) assert.deepEqual(readViews(storage(stored)), [])
    const many = Array.from({ length: MAX_VIEWS + 5 }, (_, at) => ({ name: `View ${at}`, search: '' }))
    assert.equal(readViews(storage(JSON.stringify(many))).length, MAX_VIEWS)
  })
})

describe('The tabs of Triage', () => {
  it('are each a view that leads back to it, whichever tab one comes from', () => {
    for (const from of TABS)
      for (const { value, view } of TABS) assert.equal(tabOf({ ...VIEW, ...from.view, ...view }), value)
    assert.deepEqual(filtersOf({ ...VIEW, ...TABS[4].view }), { state: 'triage', perhaps: 'noise' })
  })
})
