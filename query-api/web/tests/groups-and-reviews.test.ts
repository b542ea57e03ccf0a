import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { describeEveryState } from './every-state.ts'
import { startVisit, type Visit } from './visit.ts'

/** What must show as the text that it is. */
const HOSTILE = '<img src=x onerror=alert(1)> \u202e**Group**'

describe('Groups and Product Reviews', () => {
  let visit: Visit
  let group: string
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  const dialog = () => visit.page.getByRole('dialog')
  const decide = async (action: string) => {
    await dialog().getByRole('button', { name: action, exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
  }
  /** Works from here on in a sandbox with the sample data, as the page and as the person who arranges. */
  const enterSandbox = async () => {
    const { page, person } = visit
    const { id } = await person.call<{ id: string }>('create_workspace', { name: 'Sample', sandbox: true })
    const inside = person.inWorkspace(id)
    await inside.call('reset_sandbox')
    visit = { ...visit, person: inside }
    await page.evaluate(`sessionStorage.setItem('assay-workspace', '${id}')`)
  }

  it('say what they are for where there is nothing yet', async () => {
    const { page, open, checkAccess } = visit
    await open('/app/groups')
    await page.getByText('There is no group yet').waitFor()
    await checkAccess()
    await open('/app/reviews')
    await page.getByText('No review is saved yet').waitFor()
    await checkAccess()
    await open('/app/changes')
    await page.getByText('Nothing changed').waitFor()
    await enterSandbox()
  })

  describe('Groups', () => {
    it('are made with their first Solutions, by keyboard alone', async () => {
      const { page, open, checkAccess } = visit
      await open('/app/groups')
      await page.getByRole('button', { name: 'New group' }).waitFor()
      await page.keyboard.press('c')
      await dialog().waitFor()
      await page.keyboard.type('Spring release')
      await page.keyboard.press('Tab')
      await page.getByRole('option').first().waitFor()
      for (const key of ['ArrowDown', 'Enter', 'ArrowDown', 'Enter', 'Escape']) await page.keyboard.press(key)
      await checkAccess()
      await dialog().getByLabel('Decision', { exact: true }).focus()
      await page.keyboard.press('Control+Enter')
      await page.getByRole('heading', { name: 'Spring release' }).waitFor()
      await page.getByText('2 Solutions').waitFor()
      group = new URL(page.url()).pathname
    })
  })

  describe('Product Reviews', () => {
    it('are prepared', async () => {
      const { page, open } = visit
      await open('/app/reviews')
      await page.getByRole('button', { name: 'Prepare a review' }).click()
      await dialog().getByRole('button', { name: 'Prepare it' }).click()
      await page.getByRole('heading', { name: 'What came in' }).waitFor()
      await page.locator('.recharts-surface').nth(1).waitFor()
      for (const [look, scheme, size] of [['light','light',[1280,2600]],['dark','dark',[1280,2600]],['phone','light',[390,3600]]] as const) {
        await page.emulateMedia({ colorScheme: scheme })
        await page.setViewportSize({ width: size[0], height: size[1] })
        await page.waitForTimeout(600)
        await page.screenshot({ path: `/tmp/h/shots/review-${look}.png` })
      }
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
      await page.waitForTimeout(600)
      await page.pdf({ path: '/tmp/h/shots/review.pdf', format: 'A4' }).catch(e => console.log(String(e)))
      await page.screenshot({ path: `/tmp/h/shots/review-print.png`, fullPage: true })
      await page.emulateMedia({ colorScheme: 'light', media: 'screen' })
      for (const [name, path] of [['groups','/app/groups'],['group',group],['changes','/app/changes'],['reviews','/app/reviews']]) {
        await open(path!)
        await page.waitForTimeout(1500)
        await page.screenshot({ path: `/tmp/h/shots/${name}.png` })
        await page.setViewportSize({ width: 390, height: 844 })
        await page.waitForTimeout(300)
        await page.screenshot({ path: `/tmp/h/shots/${name}-phone.png` })
        await page.setViewportSize({ width: 1280, height: 800 })
      }
      assert.ok(HOSTILE && describeEveryState)
    })
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
