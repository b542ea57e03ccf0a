import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { describeEveryState } from '../every-state.ts'
import { comesToBe, comesWithin, type Visit } from '../visit.ts'

const PATH = '/app/board?view=columns'

/**
 * What a finger makes, in the page: it moves at once, which scrolls; then it rests on the card, and moves sidewards. A
 * browser that is driven has no finger, and lets none be captured that was made.
 */
const touching = ({ x, y }: { readonly x: number; readonly y: number }, beside: number): string => `{
  const card = document.elementFromPoint(${x}, ${y})
  const touch = (type, clientX, clientY) =>
    card.dispatchEvent(
      new PointerEvent(type, { pointerType: 'touch', pointerId: 1, isPrimary: true, bubbles: true, clientX, clientY }),
    )
  const capture = Element.prototype.setPointerCapture
  Element.prototype.setPointerCapture = () => {}
  touch('pointerdown', ${x}, ${y})
  touch('pointermove', ${x}, ${y + 40})
  touch('pointerup', ${x}, ${y + 40})
  touch('pointerdown', ${x}, ${y})
  setTimeout(() => touch('pointermove', ${beside}, ${y}), 600)
  setTimeout(() => {
    touch('pointerup', ${beside}, ${y})
    Element.prototype.setPointerCapture = capture
  }, 900)
}`

/**
 * The board by state: moved by mouse, keyboard and finger, with a reason where the workspace wants one, undone; SOL-2
 * to SOL-5 wait in the Backlog.
 */
export const describeColumns = (visit: () => Visit): void => {
  const column = (state: string) => visit().page.getByRole('list', { name: new RegExp(`^${state}`) })
  const card = (reference: string) => visit().page.locator('[data-movable]').filter({ hasText: reference })
  const isIn = (state: string, reference: string) =>
    column(state).locator('li').filter({ hasText: reference }).waitFor()
  /** By its key: the button goes after ten seconds. */
  const undo = () => visit().page.keyboard.press('z')
  /** A move is on its way until every column was read anew. */
  const settled = () => comesToBe(() => visit().page.locator('[data-lifted]').count(), 0)
  const openColumns = async () => {
    await visit().open(PATH)
    await card('SOL-2').waitFor()
  }
  const boxOf = async (what: ReturnType<typeof card>) => {
    const box = await what.boundingBox()
    assert.ok(box)
    return box
  }
  const middleOf = async (what: ReturnType<typeof card>) => {
    const { x, y, width, height } = await boxOf(what)
    return { x: x + width / 2, y: y + height / 2 }
  }
  /** From the middle of a card to a column, with the mouse. */
  const drag = async (reference: string, state: string) => {
    const { page } = visit()
    const from = await middleOf(card(reference))
    const to = await middleOf(column(state))
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x, from.y + 20, { steps: 5 })
    await page
      .getByRole('status')
      .filter({ hasText: `${reference}: ${state}.` })
      .waitFor({ state: 'attached' })
  }

  describe('Columns', () => {
    it('are a view of the board that its address keeps, each with how many it has, and the Decision behind each card', async () => {
      const { page, open, checkAccess } = visit()
      await open('/app/board')
      await page.getByText('Columns', { exact: true }).click()
      await page.waitForURL('**view=columns')
      await page.getByRole('heading', { name: 'Backlog 4' }).waitFor()
      await page.getByRole('heading', { name: 'Dropped 1' }).waitFor()
      await card('SOL-2').getByText('Agreed in the planning of this quarter').waitFor()
      await card('SOL-2').getByRole('link', { name: /DEC-/ }).waitFor()
      await checkAccess()
    })

    it('take a whole card by mouse at once, without a reason, and give it back by Undo', async () => {
      const { page, screenshot } = visit()
      await card('SOL-2').waitFor()
      await drag('SOL-2', 'Planned')
      // Neither the handoff nor the end is open to what waits in the Backlog.
      const closed = page.locator('[data-closed]').filter({ hasText: 'Not from Backlog' })
      assert.equal(await closed.count(), 3)
      for (const each of await closed.all()) {
        const reason = await boxOf(each.getByText('Not from Backlog'))
        assert.ok(reason.y + reason.height <= (await boxOf(each.locator('ol'))).y, 'the reason covers no card')
      }
      // A copy of the card is where the pointer is, for whoever wants less motion too; the card is where it was.
      const [own, preview] = [await boxOf(card('SOL-2')), await boxOf(page.locator('[data-drag-preview]'))]
      const { x } = await middleOf(column('Planned'))
      assert.equal(await page.locator('[data-drag-preview]').textContent(), await card('SOL-2').textContent())
      assert.ok(Math.abs(preview.x + preview.width / 2 - x) < 2 && Math.abs(preview.y - own.y - 20) < 2)
      assert.deepEqual([preview.width, preview.height], [own.width, own.height])
      await screenshot('board-columns-dragging')
      await page.mouse.up()
      assert.equal(await page.locator('[data-drag-preview]').count(), 0)
      await page.getByText('SOL-2 is Planned.').waitFor()
      await isIn('Planned', 'SOL-2')
      await card('SOL-2').getByText('Move SOL-2 to Planned.').waitFor()
      await page.getByRole('heading', { name: 'Planned 1' }).waitFor()
      await undo()
      await isIn('Backlog', 'SOL-2')
      await card('SOL-2').getByText('Agreed in the planning of this quarter').waitFor()
    })

    it('leave a card where it was that is let go over a column which it may not come to', async () => {
      const { page, person } = visit()
      await settled()
      await drag('SOL-3', 'Planned')
      for (const state of ['In Progress', 'Done']) {
        const { x, y } = await middleOf(column(state))
        await page.mouse.move(x, y, { steps: 5 })
        await page.getByRole('status').filter({ hasText: 'SOL-3: Backlog.' }).waitFor({ state: 'attached' })
      }
      await page.mouse.up()
      await settled()
      await isIn('Backlog', 'SOL-3')
      const { state } = await person.call<{ state: string }>('lookup_solution', { id: 'SOL-3' })
      assert.equal(state, 'Backlog')
    })

    it('store a move once, however often it is sent', async () => {
      const { page, person, hold } = visit()
      const release = await hold('update_solution')
      await drag('SOL-3', 'Planned')
      await page.mouse.up()
      await isIn('Planned', 'SOL-3')
      await card('SOL-3').getByRole('button', { name: 'Change SOL-3' }).click()
      await page.getByRole('menuitem', { name: 'Move to Planned' }).click()
      await release()
      await page.getByText('SOL-3 is Planned.').waitFor()
      await card('SOL-3').getByText('Move SOL-3 to Planned.').waitFor()
      const { items } = await person.call<{ items: { text: string }[] }>('lookup_decision', { limit: 100 })
      assert.equal(items.filter(({ text }) => text === 'Move SOL-3 to Planned.').length, 1)
      await settled()
    })

    it('move a second card while the first is on its way, and take back both', async () => {
      const { page, person, hold } = visit()
      const release = await hold('update_solution')
      for (const reference of ['SOL-4', 'SOL-2']) {
        await drag(reference, 'Planned')
        await page.mouse.up()
        await isIn('Planned', reference)
      }
      await release()
      await settled()
      type Board = { readonly items: readonly { readonly reference: string }[] }
      const { items } = await person.call<Board>('list_board', { state: 'Planned' })
      const planned = items.map(({ reference }) => reference)
      assert.deepEqual(planned.toSorted(), ['SOL-2', 'SOL-3', 'SOL-4'])
      for (const reference of ['SOL-2', 'SOL-4']) {
        await undo()
        await isIn('Backlog', reference)
      }
    })

    it('are worked by keyboard alone: lifted, moved, left alone by Escape, put down, taken back', async () => {
      const { page } = visit()
      await card('SOL-3').getByRole('link', { name: 'Index' }).focus()
      await page.keyboard.press('r')
      for (const key of ['Space', 'ArrowRight', 'Escape', 'Space', 'ArrowRight']) await page.keyboard.press(key)
      await page.getByRole('status').filter({ hasText: 'SOL-3: In Progress.' }).waitFor({ state: 'attached' })
      await page.keyboard.press('Space')
      await page.getByText('SOL-3 is In Progress.').waitFor()
      await isIn('In Progress', 'SOL-3')
      await settled()
      await page.locator('[data-movable]:focus-within').filter({ hasText: 'SOL-3' }).waitFor()
      await page.keyboard.press('s')
      await page.getByRole('menuitem', { name: 'Move to Planned' }).click()
      await isIn('Planned', 'SOL-3')
      // What the test before did was said in the same words, and may still be there.
      await page.getByText('SOL-3 is Planned.').first().waitFor()
      await settled()
    })

    it('are dragged with a finger that rests, and scrolled with one that does not', async () => {
      const { page } = visit()
      await eventually('it is moved', async () => {
        const from = await middleOf(card('SOL-4'))
        const to = await middleOf(column('Planned'))
        await page.evaluate(touching(from, to.x))
        return comesWithin(column('Planned').locator('li').filter({ hasText: 'SOL-4' }), 5000)
      })
      await undo()
      await isIn('Backlog', 'SOL-4')
    })

    it('ask for the address of a handoff, and for a reason where the workspace wants one', async () => {
      const { page, person } = visit()
      await drag('SOL-3', 'In Review')
      await page.mouse.up()
      await page.getByRole('dialog', { name: 'Hand SOL-3 off' }).waitFor()
      await page.keyboard.press('Escape')
      await person.call('set_workspace_rules', { asks_reasons: true })
      await openColumns()
      await drag('SOL-2', 'Planned')
      await page.mouse.up()
      const dialog = page.getByRole('dialog', { name: 'Move SOL-2 from Backlog to Planned' })
      await dialog.getByLabel('Decision', { exact: true }).fill('Two customers wait for it.')
      await page.keyboard.press('Control+Enter')
      await dialog.waitFor({ state: 'detached' })
      await card('SOL-2').getByText('Two customers wait for it.').waitFor()
      await person.call('set_workspace_rules', { asks_reasons: false })
      await person.call('update_solution', { solution_id: 'SOL-2', state: 'Backlog', comment: 'Not yet.' })
      await isIn('Backlog', 'SOL-2')
    })

    it('put a card back that the service refuses to move', async () => {
      const { page, person, expectStatus } = visit()
      await openColumns()
      const read = await visit().hold('list_board')
      await person.call('update_solution', {
        solution_id: 'SOL-4',
        title: 'Tax rates of each country',
        comment: 'Wider.',
      })
      expectStatus(409)
      await drag('SOL-4', 'Planned')
      await page.mouse.up()
      await page.getByText('That did not work').waitFor()
      await read()
      await isIn('Backlog', 'Tax rates of each country')
      await person.call('update_solution', {
        solution_id: 'SOL-4',
        title: 'Tax rates by country',
        comment: 'As before.',
      })
    })

    it('show a viewer nothing that moves', async () => {
      const { page } = visit()
      await visit().asViewer(async () => {
        await openColumns()
        assert.equal(await page.getByRole('button', { name: /^(Move|Change) SOL/ }).count(), 0)
      })
    })

    describeEveryState(visit, { screen: 'board-columns', path: PATH, reads: 'list_board', shows: 'Tax rates' })
  })
}
