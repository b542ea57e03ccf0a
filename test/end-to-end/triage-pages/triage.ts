import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { distinctText } from '../../support/texts.ts'
import { signalOf, standing, type Visit } from './visit.ts'

const QUESTION = 'How do I invite a colleague to my workspace?'
const CRASH = 'The login crashes since the last update and shows an error.'
const REMARK = 'Lunch was good today.'
/** With the three above, more than one page. */
const MANY = 22

export const describeTriage = (visit: () => Visit): void => {
  describe('Triage', () => {
    const ids: Record<string, string> = {}

    before(async () => {
      const { send } = visit()
      for (let number = 0; number < MANY; number += 1) await send({ text: distinctText(number) })
      await standing(visit(), { signals: MANY })
      for (const text of [REMARK, CRASH, QUESTION]) {
        const source = { source: 'Support desk', source_url: 'https://desk.example.com/t/7', actor_name: 'Ana' }
        ids[text] = await send({ text, ...source })
        await standing(visit(), { signals: MANY + Object.keys(ids).length })
      }
      await send({ text: CRASH })
      await eventually('the repeat is counted', async () => {
        const { agent } = visit()
        const { data } = await agent.call<{ signal: { occurrences: number } }>('service_lookup', {
          mode: 'signal',
          id: ids[CRASH],
        })
        return data.signal.occurrences === 1 || null
      })
    })

    const item = (text: string) => visit().items('signals').filter({ hasText: text })
    const selected = () => visit().page.locator('#signals > li[aria-current]')
    const stateOf = async (text: string) => (await signalOf(visit(), ids[text] ?? '')).state
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => visit().page.keyboard.press(key)), Promise.resolve())
    const says = (text: RegExp) => visit().page.locator('#undo').filter({ hasText: text }).waitFor()
    const selects = (text: string) => selected().filter({ hasText: text }).waitFor()

    it('is where the app begins', async () => {
      const { page, open } = visit()
      await open('/app')
      await page.waitForURL('**/app/triage')
    })

    it('lists what waits, the newest first, with where each came from and what the pipeline made of it', async () => {
      const { page, items, screenshot } = visit()
      await selects(QUESTION)
      assert.equal(await page.locator('#count').textContent(), `${MANY + 3} in Triage`)
      const texts = await items('signals').locator('.sent').allTextContents()
      assert.deepEqual(texts.slice(0, 3), [QUESTION, CRASH, REMARK])
      const crash = (await item(CRASH).textContent()) ?? ''
      for (const part of [/problem \d\.\d\d/, /CLM-\d+/, /repeated 1 time/, /Support desk/, /Ana/, /received /])
        assert.match(crash, part)
      const link = item(CRASH).getByRole('link', { name: 'desk.example.com' })
      assert.equal(await link.getAttribute('href'), 'https://desk.example.com/t/7')
      assert.match((await link.getAttribute('rel')) ?? '', /noopener/)
      await screenshot('triage')
    })

    it('reads on by pages, each signal once', async () => {
      const { page, items } = visit()
      assert.equal(await items('signals').count(), 20)
      await page.getByRole('button', { name: 'Show more' }).click()
      await eventually('all are shown', async () => (await items('signals').count()) === MANY + 3 || null)
      const shown = await items('signals').locator('strong').allTextContents()
      assert.equal(new Set(shown).size, MANY + 3)
      assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
    })

    it('is worked by keyboard alone: move, accept, dismiss, undo', async () => {
      const { page, open } = visit()
      await open('/app/triage')
      await selects(QUESTION)
      await press('j')
      await selects(CRASH)
      await press('k')
      await selects(QUESTION)
      await press('1')
      await says(/is accepted/)
      await selects(CRASH)
      assert.equal(await stateOf(QUESTION), 'accepted')
      await press('3')
      await says(/is dismissed/)
      await selects(REMARK)
      assert.equal(await stateOf(CRASH), 'dismissed')
      assert.equal(await page.locator('#count').textContent(), `${MANY + 1} in Triage`)
      await press('z')
      await selects(CRASH)
      assert.equal(await stateOf(CRASH), 'triage')
      await press('z')
      await selects(QUESTION)
      assert.equal(await stateOf(QUESTION), 'triage')
      assert.equal(await selected().evaluate(element => element.matches(':focus')), true)
    })

    it('shows its keys, and leaves those alone that somebody types into a field', async () => {
      const { page, screenshot } = visit()
      await press('?')
      await page.getByRole('dialog', { name: 'Keys' }).getByText('Dismiss').waitFor()
      await screenshot('triage-keys')
      await press('3', 'Escape')
      await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'hidden' })
      await page.locator('select[name=state]').focus()
      await press('3')
      assert.equal(await stateOf(QUESTION), 'triage')
    })

    it('is worked by buttons, and what was done stays done after a reload', async () => {
      const { page } = visit()
      await item(CRASH).hover()
      await item(CRASH).getByRole('button', { name: 'Dismiss' }).click()
      await says(/is dismissed/)
      await selects(REMARK)
      await page.getByRole('button', { name: 'Undo' }).click()
      await selects(CRASH)
      await item(CRASH).getByRole('button', { name: 'Accept' }).click()
      await says(/is accepted/)
      await page.reload()
      await selects(QUESTION)
      assert.equal(await item(CRASH).count(), 0)
      assert.equal(await stateOf(CRASH), 'accepted')
    })

    it('keeps its filters in the address, and the way back works', async () => {
      const { page } = visit()
      await page.locator('select[name=state]').selectOption('accepted')
      await selects(CRASH)
      assert.equal(new URL(page.url()).searchParams.get('state'), 'accepted')
      await page.locator('select[name=classification]').selectOption('idea')
      await page.getByText('No signal is like that.').waitFor()
      await page.reload()
      await page.getByText('No signal is like that.').waitFor()
      await page.goBack()
      await selects(CRASH)
      await page.goBack()
      await selects(QUESTION)
    })

    it('reclassifies in place', async () => {
      const { page, agent } = visit()
      await item(REMARK).click()
      await item(REMARK).locator('select').selectOption('idea')
      await says(/counts as idea/)
      await item(REMARK).getByText('idea 1.00').waitFor()
      const { data } = await agent.call<{ signal: { classification: string } }>('service_lookup', {
        mode: 'signal',
        id: ids[REMARK],
      })
      assert.equal(data.signal.classification, 'idea')
      await page.getByRole('button', { name: 'Undo' }).click()
      await item(REMARK).getByText('unclassified').first().waitFor()
    })

    it('promotes a signal to a claim of its own or to evidence of another, and takes that back', async () => {
      const { page, screenshot } = visit()
      const dialog = page.getByRole('dialog', { name: 'Promote' })
      await item(QUESTION).click()
      await press('p')
      await dialog.getByText('What is SIG').waitFor()
      await screenshot('triage-promote')
      await press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await item(QUESTION).getByRole('button', { name: 'Promote' }).click()
      await dialog.getByLabel('A new opportunity').check()
      await dialog.getByRole('button', { name: 'Promote' }).click()
      await says(/is evidence of CLM-\d+/)
      assert.equal((await signalOf(visit(), ids[QUESTION] ?? '')).claims.length, 1)
      await page.getByRole('button', { name: 'Undo' }).click()
      await selects(QUESTION)
      assert.deepEqual((await signalOf(visit(), ids[QUESTION] ?? '')).claims, [])
      const [claim] = (await signalOf(visit(), ids[CRASH] ?? '')).claims
      await press('p')
      await dialog.getByLabel('Reference of the claim').fill((claim?.reference ?? '').toLowerCase())
      await press('Enter')
      await says(new RegExp(`is evidence of ${claim?.reference}`))
      const { claims } = await signalOf(visit(), ids[QUESTION] ?? '')
      assert.equal(claims[0]?.reference, claim?.reference)
    })

    it('refuses to decide on what has changed meanwhile, and shows what it has become', async () => {
      const { page, agent, faults } = visit()
      await item(REMARK).click()
      await agent.call('service_decide', {
        mode: 'triage',
        action: 'reclassify',
        signal_id: ids[REMARK],
        classification: 'question',
      })
      await item(REMARK).getByRole('button', { name: 'Dismiss' }).click()
      await page.getByRole('alert').filter({ hasText: 'has changed' }).waitFor()
      await item(REMARK).getByText('question 1.00').waitFor()
      assert.equal(await stateOf(REMARK), 'triage')
      assert.deepEqual(
        faults.splice(0).filter(fault => !fault.includes('409')),
        [],
      )
    })
  })
}
