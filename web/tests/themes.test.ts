import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { describeEveryState } from './every-state.ts'
import { comesToBe, PHONE, startVisit, type Visit } from './visit.ts'

interface Member {
  readonly reference: string
  readonly text: string
  readonly is_doubtful: boolean
  readonly state: string
  readonly claim: string | null
  readonly in_theme?: string
}

interface Theme {
  readonly reference: string
  readonly name: string
  readonly signals: number
  readonly quotes: readonly { readonly text: string }[]
  readonly items: readonly Member[]
  readonly parts: readonly string[]
}

/** Whether its signals, also without the first, become evidence of one claim only by what a person decides. */
const isToBeGathered = ({ items }: Theme): boolean => {
  const [, first, ...others] = items.filter(({ is_doubtful }) => !is_doubtful)
  if (first === undefined || others.length === 0) return false
  return [first, ...others].some(({ claim, state }) => claim !== first.claim || state !== 'accepted')
}

describe('Themes', () => {
  let visit: Visit
  let theme: Theme
  let scattered: Theme
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
    const { id: workspaceId } = await person.call<{ id: string }>('create_workspace', { name: 'Sample', sandbox: true })
    const inside = person.inWorkspace(workspaceId)
    await inside.call('reset_sandbox')
    await inside.call('start_job', { job_kind: 'find_themes' })
    await eventually('themes are found', async () => {
      const { items } = await inside.call<{ items: readonly Theme[] }>('list_themes')
      return items.length > 0
    })
    // What a person cancels does not begin by itself again: no answer below is followed by a computation.
    await eventually('the next computation is cancelled', async () => {
      const { id } = await inside.call<{ id: string }>('start_job', { job_kind: 'find_themes' })
      await inside.call('cancel_job', { id })
      return true
    })
    visit = { ...visit, person: inside }
    await page.evaluate(`sessionStorage.setItem('assay-workspace', '${workspaceId}')`)
    const { items } = await inside.call<{ items: readonly Theme[] }>('list_themes')
    for (const { reference } of items) {
      const found = await inside.call<Theme>('lookup_theme', { id: reference })
      if (found.items.some(({ is_doubtful }) => is_doubtful)) theme ??= found
      if (isToBeGathered(found)) scattered ??= found
    }
    assert.ok(theme, 'one of them has doubtful signals')
    assert.ok(scattered, 'one of them has signals that are not evidence of one claim yet')
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

  it('are listed with sentences that differ, and lead to their pages by keys', async () => {
    const { page, open } = visit
    await open('/app/triage')
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.waitForURL('**/app/themes')
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: theme.reference, exact: true }) })
    assert.ok(theme.quotes.length > 1)
    for (const { text } of theme.quotes) await row.getByText(text).first().waitFor()
    assert.equal(await row.getByRole('cell').nth(2).textContent(), `${theme.signals}`)
    await page.getByRole('link', { name: theme.reference, exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: theme.name }).waitFor()
    // A signal that was opened here leads back here, and from here on to the list.
    const [first] = theme.items
    await member(first?.reference ?? '')
      .locator('a')
      .first()
      .click()
    await page.waitForURL(`**/app/signals/${first?.reference}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate('document.activeElement?.blur?.()')
    await page.keyboard.press('Escape')
    await page.waitForURL(`**/app/themes/${theme.reference}`)
    await page.getByRole('heading', { level: 1, name: theme.name }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/app/themes')
  })

  it('are found by their name in the command palette', async () => {
    const { page, open } = visit
    await open('/app')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).fill(theme.name.slice(0, 30))
    await page.getByRole('option', { name: new RegExp(`${theme.reference} · Theme$`) }).click()
    await page.waitForURL(`**/app/themes/${theme.reference}`)
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
    const claimsOfAll = () => Promise.all(scattered.items.map(({ reference }) => claimsOf(reference)))
    const before = await claimsOfAll()
    await open(`/app/themes/${scattered.reference}`)
    const [out] = scattered.items
    const ticked = scattered.items.filter(each => each !== out && !each.is_doubtful).map(({ reference }) => reference)
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
    const sure = theme.items.filter(({ is_doubtful }) => !is_doubtful).map(({ reference }) => reference)
    await tick(sure[0] ?? '').click()
    // With Shift all between the two become what the second becomes.
    await tick(sure.at(-1) ?? '').click({ modifiers: ['Shift'] })
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
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.fill('A name of ours')
    const release = await visit.hold('lookup_theme')
    await page.keyboard.press('Enter')
    await said('Renamed.').waitFor()
    const { reference, name } = (await first()) ?? assert.fail('There is no theme.')
    assert.deepEqual([reference, name], [theme.reference, 'A name of ours'])
    // The page is still read again, and the field open: a key is one of the page, and not lost in the field.
    await page.keyboard.press('0')
    await release()
    await page.getByRole('heading', { level: 1, name: 'A name of ours' }).waitFor()
    await title.waitFor({ state: 'detached' })
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
    const offered = page.getByRole('list', { name: 'Probably belongs here too' }).getByRole('listitem')
    const first = async () => (await offered.first().getAttribute('aria-label')) ?? ''
    const names = () => offered.evaluateAll(rows => rows.map(row => row.ariaLabel ?? ''))
    const one = await first()
    const [, ...others] = await names()
    // After a tick the list keeps the signals that the person saw. What the person adds comes to them all the same.
    const ticked = page.getByRole('list', { name: 'Signals', exact: true }).getByRole('checkbox').first()
    await ticked.click()
    await ticked.click()
    await member(one).locator('a').first().focus()
    await page.keyboard.press('y')
    await page.getByRole('alert').filter({ hasText: '1 signal added to this theme.' }).waitFor()
    await tick(one).waitFor()
    await member(one).getByText('confirmed').waitFor()
    assert.equal(await page.getByText('This theme has changed meanwhile.').count(), 0)
    // What is offered is read again, and may be others now.
    await offered.and(member(one)).waitFor({ state: 'detached' })
    // The others stay where they are; what is new comes after them.
    assert.deepEqual((await names()).slice(0, others.length), others)
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

  it('offer as the same, by one key with one undo, a theme that a person has added two signals of', async () => {
    const { page, person, open, checkAccess, screenshot } = visit
    const said = (text: string) => page.getByRole('alert').filter({ hasText: text })
    /** A theme with two candidates that another one has in it. */
    const themeWithTwin = async () => {
      for (const { reference } of (await person.call<{ items: readonly Theme[] }>('list_themes')).items) {
        const { items } = await person.call<Theme>('lookup_theme', { id: reference, candidates: true })
        const byTheme = Map.groupBy(items, ({ in_theme }) => in_theme)
        for (const [twin, [one, other]] of byTheme)
          if (twin !== undefined && one !== undefined && other !== undefined) return { reference, twin, one, other }
      }
      assert.fail('No theme has two candidates of another one.')
    }
    const { reference, twin, one, other } = await themeWithTwin()
    const parts = async () => (await person.call<Theme>('lookup_theme', { id: reference })).parts
    await open(`/app/themes/${reference}`)
    const join = page.getByRole('button', { name: `Same as ${twin}`, exact: true })
    for (const each of [one, other]) {
      assert.equal(await join.count(), 0)
      await member(each.reference).locator('a').first().focus()
      await page.keyboard.press('y')
      await tick(each.reference).waitFor()
    }
    await join.waitFor()
    await page.getByText('You added 2 signals from').waitFor()
    const { top = 0, bottom = 0 } = (await join.evaluate(button => button.getBoundingClientRect())) ?? {}
    const height = await page.evaluate<number>('innerHeight')
    assert.ok(top > 0 && bottom < height, 'It stands where the person is at work.')
    await checkAccess()
    await screenshot('theme-perhaps-same')
    await page.keyboard.press('s')
    await said(`${twin} is one with this theme now`).waitFor()
    await join.waitFor({ state: 'detached' })
    assert.deepEqual(await parts(), [twin])
    await page.keyboard.press('z')
    await join.waitFor()
    assert.deepEqual(await parts(), [])
    for (const _ of [one, other]) await page.keyboard.press('z')
    for (const each of [one, other]) await tick(each.reference).waitFor({ state: 'detached' })
  })

  it('make a Solution and a node of the ticked signals, by a key each, with one undo', async () => {
    const { page, person, open } = visit
    const said = (text: RegExp) => page.getByRole('alert').filter({ hasText: text })
    const solutions = async () => (await person.call<{ count: number }>('analyze_solutions')).count
    const nodes = async () => (await person.call<{ count: number }>('outline_map')).count
    /** A theme with a signal that is evidence of no claim which a Solution answers. */
    const themeWithoutSolution = async () => {
      for (const { reference } of (await person.call<{ items: readonly Theme[] }>('list_themes')).items) {
        const found = await person.call<Theme>('lookup_theme', { id: reference })
        for (const each of found.items) {
          if (each.claim === null) return { theme: found, member: each }
          const claim = await person.call<{ solutions: number }>('lookup_claim', { id: each.claim })
          if (claim.solutions === 0) return { theme: found, member: each }
        }
      }
      assert.fail('Every claim is answered.')
    }
    const unsolved = await themeWithoutSolution()
    await open(`/app/themes/${unsolved.theme.reference}`)
    const others = unsolved.theme.items.filter(each => !each.is_doubtful && each !== unsolved.member)
    for (const { reference } of others) await tick(reference).click()
    if (unsolved.member.is_doubtful) await tick(unsolved.member.reference).click()
    await page.getByText('1 signal chosen').waitFor()
    const before = { solutions: await solutions(), nodes: await nodes() }
    const release = await visit.hold('triage_signals')
    await page.keyboard.press('2')
    await page.getByRole('button', { name: 'And a Solution for it' }).and(page.locator('[data-loading]')).waitFor()
    assert.equal(await page.locator('main button[data-loading]').count(), 1)
    await release()
    await said(/SOL-\d+ answers CLM-\d+ now, with 1 signal behind it/).waitFor()
    assert.equal(await solutions(), before.solutions + 1)
    await member(unsolved.member.reference).getByText('confirmed').waitFor()
    assert.equal(await tick(unsolved.member.reference).isChecked(), true)
    await page.keyboard.press('z')
    await page.getByText('Undone.').first().waitFor()
    const dialog = page.getByRole('dialog', { name: 'A node of the map' })
    await page.keyboard.press('3')
    await dialog.locator('button:focus').waitFor()
    await page.keyboard.press('Enter')
    await said(/is on the map, with 1 signal/).waitFor()
    assert.equal(await nodes(), before.nodes + 1)
    await page.keyboard.press('z')
    await eventually('the node is gone', async () => (await nodes()) === before.nodes)
    // It is offered again, below another node if the person says so, and its undo is offered as the first one was.
    const { items } = await person.call<{ items: readonly { id: string; name: string; parent_id: string | null }[] }>(
      'outline_map',
    )
    const parent = items.find(({ parent_id }) => parent_id === null)
    await page.getByRole('button', { name: 'A node of the map' }).click()
    await dialog.getByRole('combobox', { name: 'Parent' }).fill(parent?.name ?? '')
    await page.getByRole('option', { name: parent?.name ?? '', exact: true }).click()
    await visit.checkAccess()
    await dialog.getByRole('button', { name: 'Add node' }).click()
    const made = async () =>
      (await person.call<{ items: typeof items }>('outline_map')).items.find(
        ({ name, parent_id }) => name === unsolved.theme.name && parent_id === parent?.id,
      )
    await eventually('the node is below it', async () => (await made()) !== undefined)
    await said(/is on the map, with 1 signal/)
      .last()
      .getByRole('button', { name: 'Undo' })
      .click()
    await eventually('the node is gone', async () => (await nodes()) === before.nodes)

    // Later, when no notice offers Undo any more.
    const { decision, solution } = await person.call<{
      readonly decision: { readonly reference: string }
      readonly solution: { readonly reference: string }
    }>('triage_signals', {
      action: 'gather',
      theme_id: unsolved.theme.reference,
      signal_ids: [unsolved.member.reference],
      makes_solution: true,
    })
    await open(`/app/decisions/${decision.reference}`)
    await page.getByRole('button', { name: 'Reverse', exact: true }).click()
    await page
      .getByText(/^It was reversed, by DEC-/)
      .first()
      .waitFor()
    const { state } = await person.call<{ state: string }>('lookup_solution', { id: solution.reference })
    assert.equal(state, 'Dropped')
  })

  it('are two, or one with another, as a person says', async () => {
    const { page, person, open, checkAccess } = visit
    const said = (text: RegExp) => page.getByRole('alert').filter({ hasText: text })
    const members = async () =>
      (await person.call<Theme>('lookup_theme', { id: theme.reference })).items.map(({ reference }) => reference)
    const before = await members()
    await open(`/app/themes/${theme.reference}`)
    const [first, ...others] = theme.items.filter(({ is_doubtful }) => !is_doubtful)
    assert.ok(first)
    for (const { reference } of others) await tick(reference).click()
    await page.getByText('1 signal chosen').waitFor()
    await page.keyboard.press('4')
    const alert = said(/THM-\d+ is a theme of its own now/)
    const [made = ''] = /THM-\d+/.exec((await alert.textContent()) ?? '') ?? []
    await member(first.reference).waitFor({ state: 'detached' })
    await page.keyboard.press('m')
    await page.getByRole('searchbox', { name: 'Find a theme' }).fill(made)
    await page.getByRole('list', { name: 'Found' }).getByText(made, { exact: true }).waitFor()
    await checkAccess()
    await page.keyboard.press('Enter')
    await page.locator('button:focus').filter({ hasText: made }).waitFor()
    await page.keyboard.press('Enter')
    await said(new RegExp(`${made} is one with this theme now`)).waitFor()
    await member(first.reference).waitFor()
    await page.getByRole('button', { name: `Take ${made} apart` }).click()
    await said(new RegExp(`${made} is a theme of its own again`)).waitFor()
    // As fast as somebody presses: each is taken back once what stands on it is.
    for (const _ of [1, 2, 3]) await page.keyboard.press('z')
    // Themes may have been found anew meanwhile, which may take a doubtful one out.
    const sure = before.filter(reference => !theme.items.some(each => each.reference === reference && each.is_doubtful))
    await comesToBe(async () => {
      const present = await members()
      return sure.filter(reference => !present.includes(reference))
    }, [])
    await tick(first.reference).waitFor()
  })

  it('let a viewer look, and tick nothing', async () => {
    const { page, open, asViewer } = visit
    await asViewer(async () => {
      await open(`/app/themes/${theme.reference}`)
      // Which signals are in it changes meanwhile, by what the stories before said of it.
      await page
        .getByRole('listitem', { name: /^SIG-\d+$/ })
        .first()
        .waitFor()
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

  it('stay as they are seen under the hands of who ticks, though they change, until that person asks', async () => {
    const { page, person, open, checkAccess } = visit
    const { items } = await person.call<{ items: readonly Theme[] }>('list_themes')
    const all = await Promise.all(items.map(({ reference: id }) => person.call<Theme>('lookup_theme', { id })))
    const now = all.find(each => each.items.some(({ is_doubtful }) => is_doubtful) && each.items.length > 3)
    assert.ok(now)
    const [one, taken] = now.items.filter(({ is_doubtful }) => !is_doubtful)
    const [doubtful] = now.items.filter(({ is_doubtful }) => is_doubtful)
    assert.ok(one && taken && doubtful)
    await open(`/app/themes/${now.reference}`)
    await tick(one.reference).click()
    await tick(doubtful.reference).click()
    const refuse = { theme_id: now.reference, refused_signal_ids: [taken.reference] }
    const confirm = { theme_id: now.reference, signal_ids: [doubtful.reference] }
    for (const change of [refuse, confirm]) await person.call('update_theme', change)
    // The page is read again after what the person says of the theme as a whole.
    await page.getByRole('button', { name: 'Pin', exact: true }).click()
    await page.getByText('This theme has changed meanwhile.').waitFor()
    await member(taken.reference).getByText('no longer in it').waitFor()
    await member(doubtful.reference).getByText('confirmed').waitFor()
    const ticks = () => Promise.all([one, taken, doubtful].map(({ reference }) => tick(reference).isChecked()))
    assert.deepEqual(await ticks(), [false, true, true])
    await checkAccess()
    await page.getByRole('button', { name: 'Show it as it is now' }).click()
    await member(taken.reference).waitFor({ state: 'detached' })
    assert.equal(await tick(doubtful.reference).isChecked(), true)
    await person.call('update_theme', { theme_id: now.reference, signal_ids: [taken.reference], standing: 'listed' })
  })

  it('say how many companies they came from, where that is known', async () => {
    const { page, person, open } = visit
    const text = 'Nobody of Hooli can find where this is set.'
    const { snippet_id: id } = await person.call<{ snippet_id: string }>('capture_signal', {
      text,
      metadata: { company: 'Hooli' },
    })
    await eventually('the signal is stored', async () => {
      const { signal } = await person.call<{ signal: object | null }>('lookup_signal', { id })
      return signal !== null
    })
    await open('/app/themes')
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: theme.reference, exact: true }) })
    await row.waitFor()
    assert.equal(await row.getByText(/compan/).count(), 0)
    await person.call('update_theme', { theme_id: theme.reference, signal_ids: [id] })
    await open('/app/themes')
    await row.getByText(/ · 1 company$/).waitFor()
    await open(`/app/themes/${theme.reference}`)
    await page.getByText(/ · 1 company$/).waitFor()
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
