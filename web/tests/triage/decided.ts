import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { distinctText } from '../../../test/support/texts.ts'
import { inviteColleague } from '../forms/arranged.ts'
import type { Visit } from '../visit.ts'
import { type Acts, CRASH, ENDLESS, PATH, QUESTION, QUESTION_ACCEPTED, SHOWN } from './acts.ts'

/** What everybody is called who signs up in a test. */
const COLLEAGUE = 'Product manager'

/** Decisions on their way: what was decided stays away, and is sent whatever the person does next. */
export const describeDecided = (
  visit: () => Visit,
  { ids, signalOf, stateOf, becomes, option, isAt, press, says, count }: Acts,
): void => {
  describe('decided Signals', () => {
    it('keeps decided signals away while a list that was read before is answered after, and decides once for a double click', async () => {
      const { page, person, hold } = visit()
      const { reference } = await signalOf(CRASH)
      const before = await count()
      const release = await hold('triage_signals')
      await option(QUESTION).click()
      await page.getByRole('button', { name: 'Accept' }).dblclick()
      await isAt(CRASH)
      // Something else changes: the list is read again while the decision is on its way.
      const elsewhere = async (decision: object) => {
        const { version } = await signalOf('1')
        await person.call('triage_signals', { ...decision, signals: [{ signal_id: ids[1], version }] })
      }
      await elsewhere({ action: 'snooze', more_signals: 9 })
      await option(distinctText(1)).waitFor({ state: 'detached' })
      assert.equal(await option(QUESTION).count(), 0)
      assert.equal(await count(), String(Number(before) - 2))
      await release()
      await says(QUESTION_ACCEPTED)
      assert.deepEqual([await stateOf(QUESTION), await stateOf(CRASH)], ['accepted', 'triage'])
      assert.equal(await option(QUESTION).count(), 0)
      await elsewhere({ action: 'wake' })
      await option(distinctText(1)).waitFor()
      await press('z')
      await isAt(QUESTION)
      // Another tab shows nothing of this one while it is read.
      const releaseList = await hold('list_signals')
      await page.getByRole('tab', { name: 'Accepted' }).click()
      await option(CRASH).waitFor({ state: 'detached' })
      assert.equal(await page.getByRole('button', { name: 'Accept', exact: true }).count(), 0)
      await releaseList()
      await page.getByRole('tab', { name: 'Triage' }).click()
      await option(CRASH).click()
      await page.waitForURL(url => url.searchParams.get('signal') === reference)
    })

    it('says who took the selected row and what was decided, and nothing of who decides on another', async () => {
      const { page, person } = visit()
      const colleague = await inviteColleague(person)
      const decide = async (text: string, decision: object) => {
        const { version } = await signalOf(text)
        await colleague.call('triage_signals', { ...decision, signals: [{ signal_id: ids[text], version }] })
      }
      await option(CRASH).click()
      await isAt(CRASH)
      await decide('1', { action: 'snooze', more_signals: 9 })
      await option(distinctText(1)).waitFor({ state: 'detached' })
      assert.equal(await page.getByRole('status').filter({ hasText: COLLEAGUE }).count(), 0)
      await decide('1', { action: 'wake' })
      const { reference } = await signalOf(CRASH)
      await decide(CRASH, { action: 'dismiss', comment: 'Not ours.' })
      await says(new RegExp(`${reference} dismissed by ${COLLEAGUE}: Not ours\\.`))
      const { items } = await person.call<{ items: { reference: string }[] }>('lookup_decision', { about: reference })
      await person.call('triage', { action: 'undo', decision_id: items[0]?.reference })
      await option(CRASH).click()
      await isAt(CRASH)
    })

    it('comes back to the line that one left or reloaded, and asks before one leaves with a decision unsent', async () => {
      const { page } = visit()
      const { reference } = await signalOf(CRASH)
      await press('Enter')
      await page.waitForURL(`**/app/signals/${reference}`)
      await page.goBack()
      await isAt(CRASH)
      await page.reload()
      await isAt(CRASH)
      // The first decision never reaches the service, and the second waits for it.
      await page.evaluate(`{
        const ask = fetch
        let isFirst = true
        fetch = async (asked, options) => {
          if (asked.endsWith('/triage_signals') && isFirst) {
            isFirst = false
            await new Promise(() => {})
          }
          return ask(asked, options)
        }
      }`)
      await press('1')
      await isAt('Errorxxx')
      await press('1')
      await isAt(SHOWN)
      const asked = page.waitForEvent('dialog')
      const gone = page.goto(`${visit().installation.baseUrl}/livez`)
      await (await asked).accept()
      await gone
      for (const text of [CRASH, ENDLESS]) await becomes(text, 'accepted')
      await visit().open(PATH)
      await isAt(QUESTION)
      assert.equal(await option(CRASH).count(), 0)
      for (const text of [CRASH, ENDLESS]) await visit().person.call('triage', { action: 'undo', signal_id: ids[text] })
      await option('Errorxxx').waitFor()
      await option(CRASH).waitFor()
    })
  })
}
