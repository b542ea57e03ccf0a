import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeEveryState } from '../every-state.ts'
import { EXPORTS, INVOICES, MARKUP } from '../merges-story.ts'
import { comesToBe, DESKTOP, PHONE } from '../visit.ts'
import { actsOf, type Story } from './acts.ts'

/** The claims that came of the story, after its exports were merged. */
export const describeClaims = (story: () => Story): void => {
  const { visit, lookUp, says, undo } = actsOf(story)
  const has = (id: string, count: number) => async () => (await lookUp(id)).evidence.count === count
  const isKnownAs = (id: string, reference: string) => async () => (await lookUp(id)).reference === reference

  describe('Claims', () => {
    it('lists them by what is behind each, filtered and searched in the address', async () => {
      const { page, open } = visit()
      await open('/app/claims')
      await page
        .getByRole('table', { name: 'Claims' })
        .getByText(story().claims[EXPORTS[0]] ?? '')
        .waitFor()
      await page.getByRole('combobox', { name: 'Kind' }).click()
      await page.getByRole('option', { name: 'opportunity' }).click()
      await page.getByText('No claim matches').waitFor()
      assert.match(page.url(), /kind=opportunity/)
      await page.getByRole('button', { name: 'Clear' }).click()
      await page.getByRole('searchbox', { name: 'Search claims' }).fill('invoice tax')
      await page.getByText(INVOICES[0].slice(0, 40)).first().waitFor()
      await page.waitForURL(url => url.searchParams.get('query') === 'invoice tax')
      await page.reload()
      await page
        .getByRole('link', { name: story().claims[INVOICES[0]] ?? '', exact: true })
        .first()
        .click()
      await page.getByRole('heading', { level: 1, name: INVOICES[0].slice(0, 30) }).waitFor()
    })

    it('makes one claim of those that are chosen, over a search too, and one undo parts them again', async () => {
      const { page, open, checkAccess } = visit()
      const [home, other] = [story().claims[EXPORTS[0]] ?? '', story().claims[INVOICES[0]] ?? '']
      await open('/app/claims')
      await page.getByRole('checkbox', { name: `Choose ${other}`, exact: true }).check()
      await page.getByText('1 claim chosen').waitFor()
      await page.getByRole('searchbox', { name: 'Search claims' }).fill('export')
      await page.getByText('found, the best first').waitFor()
      await page.getByRole('main').getByRole('link', { name: home, exact: true }).focus()
      await page.keyboard.press('x')
      await page.getByText('2 claims chosen').waitFor()
      await page.keyboard.press('m')
      const dialog = page.getByRole('dialog', { name: 'Make one claim' })
      await dialog.getByRole('combobox', { name: 'Which one stays' }).click()
      await page.getByRole('option', { name: new RegExp(`^${home} `) }).click()
      await checkAccess()
      await dialog.getByRole('checkbox', { name: 'Merge them even if someone said that they are not the same' }).check()
      await dialog.getByRole('button', { name: `Merge into ${home}` }).click()
      await says(`1 claim merged into ${home}.`)
      assert.equal((await lookUp(other)).reference, home)
      await page.getByText(/claims? chosen/).waitFor({ state: 'detached' })
      await undo(isKnownAs(other, other))
      // The dialog is asked for anew each time: to choose two opens nothing.
      await page.getByRole('searchbox', { name: 'Search claims' }).fill('')
      for (const claim of [home, other])
        await page.getByRole('checkbox', { name: `Choose ${claim}`, exact: true }).check()
      await page.getByText('2 claims chosen').waitFor()
      assert.equal(await dialog.count(), 0)
      await page.getByRole('button', { name: 'Choose none' }).click()
    })

    it('chooses a range by Shift, with the pointer and by keys, and all that is loaded', async () => {
      const { page, open } = visit()
      await open('/app/claims')
      const boxes = page.getByRole('main').getByRole('checkbox', { name: /^Choose CLM-/ })
      await boxes.first().waitFor()
      const count = await boxes.count()
      assert.ok(count >= 4)
      const chosen = async (places: readonly number[]) => {
        await page.getByText(`${places.length} claims chosen`).waitFor()
        const are = await Promise.all((await boxes.all()).map(box => box.isChecked()))
        assert.deepEqual(
          are.flatMap((is, place) => (is ? [place] : [])),
          places,
        )
      }
      await boxes.nth(2).click()
      await boxes.nth(0).click({ modifiers: ['Shift'] })
      await chosen([0, 1, 2])
      // It goes on from where it began, and what is beyond it is chosen no more.
      await page
        .getByRole('main')
        .locator('tbody tr')
        .nth(3)
        .locator('td')
        .nth(2)
        .click({ modifiers: ['Shift'] })
      await chosen([2, 3])
      await page.keyboard.press('Escape')
      await page.getByRole('main').locator('tbody a').nth(1).focus()
      await page.keyboard.press('Shift+ArrowDown')
      await chosen([1, 2])
      await page.keyboard.press('Shift+ArrowDown')
      await chosen([1, 2, 3])
      await page.keyboard.press('Shift+ArrowUp')
      await chosen([1, 2])
      await page.keyboard.press('Escape')
      await page.keyboard.press('ControlOrMeta+a')
      await chosen(Array.from({ length: count }, (_, place) => place))
      await page.keyboard.press('Escape')
      await page.getByText(/claims? chosen/).waitFor({ state: 'detached' })
    })

    it('keeps what was chosen in the sheet of a phone’s filters when Back closes it', async () => {
      const { page, open } = visit()
      await page.setViewportSize(PHONE)
      try {
        await open('/app/claims')
        await page.getByRole('button', { name: 'Filters' }).click()
        const sheet = page.getByRole('dialog', { name: 'Filters' })
        const kind = sheet.getByRole('combobox', { name: 'Kind' })
        await kind.click()
        await page.getByRole('option', { name: 'problem' }).click()
        await comesToBe(() => kind.inputValue(), 'problem')
        await page.goBack()
        await sheet.waitFor({ state: 'detached' })
        await page.waitForURL(({ search }) => search === '?kind=problem')
        await page.getByRole('button', { name: 'Filters (1)' }).click()
        await sheet.getByRole('button', { name: 'Show the list' }).click()
        await sheet.waitFor({ state: 'detached' })
        await page.waitForURL(({ search }) => search === '?kind=problem')
      } finally {
        await page.setViewportSize(DESKTOP)
      }
    })

    it('has every list gone through by j and k; Enter opens a line, and Esc comes back to it', async () => {
      const { page, open } = visit()
      const row = page.locator(':is(tr, li):has(> :focus, > * :focus)').last()
      const goes = async (key: string, from: string | null) => {
        await page.keyboard.press(key)
        await row.waitFor()
        const text = await row.textContent()
        assert.notEqual(text, from)
        return text
      }
      for (const path of ['/app/decisions', '/app/claims']) {
        await open(path)
        await page.locator('main :is(tbody tr, li) :is(a, button)').first().waitFor()
        const first = await goes('j', null)
        if ((await page.locator('main :is(tbody tr, ol > li)').count()) === 1) continue
        const second = await goes('j', first)
        assert.equal(await goes('k', second), first)
      }
      const line = await row.textContent()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/app/claims/CLM-*')
      // The list stays, with its heading, until the claim's own screen is there; a list of the navigation is called so,
      // too.
      await page.locator('main').getByRole('list', { name: 'Evidence' }).waitFor()
      await page.keyboard.press('Escape')
      await page.waitForURL('**/app/claims')
      await page.locator('main tbody a').first().waitFor()
      assert.equal(await goes('j', null), line)
    })

    describeEveryState(visit, {
      screen: 'claims',
      path: '/app/claims',
      reads: 'analyze_claims',
      shows: 'without a Solution',
    })

    it('shows why each piece of evidence is there, and the old reference leads to the survivor', async () => {
      const { page, go } = visit()
      const merged = story().claims[EXPORTS[2]] ?? ''
      await go(`/app/claims/${merged}`)
      const evidence = page.locator('main').getByRole('list', { name: 'Evidence' })
      await evidence.getByText('It started the claim.').first().waitFor()
      await evidence.getByText('the judge (test-judge)').waitFor()
      await evidence.getByText(`came with ${merged}`).waitFor()
      await page.getByRole('heading', { name: 'Merged into it' }).waitFor()
    })

    it('pulls a merged claim apart and a signal out, and undoes both', async () => {
      const { page } = visit()
      const [home, merged] = [story().claims[EXPORTS[0]] ?? '', story().claims[EXPORTS[2]] ?? '']
      await page.getByRole('button', { name: `Undo merge of ${merged}` }).click()
      await says(/separate from/)
      assert.equal((await lookUp(merged)).reference, merged)
      await undo(isKnownAs(merged, home))
      const { count } = (await lookUp(home)).evidence
      await page
        .getByRole('button', { name: /^Detach SIG-\d+$/ })
        .first()
        .click()
      await says(/claim of its own/)
      assert.equal((await lookUp(home)).evidence.count, count - 1)
      await undo(has(home, count))
    })

    it('is renamed in its place by keyboard, and has its title back by undo', async () => {
      const { page, open } = visit()
      const home = story().claims[EXPORTS[0]] ?? ''
      // As it is after what was undone before: an older one would be told that it has changed.
      await open(`/app/claims/${home}`)
      await page.getByRole('button', { name: 'Rename' }).waitFor()
      const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
      await page.keyboard.press('e')
      await visit().type('Exports of large boards fail')
      await page.keyboard.press('Enter')
      await says(`${home} is renamed.`)
      await page.getByRole('heading', { level: 1, name: 'Exports of large boards fail' }).waitFor()
      await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    })

    it('splits several pieces off as a claim, and undoes it', async () => {
      const { page, open } = visit()
      const home = story().claims[EXPORTS[0]] ?? ''
      await open(`/app/claims/${home}`)
      const { count } = (await lookUp(home)).evidence
      const choices = page.getByRole('checkbox', { name: /^Choose SIG-/ })
      await choices.first().check()
      await page.getByRole('status').filter({ hasText: '1 signal chosen' }).waitFor()
      await page.getByRole('button', { name: 'Split off as a claim' }).click()
      await says(/is split off/)
      assert.equal((await lookUp(home)).evidence.count, count - 1)
      await undo(has(home, count))
    })

    it('merges into a claim that the judge had refused, chosen by keyboard, and undoes it', async () => {
      const { page, open, checkAccess } = visit()
      const [one, other] = [story().claims[MARKUP] ?? '', story().claims[EXPORTS[0]] ?? '']
      await open(`/app/claims/${one}`)
      await page.getByRole('button', { name: 'Merge into…' }).waitFor()
      await page.keyboard.press('m')
      const search = page.getByRole('searchbox', { name: 'Find a claim' })
      await search.fill(other)
      await page.getByRole('list', { name: 'Found' }).getByText(other).waitFor()
      await page.getByText('someone said: not the same').waitFor()
      await checkAccess()
      // Enter leads to the first one found, which says what it is; nothing is merged before it is pressed itself.
      await search.press('Enter')
      await page.locator('button:focus').filter({ hasText: other }).waitFor()
      assert.equal((await lookUp(one)).reference, one)
      await page.keyboard.press('Enter')
      await says(`${one} is merged into ${other}.`)
      assert.equal((await lookUp(one)).reference, other)
      await undo(isKnownAs(one, one))
    })

    it('resolves it, links a Solution and takes notes', async () => {
      const { page, person, open } = visit()
      const id = story().claims[EXPORTS[0]] ?? ''
      await person.call('create_solution', { title: 'Stream exports', comment: 'Agreed.' })
      await open(`/app/claims/${id}`)
      await page.getByRole('button', { name: 'Resolve' }).click()
      await page.getByRole('menuitem', { name: /^established/ }).click()
      await says(`${id} is established.`)
      await page.keyboard.press('l')
      const choice = page.getByRole('list', { name: 'Found' }).getByText('Stream exports')
      await page.getByRole('searchbox', { name: 'Find a Solution' }).fill('SOL-1')
      await choice.click()
      await says(`SOL-1 answers ${id}.`)
      const { state, answering_solutions } = await lookUp(id)
      assert.deepEqual([state, answering_solutions.map(({ reference }) => reference)], ['established', ['SOL-1']])
      await page.getByLabel('A note').fill('The queue <b>drops</b> big boards.')
      await page.getByRole('button', { name: 'Save note' }).click()
      await page.getByRole('listitem').getByText('The queue <b>drops</b> big boards.').waitFor()
    })

    describeEveryState(visit, {
      screen: 'claim',
      path: '/app/claims/CLM-1',
      reads: 'lookup_claim',
      shows: 'It started the claim',
    })

    it('offers a viewer nothing that viewers may not do', async () => {
      const { page, open, go, asViewer } = visit()
      await asViewer(async () => {
        await open('/app/claims/CLM-1')
        await page.getByText('It started the claim').first().waitFor()
        const buttons = await page.locator('main').getByRole('button').allTextContents()
        assert.deepEqual(
          buttons.filter(text => text !== 'Show more'),
          [],
        )
        assert.equal(await page.locator('main').getByRole('checkbox').count(), 0)
        await go('/app/proposals')
        await page.getByText('An owner can change that.').waitFor()
      })
    })

    it('says that there is no such claim', async () => {
      const { page, open, expectStatus } = visit()
      expectStatus(404)
      await open('/app/claims/CLM-9999')
      await page.getByRole('alert').filter({ hasText: 'CLM-9999' }).waitFor()
    })
  })
}
