import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { describeEveryState } from './every-state.ts'
import { EXPORTS, INVOICES, MARKUP, QUESTION } from './merges-story.ts'
import { comesToBe, DESKTOP, PHONE, type Visit } from './visit.ts'

interface Told {
  readonly visit: Visit
  /** References by text. */
  readonly claims: Readonly<Record<string, string>>
  readonly signals: Readonly<Record<string, string>>
}

interface Claim {
  readonly reference: string
  readonly state: string
  readonly evidence: { readonly count: number }
  readonly answering_solutions: readonly { readonly reference: string }[]
}

/** The claims that came of the story, after its exports were merged. */
export const describeClaims = (told: () => Told): void => {
  const visit = () => told().visit
  const lookUp = (id: string) => visit().person.call<Claim>('lookup_claim', { id })
  const says = (text: string | RegExp) => visit().page.getByRole('alert').filter({ hasText: text }).first().waitFor()
  const undo = async (isUndone: () => Promise<boolean>) => {
    await visit().page.keyboard.press('z')
    await eventually('it is undone', async () => (await isUndone()) || null)
    await says('Undone.')
  }
  const has = (id: string, count: number) => async () => (await lookUp(id)).evidence.count === count
  const isKnownAs = (id: string, reference: string) => async () => (await lookUp(id)).reference === reference

  describe('Claims', () => {
    it('lists them by what is behind each, filtered and searched in the address', async () => {
      const { page, open } = visit()
      await open('/app/claims')
      await page
        .getByRole('table', { name: 'Claims' })
        .getByText(told().claims[EXPORTS[0]] ?? '')
        .waitFor()
      await page.getByRole('combobox', { name: 'Kind' }).click()
      await page.getByRole('option', { name: 'opportunity' }).click()
      await page.getByText('No claim is like that').waitFor()
      assert.match(page.url(), /kind=opportunity/)
      await page.getByRole('button', { name: 'Clear' }).click()
      await page.getByRole('searchbox', { name: 'Search claims' }).fill('invoice tax')
      await page.getByText(INVOICES[0].slice(0, 40)).first().waitFor()
      assert.match(page.url(), /query=invoice/)
      await page.reload()
      await page
        .getByRole('link', { name: told().claims[INVOICES[0]] ?? '', exact: true })
        .first()
        .click()
      await page.getByRole('heading', { level: 1, name: INVOICES[0].slice(0, 30) }).waitFor()
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
      const merged = told().claims[EXPORTS[2]] ?? ''
      await go(`/app/claims/${merged}`)
      const evidence = page.locator('main').getByRole('list', { name: 'Evidence' })
      await evidence.getByText('It started the claim.').first().waitFor()
      await evidence.getByText('the judge, test-judge').waitFor()
      await evidence.getByText(`came with ${merged}`).waitFor()
      await page.getByRole('heading', { name: 'Merged into it' }).waitFor()
    })

    it('pulls a merged claim apart and a signal out, and undoes both', async () => {
      const { page } = visit()
      const [home, merged] = [told().claims[EXPORTS[0]] ?? '', told().claims[EXPORTS[2]] ?? '']
      await page.getByRole('button', { name: `Undo merge of ${merged}` }).click()
      await says(/apart from/)
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
      const home = told().claims[EXPORTS[0]] ?? ''
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
      const home = told().claims[EXPORTS[0]] ?? ''
      await open(`/app/claims/${home}`)
      const { count } = (await lookUp(home)).evidence
      const choices = page.getByRole('checkbox', { name: /^Choose SIG-/ })
      await choices.first().check()
      await page.getByRole('button', { name: 'Split off as a claim' }).click()
      await says(/is split off/)
      assert.equal((await lookUp(home)).evidence.count, count - 1)
      await undo(has(home, count))
    })

    it('merges into a claim that the judge had refused, chosen by keyboard, and undoes it', async () => {
      const { page, open, checkAccess } = visit()
      const [one, other] = [told().claims[MARKUP] ?? '', told().claims[EXPORTS[0]] ?? '']
      await open(`/app/claims/${one}`)
      await page.getByRole('button', { name: 'Merge into…' }).waitFor()
      await page.keyboard.press('m')
      const search = page.getByRole('searchbox', { name: 'Find a claim' })
      await search.fill(other)
      await page.getByRole('list', { name: 'Found' }).getByText(other).waitFor()
      await page.getByText('kept apart until now').waitFor()
      await checkAccess()
      await search.press('Enter')
      await says(`${one} is merged into ${other}.`)
      assert.equal((await lookUp(one)).reference, other)
      await undo(isKnownAs(one, one))
    })

    it('begins a Solution and a signal from anywhere, by key and as a command', async () => {
      const { page, go } = visit()
      await go('/app/strategy')
      const dialog = page.getByRole('dialog', { name: 'New Solution' })
      await eventually('it opens', async () => {
        await page.keyboard.press('S')
        return (await dialog.isVisible()) || null
      })
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.keyboard.press('Control+k')
      await page.getByRole('textbox', { name: 'Command' }).pressSequentially('new solution')
      await page.getByRole('button', { name: 'New Solution' }).first().click()
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
        return (await dialog.isVisible()) || null
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

    it('resolves it, links a Solution and takes notes', async () => {
      const { page, person, open } = visit()
      const id = told().claims[EXPORTS[0]] ?? ''
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

    it('makes a Solution of a claim by keyboard, once however often it is sent, and stays where it was begun', async () => {
      const { page, open, person, checkAccess, screenshot } = visit()
      const id = told().claims[INVOICES[0]] ?? ''
      await open('/app/claims')
      await page.getByRole('button', { name: `New Solution for ${id}` }).waitFor()
      const link = page.getByRole('link', { name: id, exact: true })
      for (let moves = 0; moves < 20 && !(await link.evaluate(each => each.matches(':focus'))); moves += 1) {
        await page.keyboard.press('j')
      }
      await page.keyboard.press('s')
      const dialog = page.getByRole('dialog', { name: 'New Solution' })
      await dialog.getByText(`${id} ${INVOICES[0].slice(0, 20)}`).waitFor()
      await checkAccess()
      await screenshot('claim-new-solution')
      await visit().type('Name the tax in every invoice')
      await page.keyboard.press('Control+Enter')
      await page.keyboard.press('Control+Enter')
      await dialog.waitFor({ state: 'detached' })
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
      await page.getByRole('button', { name: 'New Solution' }).click()
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

  describe('A signal', () => {
    it('shows the words first, whose they are and where they were said, and hostile text as text', async () => {
      const { page, open } = visit()
      await open(`/app/signals/${told().signals[MARKUP]}`)
      await page.getByRole('blockquote').getByText(MARKUP).waitFor()
      const title = await page.title()
      assert.ok(title.startsWith(`${told().signals[MARKUP]} `) && title.endsWith('· Assay'), title)
      assert.equal(await page.locator('main script, main img, main b, main i').count(), 0)
      const said = page.getByRole('figure').getByRole('link', { name: 'desk.example.com' })
      assert.equal(await said.getAttribute('href'), 'https://desk.example.com/7')
      await page.locator('main summary').first().waitFor()
      const heights = await page.evaluate<number[]>(
        `['blockquote', 'summary'].map(part => document.querySelector('main ' + part).getBoundingClientRect().top)`,
      )
      assert.ok((heights[0] ?? 0) < (heights[1] ?? 0), 'the pipeline comes last')
    })

    it('says in one line where it stands in the pipeline, and unfolds its way through the nine steps', async () => {
      const { page, checkAccess, screenshot } = visit()
      await eventually('its activity is there', async () => {
        await page.reload()
        await page.getByText('Went through all steps').click()
        const ended = page.getByRole('cell', { name: 'cluster', exact: true })
        await ended.or(page.getByText('Its activity is not there yet')).first().waitFor()
        return (await ended.count()) > 0 || null
      })
      await checkAccess()
      await screenshot('signal-way')
    })

    it('is promoted, and taken back, from where it is read', async () => {
      const { page, open } = visit()
      await open(`/app/signals/${told().signals[QUESTION]}`)
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'to a problem of its own' }).click()
      await page.getByRole('link', { name: /^CLM-/ }).first().waitFor()
      await undo(() => page.getByText('No claim.').isVisible())
    })

    it('shows who repeated it; what is no repeat becomes a signal of its own, and is undone', async () => {
      const { page, person, open } = visit()
      const original = told().signals[QUESTION] ?? ''
      const said = { text: QUESTION, actor_name: 'Somebody else', source_url: 'https://desk.example.com/8' }
      const { snippet_id: id } = await person.call<{ snippet_id: string }>('capture_signal', said)
      const becomes = (wanted: string) =>
        eventually(`it is ${wanted}`, async () => {
          const found = await person.call<{ status: string }>('lookup_signal', { id }).catch(() => null)
          return found?.status === wanted || null
        })
      await becomes('duplicate')
      await open(`/app/signals/${original}`)
      const repeats = page.getByRole('region', { name: `Repeats of ${original}` })
      await repeats.getByText('Somebody else').waitFor()
      await repeats.getByRole('link', { name: 'desk.example.com' }).waitFor()
      await repeats.getByRole('button', { name: 'Not a repeat: Somebody else' }).click()
      await says(/on its way to be a signal of its own/)
      await becomes('inserted')
      await page.getByRole('button', { name: 'Undo' }).first().click()
      await becomes('duplicate')
      await repeats.getByText('Somebody else').waitFor()
    })

    describeEveryState(visit, {
      screen: 'signal',
      path: '/app/signals/SIG-1',
      reads: 'lookup_signal',
      shows: 'Where it came from',
    })
  })

  describe('Decisions', () => {
    describeEveryState(visit, {
      screen: 'decisions',
      path: '/app/decisions',
      reads: 'lookup_decision',
      shows: 'in the app',
    })

    it('shows what one changed, and takes it back as a Decision of its own', async () => {
      const { page, person, go } = visit()
      const id = told().signals[QUESTION]
      const { decision } = await person.call<{ decision: { reference: string } }>('triage', {
        action: 'dismiss',
        signal_id: id,
      })
      await go(`/app/decisions/${decision.reference}`)
      await page
        .getByRole('list', { name: 'Changes' })
        .getByText(id ?? '')
        .waitFor()
      await page.getByRole('button', { name: 'Reverse' }).click()
      await says(/It is taken back, as DEC-\d+/)
      const { signal } = await person.call<{ signal: { state: string } }>('lookup_signal', { id })
      assert.equal(signal.state, 'triage')
    })

    describeEveryState(visit, {
      screen: 'decision',
      path: '/app/decisions/DEC-1',
      reads: 'lookup_decision',
      shows: 'What it changed',
    })
  })
}
