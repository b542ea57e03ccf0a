import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Visit } from '../visit.ts'
import { HOSTILE } from './hostile.ts'

/** What changed: since the last look, and within a time. */
export const describeChanges = (visit: () => Visit): void => {
  const section = (name: RegExp) => visit().page.getByRole('heading', { level: 2, name })

  describe('What changed', () => {
    it('is told since the last look, by kind, and is the same when the page is read again', async () => {
      const { page, person, open } = visit()
      await person.call('log_decision', { statement: HOSTILE })
      await open('/app/changes')
      await page.getByText(HOSTILE).first().waitFor()
      assert.equal(await page.locator('main img').count(), 0)
      const told = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
      await page.reload()
      await section(/^Decisions/).waitFor()
      assert.deepEqual(await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents(), told)
    })

    it('shows all of a kind, each with the way to it, and goes back to every kind', async () => {
      const { page } = visit()
      await page.getByText('30 days').click()
      await section(/^New claims 1\d/).waitFor()
      await page.getByRole('button', { name: /^Show all \d+: New claims/ }).click()
      await page.waitForURL('**kind=claims_appeared**')
      await page.getByRole('button', { name: 'Show every kind' }).waitFor()
      assert.ok((await page.getByRole('main').getByRole('link', { name: /^CLM-/ }).count()) > 5)
      await page.getByRole('link', { name: 'CLM-26' }).click()
      await page.waitForURL('**/app/claims/CLM-26')
      await page.goBack()
      await page.getByRole('button', { name: 'Show every kind' }).click()
      await section(/^Decisions/).waitFor()
    })
  })
}
