import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { comesToBe, type Visit } from '../visit.ts'

const PATH = '/app/settings/connect-agents'

/** The command palette, and the keys of a screen. */
export const describePalette = (visit: () => Visit): void => {
  describe('by keyboard', () => {
    it('opens the palette by keyboard, goes to a screen by its name, and to a reference', async () => {
      const { page, open, checkAccess } = visit()
      await open('/app')
      const command = page.getByRole('combobox', { name: 'Command' })
      await page.keyboard.press('Control+k')
      await command.waitFor()
      await checkAccess()
      await command.pressSequentially('connect ag')
      await page.getByRole('option', { name: 'Connect agents', selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(`**${PATH}`)
      await page.getByRole('status').filter({ hasText: 'Connect agents · Assay' }).waitFor()
      await comesToBe(() => page.evaluate('document.activeElement.id'), 'main')
      await page.keyboard.press('Control+k')
      await command.pressSequentially('clm-12')
      await page.getByRole('option', { name: 'Open CLM-12', selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/app/claims/CLM-12')
    })

    it('is a combobox with a listbox: says how many fit, and which one is active', async () => {
      const { page, go } = visit()
      await go(PATH)
      await page.getByRole('heading', { level: 1, name: 'Connect agents' }).waitFor()
      await page.keyboard.press('Control+k')
      const command = page.getByRole('combobox', { name: 'Command' })
      const palette = page.getByRole('dialog', { name: 'Command palette' })
      const options = palette.getByRole('listbox', { name: 'Commands' }).getByRole('option')
      /** The one that the field says is active, which is the only one that is selected. */
      const active = () =>
        page.evaluate<string | null>(`(() => {
          const id = document.querySelector('[role=combobox][aria-label=Command]').getAttribute('aria-activedescendant')
          const selected = [...document.querySelectorAll('[role=option][aria-selected=true]')]
            .filter(each => each.closest('[role=listbox]').id === 'commands')
          if (selected.some(each => each.id !== id) || selected.length !== Number(id !== null)) return 'another one'
          return selected[0]?.textContent ?? null
        })()`)
      await command.waitFor()
      assert.equal(await active(), null)
      await command.fill('theme')
      await comesToBe(active, await options.first().textContent())
      await palette
        .getByRole('status')
        .filter({ hasText: `${await options.count()} results` })
        .waitFor()
      await page.keyboard.press('ArrowDown')
      await comesToBe(active, await options.nth(1).textContent())
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await comesToBe(active, await options.last().textContent())
      await command.fill('no such thing anywhere')
      await palette.getByRole('status').filter({ hasText: 'Nothing has this name.' }).waitFor()
      await comesToBe(active, null)
      await page.keyboard.press('Escape')
      await palette.waitFor({ state: 'detached' })
    })

    it('finds claims with their only signal, Solutions, nodes, Decisions, people and sources, by a part of a word and with a typo', async () => {
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
      const command = page.getByRole('combobox', { name: 'Command' })
      for (const typed of ['amexc', 'amexcrad']) {
        await command.fill(typed)
        for (const kind of ['Claim', 'Solution', 'Node of the map', 'Decision']) {
          await page
            .getByRole('option', { name: new RegExp(`· ${kind}|^.*${kind}`) })
            .first()
            .waitFor()
        }
      }
      await command.fill('orders')
      await page.getByRole('option', { name: /Amexcard orders.*Source/ }).waitFor()
      await command.fill('product man')
      await page.getByRole('option', { name: /Member · / }).waitFor()
      await checkAccess()
      await command.fill('amexc')
      await page.getByRole('option', { name: /CLM-1 · SIG-1/ }).waitFor()
      await comesToBe(() => page.getByRole('option', { name: /SIG-1/ }).count(), 1)
      await screenshot('found')
      await page.getByRole('option', { name: /CLM-1/ }).click()
      await page.waitForURL('**/app/claims/CLM-1')
      await visit().enter(null)
    })

    it('finds a screen by what is done there', async () => {
      const { page, open } = visit()
      await open(PATH)
      await page.keyboard.press('Control+k')
      const command = page.getByRole('combobox', { name: 'Command' })
      for (const [typed, screen] of [
        ['invite', 'Members'],
        ['password', 'Account'],
        ['csv', 'Import & export'],
        ['webhook', 'Sources'],
      ] as const) {
        await command.fill(typed)
        await page.getByRole('option', { name: screen, exact: true }).waitFor()
      }
      await page.keyboard.press('Escape')
    })

    it('runs what the screen has a button for, and begins a Solution and a signal from anywhere', async () => {
      const { page, open, go } = visit()
      const command = page.getByRole('combobox', { name: 'Command' })
      const run = async (typed: string, name: string) => {
        await page.keyboard.press('Control+k')
        await command.fill(typed)
        await page.getByRole('option', { name, exact: true }).last().click()
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

    it('says what its words mean, in a panel and where a heading has the pointer', async () => {
      const { page, go, checkAccess, screenshot } = visit()
      await go('/app/claims')
      await page.getByRole('heading', { level: 1, name: 'Claims' }).hover()
      await page.mouse.move(0, 0)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Command' }).fill('What the words mean')
      await page.getByRole('option', { name: 'What the words mean' }).first().waitFor()
      await page.keyboard.press('Enter')
      const words = page.getByRole('dialog', { name: 'What the words mean' })
      for (const word of ['Map node', 'Actors', 'Evidence priority', 'Boost', 'emerging', 'Handoffs'])
        await words.getByRole('term').filter({ hasText: word }).first().waitFor()
      await checkAccess()
      await screenshot('words')
      await page.keyboard.press('Escape')
      await words.waitFor({ state: 'detached' })
      await page.getByRole('heading', { level: 1, name: 'Claims' }).hover()
      await page.locator('h1[title^="A problem or an idea"]').waitFor()
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

    it('presses no key of a single character after these are switched off, and says where they are switched on', async () => {
      const { page, go } = visit()
      await go('/app/claims')
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('?')
      const help = page.getByRole('dialog', { name: 'Keyboard' })
      const line = help.getByRole('listitem').filter({ hasText: 'Go to Board' })
      await line.waitFor()
      const switchKeys = () => help.getByRole('switch', { name: /^Keys of a single character/ }).click()
      await switchKeys()
      await line.waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await help.waitFor({ state: 'detached' })
      for (const key of ['g', 'b', '?', 'S']) await page.keyboard.press(key)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Command' }).fill('Keyboard')
      await page.getByRole('option', { name: 'Keyboard' }).first().click()
      await help.waitFor()
      assert.equal(await page.getByRole('dialog').count(), 1)
      assert.match(page.url(), /\/app\/claims$/)
      await switchKeys()
      await line.waitFor()
      await page.keyboard.press('Escape')
      await help.waitFor({ state: 'detached' })
      await page.keyboard.press('g')
      await page.keyboard.press('b')
      await page.waitForURL('**/app/board')
    })
  })
}
