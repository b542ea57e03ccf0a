import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { describeEveryState } from '../every-state.ts'
import { comesToBe, comesWithin, type Visit } from '../visit.ts'
import { actsOf } from './acts.ts'
import { arrangeRoadmap, HOSTILE } from './arrange.ts'

const PATH = '/app/roadmap'

export const describeRoadmap = (visit: () => Visit): void => {
  const { dialog, drag, decide, undo, print } = actsOf(visit)
  const card = (reference: string) => visit().page.locator('[data-movable]').filter({ hasText: reference })
  const column = async (horizon: string) => {
    const cards = await visit().page.locator(`[data-list="${horizon}"] [data-movable]`).allTextContents()
    return cards.map(text => /SOL-\d+/.exec(text)?.[0])
  }
  const columns = () => Promise.all(['now', 'next', 'later'].map(column))
  const stand = (expected: (string | undefined)[][]) => comesToBe(columns, expected)
  const openRoadmap = async () => {
    await visit().open(PATH)
    await card('SOL-2').waitFor()
  }

  describe('Roadmap', () => {
    it('begins where there is none, by keyboard alone, and takes it back', async () => {
      const { page, open, checkAccess, screenshot } = visit()
      await open(PATH)
      await page.getByText('Nothing is on the roadmap').waitFor()
      await checkAccess()
      await page.keyboard.press('p')
      await dialog().getByRole('combobox', { name: 'Solution' }).waitFor()
      await visit().type('mail')
      // Others may be found by meaning, behind it.
      await page.getByRole('option').first().filter({ hasText: 'SOL-5 Exports by mail' }).waitFor()
      // What is found by meaning may come between the two keys, and the list is another one then: a person presses
      // again.
      await eventually('it is picked', async () => {
        const marked = page.locator('[role=option][data-combobox-selected]').filter({ hasText: 'SOL-5' })
        for (let pressed = 0; pressed < 8 && (await marked.count()) === 0; pressed += 1)
          await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        return comesWithin(dialog().getByText('Place SOL-5 in “next”.'), 2000)
      })
      await checkAccess()
      await screenshot('roadmap-place')
      await dialog().getByRole('button', { name: 'Place it' }).press('Control+Enter')
      await card('SOL-5').waitFor()
      await stand([[], ['SOL-5'], []])
      await undo('SOL-5 is in Next.')
      await page.getByText('Nothing is on the roadmap').waitFor()
    })

    it('shows what is placed with the Decision behind it, and hostile text as text', async () => {
      const { page, person } = visit()
      await arrangeRoadmap(person)
      await openRoadmap()
      await stand([['SOL-1', 'SOL-3'], ['SOL-2'], ['SOL-4']])
      await card('SOL-1').getByText('Two customers left over it: it cannot wait.').waitFor()
      await card('SOL-1').getByText('Planned').waitFor()
      await card('SOL-1').getByRole('link', { name: /^DEC-/ }).waitFor()
      await card('SOL-4').getByText(HOSTILE).first().waitFor()
      assert.equal(await page.locator('main img').count(), 0)
    })

    it('is printed without what is for working, in ink on paper', () => print(PATH, 'roadmap-print'))

    describeEveryState(visit, { screen: 'roadmap', path: PATH, reads: 'orient_roadmap', shows: 'Index archived notes' })

    it('moves a Solution by dragging, shows it where it is to stand until that is decided, and takes it back', async () => {
      const { page, screenshot } = visit()
      await openRoadmap()
      await drag('Move SOL-2', '[data-list="now"] > li:nth-child(2)', { x: 0.5, y: 0.2 })
      await page.getByRole('status').filter({ hasText: 'SOL-2: number 2 of Now' }).waitFor({ state: 'attached' })
      await screenshot('roadmap-dragging')
      await page.mouse.up()
      await dialog().getByText('Place SOL-2 as number 2 in “now”.').waitFor()
      await stand([['SOL-1', 'SOL-2', 'SOL-3'], [], ['SOL-4']])
      await dialog().getByRole('button', { name: 'Cancel' }).click()
      await dialog().waitFor({ state: 'detached' })
      await stand([['SOL-1', 'SOL-3'], ['SOL-2'], ['SOL-4']])
      await drag('Move SOL-2', '[data-list="now"] > li:nth-child(2)', { x: 0.5, y: 0.2 })
      await page.mouse.up()
      await decide('Move it')
      await card('SOL-2').getByText('Place SOL-2 as number 2 in “now”.').waitFor()
      await undo('SOL-2 is number 2 of Now.')
      await card('SOL-2').getByText('is reversed').waitFor()
      await stand([['SOL-1', 'SOL-3'], ['SOL-2'], ['SOL-4']])
    })

    it('moves a Solution by keyboard alone, from column to column', async () => {
      const { page } = visit()
      await openRoadmap()
      for (const key of ['j', 'r', 'Space', 'ArrowRight', 'ArrowRight', 'Escape', 'Space'])
        await page.keyboard.press(key)
      for (const key of ['ArrowRight', 'ArrowDown', 'Space']) await page.keyboard.press(key)
      await dialog().getByText('Place SOL-1 as number 2 in “next”.').waitFor()
      await page.keyboard.press('Control+Enter')
      await dialog().waitFor({ state: 'detached' })
      await stand([['SOL-3'], ['SOL-2', 'SOL-1'], ['SOL-4']])
      await page.getByRole('button', { name: 'Change SOL-1' }).click()
      await page.getByRole('menuitem', { name: 'Move to Now' }).click()
      await decide('Move it')
      await stand([['SOL-3', 'SOL-1'], ['SOL-2'], ['SOL-4']])
    })

    it('decides on what a Solution is by then, and shows what colleagues do by itself', async () => {
      const { page, person, hold, expectStatus } = visit()
      // What was read for the last change would otherwise come when the colleague's is made.
      await openRoadmap()
      await page.getByRole('button', { name: 'Change SOL-2' }).click()
      await page.getByRole('menuitem', { name: 'Move to Later' }).click()
      const release = await hold('orient_roadmap')
      await person.call('update_solution', { solution_id: 'SOL-2', title: 'Renamed meanwhile', comment: 'Better.' })
      expectStatus(409)
      await dialog().getByRole('button', { name: 'Move it' }).click()
      await dialog().getByText('Somebody changed another part of it').waitFor()
      await release()
      await dialog().getByText('Renamed meanwhile').waitFor()
      await decide('Move it')
      await stand([['SOL-3', 'SOL-1'], [], ['SOL-4', 'SOL-2']])
      await person.call('change_roadmap', {
        action: 'place',
        solution_id: 'SOL-2',
        horizon: 'next',
        comment: 'Sooner.',
      })
      await card('SOL-2').getByText('Sooner.').waitFor()
      await stand([['SOL-3', 'SOL-1'], ['SOL-2'], ['SOL-4']])
    })

    it('takes a Solution off that is done with, which it does not move', async () => {
      const { page, person } = visit()
      await person.call('update_solution', { solution_id: 'SOL-3', state: 'Dropped', comment: 'Nobody asks for it.' })
      await openRoadmap()
      await card('SOL-3').getByText('Dropped').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Move SOL-3' }).count(), 0)
      await page.getByRole('link', { name: 'Tax rates by country' }).focus()
      await page.keyboard.press('Delete')
      await dialog().getByText('SOL-3 is Dropped.').waitFor()
      await decide('Remove')
      await card('SOL-3').waitFor({ state: 'detached' })
    })

    it('offers a viewer nothing that only members may do', () =>
      visit().asViewer(async () => {
        const { page } = visit()
        await openRoadmap()
        assert.deepEqual(await page.locator('main').getByRole('button').allTextContents(), ['Print'])
        await page.keyboard.press('p')
        assert.equal(await dialog().count(), 0)
      }))
  })
}
