import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { describeEveryState } from './every-state.ts'
import { PHONE, startVisit, type Visit } from './visit.ts'

interface Member {
  readonly reference: string
  readonly text: string
  readonly is_doubtful: boolean
  readonly claim: string | null
}

interface Theme {
  readonly reference: string
  readonly name: string
  readonly signals: number
  readonly quotes: readonly { readonly text: string }[]
  readonly items: readonly Member[]
}

describe('Themes', () => {
  let visit: Visit
  let theme: Theme
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  const member = (reference: string) => visit.page.getByRole('listitem', { name: reference, exact: true })
  const tick = (reference: string) => visit.page.getByRole('checkbox', { name: `Choose ${reference}`, exact: true })

  it('say when they are looked for where there are none', async () => {
    const { page, open, checkAccess } = visit
    await open('/app/themes')
    await page.getByText('No theme is found yet').waitFor()
    await checkAccess()
    await page.getByRole('link', { name: 'Jobs' }).click()
    await page.waitForURL('**/app/pipeline/jobs')
  })

  it('are found in the sample data', async () => {
    const { page, person } = visit
    const { id } = await person.call<{ id: string }>('create_workspace', { name: 'Sample', sandbox: true })
    const inside = person.inWorkspace(id)
    await inside.call('reset_sandbox')
    await inside.call('start_job', { job_kind: 'find_themes' })
    await eventually('themes are found', async () => {
      const { items } = await inside.call<{ items: readonly Theme[] }>('list_themes')
      return items.length > 0
    })
    visit = { ...visit, person: inside }
    await page.evaluate(`sessionStorage.setItem('assay-workspace', '${id}')`)
    const { items } = await inside.call<{ items: readonly Theme[] }>('list_themes')
    for (const { reference } of items) {
      const found = await inside.call<Theme>('lookup_theme', { id: reference })
      if (found.items.some(({ is_doubtful }) => is_doubtful)) theme ??= found
    }
    assert.ok(theme, 'one of them has doubtful signals')
  })

  describeEveryState(() => visit, {
    screen: 'themes',
    path: '/app/themes',
    reads: 'list_themes',
    shows: 'those with most signals first',
  })
  describeEveryState(() => visit, {
    screen: 'theme',
    path: '/app/themes/THM-1',
    reads: 'lookup_theme',
    shows: 'In their words',
  })

  it('are listed with the sentence that tells most, and lead to their pages by keys', async () => {
    const { page, open } = visit
    await open('/app/triage')
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.waitForURL('**/app/themes')
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: theme.reference, exact: true }) })
    await row.getByText(theme.quotes[0]?.text ?? '').waitFor()
    assert.equal(await row.getByRole('cell').nth(2).textContent(), `${theme.signals}`)
    await page.getByRole('link', { name: theme.reference, exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: theme.name }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/app/themes')
  })

  it('show their signals, the surest first, with the doubtful ones at the end and not ticked', async () => {
    const { page, open, checkAccess } = visit
    await open(`/app/themes/${theme.reference}`)
    for (const { text } of theme.quotes) await page.getByText(text).first().waitFor()
    const shown = await page.getByRole('checkbox').evaluateAll(boxes => boxes.map(box => box.ariaLabel))
    assert.deepEqual(
      shown,
      theme.items.map(({ reference }) => `Choose ${reference}`),
    )
    for (const { reference, text, is_doubtful, claim } of theme.items) {
      assert.equal(await tick(reference).isChecked(), !is_doubtful, reference)
      await member(reference).getByText(text).waitFor()
      if (claim !== null) await member(reference).getByRole('link', { name: claim, exact: true }).waitFor()
    }
    await checkAccess()
  })

  it('make the ticked signals evidence of one claim by a key, as one Decision with one undo', async () => {
    const { page, person, open, screenshot } = visit
    const claimsOf = async (reference: string) => {
      const { signal } = await person.call<{ signal: { claims: readonly { reference: string }[] } }>('lookup_signal', {
        id: reference,
      })
      return signal.claims.map(({ reference }) => reference)
    }
    const claimsOfAll = () => Promise.all(theme.items.map(({ reference }) => claimsOf(reference)))
    const before = await claimsOfAll()
    await open(`/app/themes/${theme.reference}`)
    const [out] = theme.items
    const ticked = theme.items.filter(each => each !== out && !each.is_doubtful).map(({ reference }) => reference)
    assert.ok(out && ticked.length > 1)
    await page.getByText(`${ticked.length + 1} signals chosen`).waitFor()
    await page.keyboard.press('j')
    await member(out.reference).locator('a:focus').waitFor()
    await page.keyboard.press('x')
    assert.equal(await tick(out.reference).isChecked(), false)
    await page.getByText(`${ticked.length} signals chosen`).waitFor()
    await screenshot('theme-ticked')
    const { count: decisions } = await person.call<{ count: number }>('lookup_decision')
    await page.keyboard.press('1')
    const said = page.getByRole('alert').filter({ hasText: /Evidence of CLM-\d+ now/ })
    const [claim = ''] = /CLM-\d+/.exec((await said.textContent()) ?? '') ?? []
    for (const reference of ticked) {
      assert.ok((await claimsOf(reference)).includes(claim), `${reference} is evidence of ${claim}`)
      await member(reference).getByRole('link', { name: /^CLM-/ }).waitFor()
    }
    assert.equal((await person.call<{ count: number }>('lookup_decision')).count, decisions + 1)
    await page.keyboard.press('z')
    await page.getByText('Undone.').waitFor()
    assert.deepEqual(await claimsOfAll(), before)
  })

  it('say what is missing where nothing is ticked, and keep the keys after a click', async () => {
    const { page, open } = visit
    await open(`/app/themes/${theme.reference}`)
    const gather = page.getByRole('button', { name: 'Make the ticked ones evidence of one claim' })
    await gather.waitFor()
    for (const { reference, is_doubtful } of theme.items) if (!is_doubtful) await tick(reference).click()
    await page.getByText('0 signals chosen').waitFor()
    assert.equal(await gather.getAttribute('aria-description'), 'Tick the signals that speak of one thing.')
    await page.keyboard.press('x')
    await page.getByText('1 signal chosen').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Make the ticked ones evidence of one claim').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('keep what a person says of a theme as a whole, until it is undone', async () => {
    const { page, person, open } = visit
    const said = (text: string) => page.getByRole('alert').filter({ hasText: text })
    const first = async () => (await person.call<{ items: readonly Theme[] }>('list_themes')).items[0]
    await open(`/app/themes/${theme.reference}`)
    await page.getByRole('button', { name: 'Pin', exact: true }).click()
    await said('Pinned: it comes first now.').waitFor()
    await page.getByRole('button', { name: 'Unpin' }).waitFor()
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'Title' }).fill('A name of ours')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'A name of ours' }).waitFor()
    const { reference, name } = (await first()) ?? assert.fail('There is no theme.')
    assert.deepEqual([reference, name], [theme.reference, 'A name of ours'])
    await said('Renamed.').waitFor()
    await page.keyboard.press('0')
    await page.getByRole('button', { name: 'List again' }).waitFor()
    await said('Not one thing: it is among those put aside.').waitFor()
    for (const next of ['Unpin', 'Unpin', 'Pin']) {
      await page.keyboard.press('z')
      await page.getByRole('button', { name: next, exact: true }).waitFor()
    }
    await page.getByRole('heading', { level: 1, name: theme.name }).waitFor()
  })

  it('are listed apart where they are put aside', async () => {
    const { page, person, open, checkAccess } = visit
    const { count } = await person.call<{ count: number }>('list_themes')
    await person.call('update_theme', { theme_id: theme.reference, standing: 'hidden' })
    await open('/app/themes')
    await page
      .getByText(`${count - 1} theme`)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Put aside: 1' }).click()
    await page.getByRole('link', { name: theme.reference, exact: true }).waitFor()
    await page.getByText('1 theme put aside.').waitFor()
    await checkAccess()
    await person.call('update_theme', { theme_id: theme.reference, standing: 'listed' })
  })

  it('offer what likely belongs to them, too, to be taken or kept out by a key', async () => {
    const { page, open, screenshot } = visit
    await open(`/app/themes/${theme.reference}`)
    const offered = page.getByRole('list', { name: 'Likely, too' }).getByRole('listitem')
    const first = async () => (await offered.first().getAttribute('aria-label')) ?? ''
    const one = await first()
    await member(one).locator('a').first().focus()
    await page.keyboard.press('y')
    await page.getByRole('alert').filter({ hasText: 'Of this theme now: 1 signal.' }).waitFor()
    await tick(one).waitFor()
    await member(one).getByText('confirmed').waitFor()
    // What is offered is read again, and may be others now.
    await offered.and(member(one)).waitFor({ state: 'detached' })
    await screenshot('theme-candidates')
    const other = await first()
    await member(other).locator('a').first().focus()
    await page.keyboard.press('n')
    await page.getByRole('alert').filter({ hasText: 'Kept out of this theme: 1 signal.' }).waitFor()
    await member(other).waitFor({ state: 'detached' })
    await page.keyboard.press('z')
    await member(other).waitFor()
    await page.keyboard.press('z')
    await tick(one).waitFor({ state: 'detached' })
  })

  it('let a viewer look, and tick nothing', async () => {
    const { page, open, asViewer } = visit
    await asViewer(async () => {
      await open(`/app/themes/${theme.reference}`)
      await member(theme.items[0]?.reference ?? '').waitFor()
      assert.equal(await page.getByRole('checkbox').count(), 0)
      assert.equal(await page.getByRole('button', { name: /Pin|Hide|Belongs to it/ }).count(), 0)
    })
  })

  it('are opened by their reference wherever that is written', async () => {
    const { page, open } = visit
    const [first] = theme.items
    assert.ok(first)
    await open(`/app/signals/${first.reference}`)
    await page.getByRole('textbox', { name: 'Comment' }).fill(`It belongs to ${theme.reference}.`)
    await page.getByRole('button', { name: 'Comment' }).click()
    await page.getByRole('link', { name: theme.reference, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: theme.name }).waitFor()
  })

  it('fit on a phone', async () => {
    const { page, open, noSideScroll } = visit
    await page.setViewportSize(PHONE)
    await open('/app/themes')
    await page
      .getByText(/\d+ signals · \d+ claims? · \d+ Solutions?/)
      .first()
      .waitFor()
    await noSideScroll()
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
