import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { INVOICES } from '../merges-story.ts'
import { comesWithin } from '../visit.ts'
import { actsOf, type Story } from './acts.ts'

/** Longer than a dialog takes that was not loaded before. */
const COMES_MS = 10_000

/** Solutions and signals that are begun from any screen, from a claim and from a signal. */
export const describeBegun = (story: () => Story): void => {
  const { visit, lookUp } = actsOf(story)

  describe('A Solution or a signal', () => {
    it('begins a Solution and a signal from anywhere, by key and as a command', async () => {
      const { page, go } = visit()
      await go('/app/strategy')
      const dialog = page.getByRole('dialog', { name: 'New Solution' })
      await eventually('it opens', async () => {
        await page.keyboard.press('S')
        // Pressed once more, the key would be written into the dialog.
        return comesWithin(dialog, COMES_MS)
      })
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Command' }).pressSequentially('new solution')
      await page.getByRole('option', { name: 'New Solution' }).first().click()
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    })

    it('takes a signal that a person writes down, through the pipeline like any other, and says where it is', async () => {
      const { page, person, go, checkAccess, screenshot } = visit()
      await go('/app/triage')
      const dialog = page.getByRole('dialog', { name: 'Write a signal' })
      await eventually('it opens', async () => {
        await page.keyboard.press('W')
        // Pressed once more, the key would be written into the dialog.
        return comesWithin(dialog, COMES_MS)
      })
      await dialog.getByLabel('What was said').fill('Our cashiers cannot scan gift cards; reach me at ann@example.com.')
      await dialog.getByLabel('Who said it').fill('Ann Marsh')
      await dialog.getByLabel('Company').fill('Marsh Books')
      await dialog.getByLabel('When').fill('2026-03-09')
      await checkAccess()
      await screenshot('write-signal')
      await dialog.getByRole('button', { name: 'Send it' }).click()
      await dialog.waitFor({ state: 'detached' })
      const arrived = page.getByRole('alert').filter({ hasText: 'is in Triage.' })
      const reference = (await arrived.getByRole('button', { name: /^SIG-/ }).textContent()) ?? ''
      await page.getByText('cannot scan gift cards').first().waitFor()
      const { signal } = await person.call<{ signal: Record<string, unknown> }>('lookup_signal', {
        id: reference,
        depth: 'full',
      })
      assert.equal(signal.text, 'Our cashiers cannot scan gift cards; reach me at [EMAIL].')
      assert.equal(signal.actor_name, 'Ann Marsh')
      assert.deepEqual(signal.metadata, { company: 'Marsh Books' })
      assert.match(String(signal.occurred_at), /^2026-03-09T/)
    })

    it('makes a Solution of a claim by keyboard, once however often it is sent, and stays where it was begun', async () => {
      const { page, open, person, checkAccess, screenshot } = visit()
      const id = story().claims[INVOICES[0]] ?? ''
      await open('/app/claims')
      await page.getByRole('button', { name: `New Solution for ${id}` }).waitFor()
      const link = page.getByRole('link', { name: id, exact: true })
      for (let moves = 0; moves < 20 && !(await link.evaluate(each => each.matches(':focus'))); moves += 1) {
        await page.keyboard.press('j')
      }
      await page.keyboard.press('x')
      await page.getByText('1 claim chosen').waitFor()
      await page.keyboard.press('s')
      const dialog = page.getByRole('dialog', { name: 'New Solution' })
      await dialog.getByText(`${id} ${INVOICES[0].slice(0, 20)}`).waitFor()
      await checkAccess()
      await screenshot('claim-new-solution')
      await visit().type('Name the tax in every invoice')
      await page.keyboard.press('Control+Enter')
      await page.keyboard.press('Control+Enter')
      await dialog.waitFor({ state: 'detached' })
      // Another press would make another Solution of the same claims.
      await page.getByText('1 claim chosen').waitFor({ state: 'detached' })
      assert.match(page.url(), /\/app\/claims$/)
      const { answering_solutions } = await person.call<{ answering_solutions: readonly { readonly title: string }[] }>(
        'lookup_claim',
        { id },
      )
      assert.deepEqual(
        answering_solutions.map(({ title }) => title),
        ['Name the tax in every invoice'],
      )
      const { items } = await person.call<{ items: readonly { readonly text: string }[] }>('lookup_decision')
      assert.equal(items[0]?.text, `To be built, for ${id}.`)
    })

    it('makes a Solution of a signal that has no claim, which gets one', async () => {
      const { page, open, person } = visit()
      const { snippet_id: id } = await person.call<{ snippet_id: string }>('capture_signal', {
        text: 'Where do I rename a board?',
      })
      const reference = await eventually('it is stored', async () => {
        const { signal } = await person.call<{ signal: { reference: string } | null }>('lookup_signal', { id })
        return signal?.reference ?? null
      })
      await open(`/app/signals/${reference}`)
      await page.getByRole('button', { name: 'New Solution' }).waitFor()
      // From anywhere by this key: here for what the page is of.
      await page.keyboard.press('S')
      const dialog = page.getByRole('dialog', { name: 'New Solution' })
      await dialog.getByText(`${reference} has no claim yet`).waitFor()
      await dialog.getByLabel('Title').fill('Answer it')
      await dialog.getByRole('button', { name: 'Create Solution' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('link', { name: /^CLM-/ }).first().waitFor()
      const { signal } = await person.call<{ signal: { claims: { reference: string }[] } }>('lookup_signal', { id })
      const { answering_solutions } = await lookUp(signal.claims[0]?.reference ?? '')
      assert.equal(answering_solutions.length, 1)
    })
  })
}
