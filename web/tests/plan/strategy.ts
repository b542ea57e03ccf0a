import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeEveryState } from '../every-state.ts'
import { comesToBe, type Visit } from '../visit.ts'
import { actsOf } from './acts.ts'
import { arrangeStrategy, HOSTILE } from './arrange.ts'

const PATH = '/app/strategy'
const [HALVE, ANSWER, FILES] = ['Halve what customers lose to exports', 'Answer within the day', 'Files of any size']

/** What should come at once comes late, as where the page has much to do: a dialog gets its focus so. */
const LATE_TIMERS = `{
  const later = setTimeout
  setTimeout = (run, ms = 0, ...rest) => later(run, ms === 0 ? 500 : ms, ...rest)
  addEventListener('timers-in-time', () => (setTimeout = later), { once: true })
}`
const TIMERS_IN_TIME = `dispatchEvent(new Event('timers-in-time'))`

export const describeStrategy = (visit: () => Visit): void => {
  const { dialog, drag, decide, undo, print } = actsOf(visit)
  const titles = (layer: string) => visit().page.locator(`[data-list="${layer}"] h3`).allTextContents()
  const stand = (layer: string, expected: string[]) => comesToBe(() => titles(layer), expected)
  const element = (title: string) =>
    visit()
      .page.getByRole('listitem')
      .filter({ has: heading(title) })
  const heading = (title: string) => visit().page.getByRole('heading', { level: 3, name: title })

  describe('Strategy', () => {
    it('begins where there is none, by keyboard alone, and takes it back', async () => {
      const { page, open, checkAccess, screenshot } = visit()
      await open(PATH)
      await page.getByRole('button', { name: 'Add a vision' }).waitFor()
      await checkAccess()
      await page.keyboard.press('c')
      await dialog().getByRole('textbox', { name: 'Title' }).waitFor()
      await visit().type('Nobody guesses')
      await checkAccess()
      await screenshot('strategy-add')
      await dialog().getByLabel('Decision', { exact: true }).focus()
      await page.keyboard.type('Agreed by all of us.')
      await page.keyboard.press('Control+Enter')
      await heading('Nobody guesses').waitFor()
      await undo('is added')
      await page.getByText('There is no strategy yet').waitFor()
    })

    it('shows the layers in order with what is linked, and hostile text as text', async () => {
      const { page, person, open } = visit()
      await arrangeStrategy(person)
      await open(PATH)
      await heading(FILES).waitFor()
      assert.deepEqual(await page.getByRole('heading', { level: 2 }).allTextContents(), [
        'Vision 1',
        'Objectives 2',
        'Bets 2',
      ])
      await stand('objective', [HALVE, ANSWER])
      assert.deepEqual(await element(HALVE).getByRole('link').allTextContents(), ['CLM-1', 'CLM-2'])
      assert.deepEqual(await element(FILES).getByRole('link').allTextContents(), ['CLM-1', 'SOL-1', 'SOL-4'])
      assert.equal(await page.getByText(HOSTILE).first().isVisible(), true)
      assert.equal(await page.locator('main img').count(), 0)
    })

    it('moves an element by dragging, in its layer and to another, and takes that back', async () => {
      const { page, screenshot } = visit()
      await drag(`Move “${ANSWER}”`, '[data-list="objective"] > li', { x: 0.02, y: 0.1 })
      await page.getByRole('status').filter({ hasText: 'Objectives, place 1' }).waitFor({ state: 'attached' })
      await page.mouse.up()
      await decide('Move it')
      await stand('objective', [ANSWER, HALVE])
      await drag(`Move “${ANSWER}”`, '[data-list="bet"] > li:last-child', { x: 0.02, y: 0.9 })
      await page.getByRole('status').filter({ hasText: 'Bets, place 3' }).waitFor({ state: 'attached' })
      await screenshot('strategy-dragging')
      await page.mouse.up()
      await dialog().getByText('It becomes a bet').waitFor()
      await stand('bet', [FILES, HOSTILE, ANSWER])
      await decide('Move it')
      await undo('is moved')
      await page.locator('[data-list="bet"]').getByText(ANSWER).waitFor({ state: 'detached' })
      await stand('objective', [ANSWER, HALVE])
    })

    it('moves an element by keyboard alone, through the layers', async () => {
      const { page, open } = visit()
      await open(PATH)
      await heading(FILES).waitFor()
      for (const key of ['j', 'j', 'r', 'Space', 'ArrowDown', 'Escape', 'Space']) await page.keyboard.press(key)
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Space']) await page.keyboard.press(key)
      await dialog().getByText('It moves to position 1 of Bets.').waitFor()
      await page.keyboard.press('Control+Enter')
      await dialog().waitFor({ state: 'detached' })
      await stand('bet', [ANSWER, FILES, HOSTILE])
      await page.getByRole('button', { name: `Change “${ANSWER}”` }).click()
      await page.getByRole('menuitem', { name: 'Make it an objective' }).click()
      await decide('Move it')
      await stand('objective', [HALVE, ANSWER])
    })

    it('takes keys that come before the page gets to give a dialog the focus', async () => {
      const { page } = visit()
      await page.evaluate(LATE_TIMERS)
      await heading(ANSWER).focus()
      await page.keyboard.press('e')
      await dialog().getByRole('textbox', { name: 'Title' }).waitFor()
      await page.keyboard.press('End')
      await page.keyboard.type('!')
      await page.keyboard.press('Control+Enter')
      await dialog().waitFor({ state: 'detached' })
      await stand('objective', [HALVE, `${ANSWER}!`])
      await undo('is changed')
      await stand('objective', [HALVE, ANSWER])
      await page.evaluate(TIMERS_IN_TIME)
    })

    it('edits only what the person wrote, on what the element is by then', async () => {
      const { page, person, hold, expectStatus } = visit()
      await heading(HALVE).focus()
      await page.keyboard.press('e')
      await dialog().getByLabel('Summary').fill('Measured by failed exports a **day**.')
      const release = await hold('orient_strategy')
      const change = { strategy_id: HALVE, title: 'Lose nobody to exports', comment: 'Bolder.' }
      await person.call('change_strategy', { action: 'update', ...change })
      expectStatus(409)
      await dialog().getByRole('button', { name: 'Change it' }).click()
      await dialog()
        .getByText('has changed')
        .or(dialog().getByText('Somebody changed another part of it'))
        .first()
        .waitFor()
      await release()
      await page.getByRole('dialog', { name: 'Lose nobody to exports' }).waitFor()
      await decide('Change it')
      await element('Lose nobody to exports').getByText('failed exports a day.').waitFor()
    })

    it('links and unlinks claims and Solutions', async () => {
      const { page, checkAccess } = visit()
      const answer = element(ANSWER)
      await heading(ANSWER).focus()
      await page.keyboard.press('l')
      await dialog().getByRole('combobox', { name: 'Solutions' }).click()
      await page.getByRole('option', { name: 'SOL-5 Exports by mail' }).click()
      await page.keyboard.press('Escape')
      await dialog().getByText(`Link SOL-5 to “${ANSWER}”.`).waitFor()
      await checkAccess()
      await decide('Link')
      await answer.getByText('Exports by mail').waitFor()
      await answer.getByRole('button', { name: 'Unlink SOL-5' }).click()
      await decide('Unlink it')
      await answer.getByText('Exports by mail').waitFor({ state: 'detached' })
    })

    it('removes an element, and brings it back with its links', async () => {
      const { page } = visit()
      await heading(FILES).focus()
      await page.keyboard.press('Delete')
      await dialog().getByText('with its 3 links').waitFor()
      await dialog().getByLabel('Decision', { exact: true }).fill('Too dear.')
      await decide('Remove it')
      await heading(FILES).waitFor({ state: 'detached' })
      await undo('is removed')
      await heading(FILES).waitFor()
      await stand('bet', [FILES, HOSTILE])
      assert.equal(await element(FILES).getByRole('link').count(), 3)
    })

    it('offers a viewer nothing that only members may do', () =>
      visit().asViewer(async () => {
        const { page, open } = visit()
        await open(PATH)
        await heading(FILES).waitFor()
        assert.deepEqual(await page.locator('main').getByRole('button').allTextContents(), ['Print'])
        await page.keyboard.press('c')
        assert.equal(await dialog().count(), 0)
      }))

    it('is printed without what is for working, in ink on paper', () => print(PATH, 'strategy-print'))

    describeEveryState(visit, { screen: 'strategy', path: PATH, reads: 'orient_strategy', shows: ANSWER })
  })
}
