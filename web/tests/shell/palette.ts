import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import type { Visit } from '../visit.ts'

const PATH = '/app/settings/connect-agents'

/** The command palette, and the keys of a screen. */
export const describePalette = (visit: () => Visit): void => {
  describe('by keyboard', () => {
    it('opens the palette by keyboard, goes to a screen by its name, and to a reference', async () => {
      const { page, open, checkAccess } = visit()
      await open('/app')
      const command = page.getByRole('textbox', { name: 'Command' })
      await page.keyboard.press('Control+k')
      await command.waitFor()
      await checkAccess()
      await command.pressSequentially('connect ag')
      await page
        .getByRole('option')
        .or(page.getByRole('button', { name: 'Connect agents' }))
        .first()
        .waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL(`**${PATH}`)
      await page.keyboard.press('Control+k')
      await command.pressSequentially('clm-12')
      await page.getByText('Open CLM-12').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/app/claims/CLM-12')
    })

    it('finds signals, claims, Solutions, nodes, Decisions, people and sources, by a part of a word and with a typo', async () => {
      const { page, open, person, checkAccess, screenshot } = visit()
      const { id } = await person.call<{ id: string }>('create_workspace', { name: 'Searched' })
      await page.evaluate(`sessionStorage.setItem('assay-workspace', '${id}')`)
      const there = person.inWorkspace(id)
      await there.call('capture_signal', { text: 'Paying with Amexcard is refused at the checkout, an error.' })
      await there.call('add_map_node', { name: 'Amexcard payments' })
      await there.call('create_source', { kind: 'metric', name: 'Amexcard orders' })
      await eventually('the claim is there', async () => {
        const { items } = await there.call<{ items: readonly unknown[] }>('analyze_claims')
        return items.length > 0 || null
      })
      const solution = { title: 'Take Amexcard', claim_ids: ['CLM-1'], comment: 'Amexcard is asked for.' }
      await there.call('create_solution', solution)
      await open(PATH)
      await page.keyboard.press('Control+k')
      const command = page.getByRole('textbox', { name: 'Command' })
      for (const typed of ['amexc', 'amexcrad']) {
        await command.fill(typed)
        for (const kind of ['Signal', 'Claim', 'Solution', 'Node of the map', 'Decision']) {
          await page
            .getByRole('button', { name: new RegExp(`· ${kind}|^.*${kind}`) })
            .first()
            .waitFor()
        }
      }
      await command.fill('orders')
      await page.getByRole('button', { name: /Amexcard orders.*Source/ }).waitFor()
      await command.fill('product man')
      await page.getByRole('button', { name: /Member · / }).waitFor()
      await checkAccess()
      await command.fill('amexc')
      await page.getByRole('button', { name: /CLM-1/ }).waitFor()
      await screenshot('found')
      await page.getByRole('button', { name: /CLM-1/ }).click()
      await page.waitForURL('**/app/claims/CLM-1')
      await page.evaluate('sessionStorage.clear()')
    })

    it('runs what the screen has a button for, and begins a Solution and a signal from anywhere', async () => {
      const { page, open, go } = visit()
      const command = page.getByRole('textbox', { name: 'Command' })
      const run = async (typed: string, name: string) => {
        await page.keyboard.press('Control+k')
        await command.fill(typed)
        await page.getByRole('button', { name, exact: true }).last().click()
      }
      await open('/app/settings/workspace')
      await page.getByRole('button', { name: 'Create workspace' }).waitFor()
      const screen = await page
        .locator('main')
        .getByRole('button')
        .evaluateAll(buttons => buttons.map(each => each.textContent))
      await page.keyboard.press('Control+k')
      await command.waitFor()
      for (const name of screen)
        await page
          .getByRole('dialog')
          .getByText(name ?? '', { exact: true })
          .first()
          .waitFor()
      await page.keyboard.press('Escape')
      await command.waitFor({ state: 'detached' })
      await go('/app/groups')
      await page.getByRole('button', { name: 'New group' }).waitFor()
      await run('new group', 'New group')
      await page.getByRole('dialog').getByLabel('Name').waitFor()
      await page.keyboard.press('Escape')
      for (const [typed, title] of [
        ['new sol', 'New Solution'],
        ['write a', 'Write a signal'],
      ] as const) {
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await run(typed, title)
        await page.getByRole('dialog', { name: title }).waitFor()
        await page.keyboard.press('Escape')
      }
    })

    it('lists the keys of the screen at `?`, which rest while somebody writes', async () => {
      const { page, go, checkAccess, screenshot } = visit()
      await go(PATH)
      await page.getByLabel('Label').fill('')
      await page.getByLabel('Label').press('?')
      assert.equal(await page.getByLabel('Label').inputValue(), '?')
      assert.equal(await page.getByRole('dialog').count(), 0)
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('?')
      const help = page.getByRole('dialog', { name: 'Keyboard' })
      await help.getByText('Create a key for an agent').waitFor()
      const lineOf = (does: string) => help.getByRole('listitem').filter({ hasText: does })
      assert.equal(await lineOf('New Solution').textContent(), 'New SolutionShiftS')
      assert.equal(await lineOf('Go to Claims').textContent(), 'Go to ClaimsGC')
      await checkAccess()
      await screenshot('keys')
      await page.keyboard.press('Escape')
      await help.waitFor({ state: 'detached' })
      await page.keyboard.press('g')
      await page.keyboard.press('c')
      await page.waitForURL('**/app/claims')
    })
  })
}
