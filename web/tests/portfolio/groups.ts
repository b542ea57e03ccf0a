import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Visit } from '../visit.ts'
import { HOSTILE } from './hostile.ts'

/** Groups: made, filled, renamed, emptied and deleted, each by a Decision. */
export const describeGroups = (visit: () => Visit): void => {
  const dialog = () => visit().page.getByRole('dialog')
  const member = (reference: string) => visit().page.getByRole('row').filter({ hasText: reference })
  const decide = async (action: string) => {
    await dialog().getByRole('button', { name: action, exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
  }

  describe('Groups', () => {
    it('are made with their first Solutions by keyboard alone', async () => {
      const { page, open, checkAccess } = visit()
      await open('/app/groups')
      await page.getByText('Export work').waitFor()
      await page.keyboard.press('c')
      await dialog().waitFor()
      await visit().type('Spring release')
      await page.keyboard.press('Tab')
      await page.keyboard.type('SOL-5')
      await page.getByRole('option', { name: /^SOL-5 / }).waitFor()
      for (const key of ['ArrowDown', 'Enter', 'Tab']) await page.keyboard.press(key)
      await checkAccess()
      await page.keyboard.press('Control+Enter')
      await page.getByRole('heading', { name: 'Spring release' }).waitFor()
      await member('SOL-5').waitFor()
      await page.getByText('1 In Progress').waitFor()
    })

    it('take Solutions in and out, each as a Decision that can be taken back', async () => {
      const { page, person } = visit()
      await page.keyboard.press('a')
      await visit().type('SOL-7')
      await page.getByRole('option', { name: /^SOL-7 / }).click()
      await decide('Add')
      await member('SOL-7').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await member('SOL-7').waitFor({ state: 'detached' })
      await page.getByText('Undone.').waitFor()
      await page.getByRole('button', { name: 'Remove SOL-5' }).click()
      await decide('Remove')
      await page.getByText('No Solution in the group').waitFor()
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await member('SOL-5').waitFor()
      const { items } = await person.call<{ items: { text: string }[] }>('lookup_decision', { limit: 4 })
      assert.match(items[1]?.text ?? '', /SOL-5 does not belong to the group “Spring release”/)
      assert.match(items[0]?.text ?? '', /^DEC-\d+ is taken back\.$/)
    })

    it('are renamed on what they are by then when somebody changed them meanwhile; hostile names are text', async () => {
      const { page, person, hold, expectStatus } = visit()
      await page.keyboard.press('e')
      await dialog().getByLabel('Name').fill(HOSTILE)
      const release = await hold('lookup_group')
      const group_id = page.url().split('/').at(-1)
      await person.call('change_group', { action: 'add', group_id, solution_ids: ['SOL-2'], comment: 'It too.' })
      expectStatus(409)
      await dialog().getByRole('button', { name: 'Rename' }).click()
      await dialog().getByText('Somebody changed another part of it').waitFor()
      assert.equal(await dialog().getByLabel('Name').inputValue(), HOSTILE)
      await release()
      await member('SOL-2').waitFor({ state: 'attached' })
      await decide('Rename')
      await page.getByRole('heading', { name: HOSTILE }).waitFor()
      assert.equal(await page.locator('main img').count(), 0)
    })

    it('say in the service’s words why a name cannot be theirs', async () => {
      const { page } = visit()
      await page.getByRole('button', { name: 'Rename' }).click()
      await dialog().getByLabel('Name').fill('export WORK')
      await dialog().getByRole('button', { name: 'Rename' }).click()
      await dialog().getByText('names are unique, letter case aside').waitFor()
      await dialog().getByRole('button', { name: 'Cancel' }).click()
    })

    it('offer a viewer nothing that only members may do', async () => {
      const { page, open, asViewer } = visit()
      const { pathname } = new URL(page.url())
      await asViewer(async () => {
        await open(pathname)
        await member('SOL-2').waitFor()
        assert.equal(await page.getByRole('main').getByRole('button').count(), 0)
      })
      await open(pathname)
    })

    it('are deleted, and their Solutions stay', async () => {
      const { page, person, checkAccess, noSideScroll, screenshot } = visit()
      await page.getByRole('button', { name: 'Delete' }).click()
      await dialog().getByText('The 2 Solutions in it stay on the board').waitFor()
      await decide('Delete group')
      await page.waitForURL('**/app/groups')
      await page.getByText('Export work').waitFor()
      assert.equal(await page.getByRole('table').getByText(HOSTILE).count(), 0)
      const { title } = await person.call<{ title: string }>('lookup_solution', { id: 'SOL-2' })
      assert.equal(title, 'A stock import that checks each line first')
      await page.getByRole('link', { name: 'Export work' }).click()
      await member('SOL-5').waitFor()
      await checkAccess()
      await noSideScroll()
      await screenshot('group')
    })
  })
}
