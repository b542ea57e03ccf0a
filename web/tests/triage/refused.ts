import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Visit } from '../visit.ts'
import { type Acts, REMARK } from './acts.ts'

/** Decisions that the service refuses, or that do not reach it. */
export const describeRefused = (visit: () => Visit, { ids, signalOf, stateOf, option, press }: Acts): void => {
  describe('decisions that fail', () => {
    it('refuses to decide on what has changed meanwhile, and shows what it has become', async () => {
      const { page, person, expectStatus, hold } = visit()
      const { version } = await signalOf(REMARK)
      await option(REMARK).click()
      // What has changed does not reach the page before the decision does.
      const release = await hold('list_signals')
      const change = {
        action: 'reclassify',
        classification: 'question',
        signals: [{ signal_id: ids[REMARK], version }],
      }
      await person.call('triage_signals', change)
      expectStatus(409)
      await press('1')
      await page
        .getByText(/ decided on SIG-\d+: /)
        .first()
        .waitFor()
      await release()
      await option(REMARK).getByText('question 100 %').waitFor()
      assert.equal(await stateOf(REMARK), 'triage')
      await page.locator('.mantine-Notification-closeButton').click()
    })

    it('shows a decision undone at once that could not be sent, says so, and takes it again', async () => {
      const { page, expectFault } = visit()
      expectFault('net::ERR_FAILED')
      await option(REMARK).click()
      const { reference } = await signalOf(REMARK)
      await page.route('**/api/app/*', route => route.abort())
      await press('1')
      await page.getByText(`Not done: ${reference} accepted`).waitFor()
      await page.getByText('It is shown as it was before.').waitFor()
      await option(REMARK).waitFor()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.locator('.mantine-Notification-closeButton').first().click()
      assert.equal(await stateOf(REMARK), 'triage')
    })
  })
}
