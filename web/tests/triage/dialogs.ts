import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { distinctText } from '../../../test/support/texts.ts'
import type { Visit } from '../visit.ts'
import { type Acts, CRASH, MARKUP, QUESTION, REMARK } from './acts.ts'

/** What is decided in a dialog: until when, of what it is a repeat, evidence of what, and which claims are one. */
export const describeDialogs = (
  visit: () => Visit,
  { send, signalOf, option, isAt, press, says, dialog, count }: Acts,
): void => {
  describe('in dialogs', () => {
    it('snoozes until a time, and until more say it; what sleeps has a list of its own', async () => {
      const { page } = visit()
      await press('h')
      await dialog().getByText('Snooze SIG-').waitFor()
      await visit().checkAccess()
      await visit().screenshot('triage-snooze')
      await press('1')
      await says(/SIG-\d+ snoozed/)
      await option(QUESTION).waitFor({ state: 'detached' })
      await isAt(CRASH)
      await press('h')
      await page.getByLabel('After this many more signals').fill('1')
      await page.getByRole('button', { name: 'Snooze until more signals' }).click()
      await option(CRASH).waitFor({ state: 'detached' })
      await page.getByRole('tab', { name: 'Snoozed' }).click()
      await option(CRASH).waitFor()
      assert.equal(await count(), '2')
      await press('j', 'k')
      await isAt(QUESTION)
      await press('w')
      await says(/back in Triage$/)
      await option(QUESTION).waitFor({ state: 'detached' })
      await send({ text: CRASH })
      await page.getByText('Nothing is snoozed').waitFor()
      await page.getByRole('tab', { name: 'Triage' }).click()
      await option(CRASH).getByText('back from snooze').waitFor()
    })

    it('brings dismissed ones back, one by a button and those that are chosen by a key', async () => {
      const { page, person } = visit()
      const texts = ['1', '2', '3']
      const dismissed = await Promise.all(texts.map(signalOf))
      await person.call('triage_signals', {
        action: 'dismiss',
        signal_ids: dismissed.map(({ reference }) => reference),
      })
      await page.getByRole('tab', { name: 'Dismissed' }).click()
      await option(distinctText(1)).click()
      await page.getByRole('button', { name: 'Back to Triage' }).click()
      await says(/SIG-\d+ back in Triage$/)
      await option(distinctText(1)).waitFor({ state: 'detached' })
      await option(distinctText(2)).click()
      await press('x')
      await option(distinctText(3)).click({ modifiers: ['Shift'] })
      await press('w')
      await says(/2 signals back in Triage$/)
      await page.getByRole('tab', { name: 'Triage' }).click()
      for (const text of [1, 2, 3]) await option(distinctText(text)).waitFor()
      for (const { reference } of dismissed) {
        const { signal } = await person.call<{ signal: { state: string } }>('lookup_signal', { id: reference })
        assert.equal(signal.state, 'triage')
      }
    })

    it('says that one repeats another, which then counts it', async () => {
      const { page } = visit()
      await option(distinctText(1)).click()
      await press('2')
      await page.getByLabel('The original').fill('login crashes update')
      await dialog().getByRole('option').filter({ hasText: CRASH }).waitFor()
      await visit().checkAccess()
      await visit().screenshot('triage-duplicate')
      await dialog().getByRole('option').filter({ hasText: CRASH }).click()
      await says(/counted as a repeat$/)
      await option(distinctText(1)).waitFor({ state: 'detached' })
      await option(CRASH).getByText('3 repeats').waitFor()
      await press('z')
      await option(distinctText(1)).waitFor()
      await option(CRASH).getByText('2 repeats').waitFor()
    })

    it('reclassifies, and promotes to a claim of its own or to one that there is', async () => {
      const { page } = visit()
      await option(QUESTION).click()
      await press('p')
      await dialog().getByText('What is SIG-').waitFor()
      await visit().checkAccess()
      await dialog().getByText('A new opportunity').click()
      await dialog().getByLabel('Title').fill('Invite colleagues')
      await press('Enter')
      await says(/promoted$/)
      assert.equal((await signalOf(QUESTION)).claims.length, 1)
      await press('z')
      await isAt(QUESTION)
      const [claim] = (await signalOf(CRASH)).claims
      assert.ok(claim)
      await press('p')
      await dialog().getByText('An existing claim').click()
      await page.getByLabel('The claim').fill(claim.reference.toLowerCase())
      await dialog().getByRole('option').filter({ hasText: claim.reference }).waitFor()
      await press('Enter')
      await says(/promoted$/)
      assert.equal((await signalOf(QUESTION)).claims[0]?.reference, claim.reference)
      await press('z')
      await isAt(QUESTION)
      await option(REMARK).click()
      await press('c', '2')
      await option(REMARK).getByText('idea 100 %').waitFor()
      await press('z')
      await option(REMARK).getByText('Nothing that asks for a change').waitFor()
    })

    it('merges the claim of a signal with another one, either way round, and takes that back', async () => {
      const { page, person } = visit()
      const [claim] = (await signalOf(CRASH)).claims
      const [other] = (await signalOf(MARKUP)).claims
      assert.ok(claim && other)
      await option(CRASH).click()
      await press('m')
      await page.getByLabel('With which claim').fill(other.reference)
      await dialog().getByRole('option').filter({ hasText: other.reference }).click()
      await dialog().getByText('Stays').waitFor()
      await visit().checkAccess()
      await dialog().getByRole('button', { name: 'Swap' }).click()
      await dialog().getByRole('button', { name: 'Merge', exact: true }).click()
      await says(new RegExp(`${other.reference} merged into ${claim.reference}`))
      assert.equal((await signalOf(MARKUP)).claims[0]?.reference, claim.reference)
      await press('z')
      await says(/undone/)
      await eventually(
        'they are two',
        async () => (await signalOf(MARKUP)).claims[0]?.reference === other.reference || null,
      )
      await person.call('lookup_claim', { id: other.reference })
    })
  })
}
