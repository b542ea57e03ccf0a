import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Route } from 'playwright-core'
import { eventually } from '../../../infra/runtime/testing.ts'
import { scrollToTheLast } from '../../../test/support/long-list.ts'
import type { Visit } from '../visit.ts'

const ALL = 10_000
/** Rows that may be drawn at once, and elements of the whole page: ten thousand must cost what a hundred do. */
const MAX_ROWS = 80
const MAX_ELEMENTS = 3000

const HUNDRED = 100
const TENTH = 10

interface Decided {
  readonly action: string
  readonly signals: readonly { readonly signal_id: string }[]
}

const signal = (number: number) => ({
  id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  reference: `SIG-${number}`,
  text: `Signal ${number}: the export of a large board times out before the file is there, and nobody knows why.`,
  text_truncation: null,
  state: 'triage',
  classification: 'problem',
  classification_confidence: 0.8,
  perhaps: null,
  metadata: {},
  node: null,
  claims: [{ id: crypto.randomUUID(), reference: 'CLM-1', title: 'Exports' }],
  occurrences: number % 3,
  channel: 'webhook',
  source: 'Support desk',
  source_url: null,
  event: null,
  actor_name: 'Ana',
  actor_role: 'user',
  signal_origin: 'customer',
  occurred_at: '2026-05-01T09:00:00.000Z',
  received_at: '2026-05-01T09:00:00.000Z',
  owner: null,
  version: 1,
  snooze: null,
  duplicate_of: null,
})

/** Answers as the service would for so many. `npm run bench -- app` has them in the store, and takes the time. */
const answer = async (route: Route, all: number): Promise<void> => {
  const { cursor, limit } = route.request().postDataJSON() as { cursor?: string; limit: number }
  const above = cursor === undefined ? all : Number(cursor)
  const items = Array.from({ length: Math.min(limit, above) }, (_, index) => signal(above - index))
  const left = above - items.length
  const meta = { timestamp: '', work_units: 1, workspace: '', next_cursor: left > 0 ? String(left) : null }
  const data = { count: all, count_is_partial: false, noise: 0, sources: [], items }
  await route.fulfill({ json: { data, meta } })
}

export const describeLongList = (visit: () => Visit): void => {
  describe('with ten thousand signals', () => {
    it('takes keys after one page was read, and draws only what fits', async () => {
      const { page, open } = visit()
      let read = 0
      await page.route('**/api/app/list_signals', route => {
        read += 1
        return answer(route, ALL)
      })
      await open('/app/triage')
      const current = page.locator('[role=option][data-current]')
      await current.filter({ hasText: `SIG-${ALL}` }).waitFor()
      await page.keyboard.press('j')
      await current.filter({ hasText: `SIG-${ALL - 1}` }).waitFor()
      assert.equal(read, 1)
      assert.ok((await page.getByRole('option').count()) < MAX_ROWS)
    })

    it('reads on while somebody scrolls to the last, and still draws only what fits', async () => {
      const { page } = visit()
      await scrollToTheLast(page, ALL)
      assert.ok((await page.getByRole('option').count()) < MAX_ROWS)
      assert.ok((await page.evaluate<number>("document.querySelectorAll('*').length")) < MAX_ELEMENTS)
    })

    it('goes on by keys where it was scrolled to, and decides there', async () => {
      const { page } = visit()
      await page.locator('[aria-posinset="10000"]').click()
      await page.keyboard.press('k')
      await page.locator('[role=option][data-current][aria-posinset="9999"]').waitFor()
      await page.keyboard.press('Home')
      await page.locator('[role=option][data-current][aria-posinset="1"]').waitFor()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
  })

  it('is worked through by keyboard alone: a hundred signals, every tenth dismissed with a reason', async () => {
    const { page, open } = visit()
    const decided: Decided[] = []
    await page.route('**/api/app/list_signals', route => answer(route, HUNDRED - decided.length))
    await page.route('**/api/app/triage_signals', async route => {
      decided.push(route.request().postDataJSON() as Decided)
      const decision = { id: crypto.randomUUID(), reference: `DEC-${decided.length}` }
      const meta = { timestamp: '', work_units: 1, workspace: '', next_cursor: null }
      await route.fulfill({ json: { data: { signals: [], decision, unchanged: null, started_claims: [] }, meta } })
    })
    await open('/app/triage')
    const current = page.locator('[role=option][data-current]')
    for (let left = HUNDRED; left > 0; left -= 1) {
      await current.filter({ hasText: new RegExp(`SIG-${left}\\D`) }).waitFor()
      if (left % TENTH !== 0) await page.keyboard.press('1')
      else {
        await page.keyboard.press('3')
        await page.getByText(`Why dismiss SIG-${left}?`).waitFor()
        await page.keyboard.press('1')
      }
    }
    await page.getByText('Nothing waits in Triage').waitFor()
    await eventually('all are decided', async () => decided.length === HUNDRED || null)
    assert.equal(decided.filter(({ action }) => action === 'dismiss').length, HUNDRED / TENTH)
    assert.equal(new Set(decided.map(({ signals }) => signals[0]?.signal_id)).size, HUNDRED)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
}
