import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { arrangeEveryScreen, settle } from './every-screen.ts'
import { comesToBe, DESKTOP, startVisit, type Visit } from './visit.ts'

/** What has the focus, by its name; for a part of the page, by its heading or label. */
const FOCUSED = `(() => {
  const { activeElement: at } = document
  const label = at.ariaLabel ?? document.getElementById(at.getAttribute('aria-labelledby'))?.textContent
  return label ?? at.labels?.[0]?.textContent ?? at.textContent.trim().slice(0, 60)
})()`

/** What the option is called that a field with a list has as its current one. */
const CURRENT = `document.getElementById(document.activeElement.getAttribute('aria-activedescendant') ?? '')?.textContent`

/** Notes regions that come with their words, of which a screen reader says nothing. */
const NOTE_UNHEARD = `
  window.unheard = []
  new MutationObserver(records => {
    for (const added of records.flatMap(record => [...record.addedNodes])) {
      if (!(added instanceof Element)) continue
      const regions = [added, ...added.querySelectorAll('*')].filter(each => each.role === 'status')
      const said = regions.filter(each => each.textContent !== '' && getComputedStyle(each).visibility === 'visible')
      window.unheard.push(...said.map(each => each.textContent))
    }
  }).observe(document.body, { childList: true, subtree: true })
`

describe('What whoever only hears the page is told', () => {
  let visit: Visit
  let paths: readonly string[] = []
  before(async () => {
    visit = await startVisit()
    paths = await arrangeEveryScreen(visit)
  })
  after(() => visit?.end())

  const focused = () => visit.page.evaluate<string>(FOCUSED)
  const says = (text: string | RegExp) =>
    visit.page.locator('#said > p').filter({ hasText: text }).last().waitFor({ state: 'attached' })
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await visit.page.keyboard.press(key)
  }

  it('names every table and every list of tabs, and every stop of Tab has a role; Tab reaches every button', async test => {
    const { page } = visit
    const faults: string[] = []
    for (const path of [...paths, '/app/solutions/SOL-5/decisions']) {
      await settle(visit, path)
      const found = await page.evaluate<readonly string[]>(`(() => {
        const shown = each => each.checkVisibility({ visibilityProperty: true })
        const textOf = (each, name) =>
          (each.getAttribute(name) ?? '').split(' ').map(id => document.getElementById(id)?.textContent).join(' ')
        const unnamed = [...document.querySelectorAll('main :is(table, [role=tablist], [role=radiogroup], nav)')]
          .filter(each => shown(each) && !each.ariaLabel && !each.getAttribute('aria-labelledby'))
        const landmarks = [...document.querySelectorAll('main, nav, aside, section, form, [role=region], [role=search]')]
          .filter(each => shown(each) && (each.matches('main, nav, aside, [role]') || each.ariaLabel || each.ariaLabelledByElements?.length))
        const kindOf = each => (each.role ?? each.localName) + ' ' + (each.ariaLabel ?? textOf(each, 'aria-labelledby'))
        const crowded = landmarks.filter(each => landmarks.some(other => other !== each &&
          (kindOf(other) === kindOf(each) || other.localName === 'nav' && each.localName === 'nav' && !each.ariaLabel)))
        const plain = [...document.querySelectorAll('main [tabindex="0"]')]
          .filter(each => shown(each) && each.matches('div, span') && !each.role)
        const passed = [...document.querySelectorAll('main button[tabindex="-1"]')]
          .filter(each => shown(each) && !each.role && each.closest('[role=tree], [aria-hidden=true]') === null)
        const said = each => [
          each.ariaLabel ?? (each.labels?.[0]?.textContent || textOf(each, 'aria-labelledby').trim() || each.textContent),
          each.ariaDescription ?? textOf(each, 'aria-describedby'),
        ].join(' ').trim()
        const all = of => [...document.querySelectorAll(of)].filter(each => shown(each) && !each.matches(
          '[aria-hidden=true], [tabindex="-1"], [type=radio]'))
        const firstOf = (controls, each) => controls.find(other => said(other) === said(each))
        const buttons = all('button, summary, input, select, textarea')
        const alike = buttons.filter(each => firstOf(buttons, each) !== each)
        // Of a figure in a table its row and its column say what it counts.
        const links = all('a[href]').filter(each => each.closest('td') === null || /\\D/.test(said(each)))
        const astray = links.filter(each => firstOf(links, each).href !== each.href)
        return [
          ['has no name', unnamed],
          ['is no landmark of its own', crowded],
          ['has no role', plain],
          ['is passed over by Tab', passed],
          ['says the same as another', alike],
          ['leads elsewhere than another that says the same', astray],
        ].flatMap(([fault, all]) =>
          all.map(each => each.localName + ' “' + (each.ariaLabel ?? each.textContent).trim().slice(0, 30) + '” ' + fault))
      })()`)
      faults.push(...found.map(fault => `${path}: ${fault}`))
    }
    test.diagnostic(`${paths.length} screens`)
    assert.deepEqual(faults, [])
  })

  it('is in the dialog that opens in place of another one', async () => {
    const { page } = visit
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await settle(visit, '/app/settings/sources')
    await page.getByRole('button', { name: 'Create source' }).focus()
    await press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Create a source' })
    await dialog.getByLabel('Name').focus()
    await visit.type('Hotline')
    await press('Enter')
    const made = page.getByRole('dialog', { name: 'Source created' })
    await made.waitFor()
    await dialog.waitFor({ state: 'detached' })
    // Longer than the first dialog takes to give the focus back to the page.
    await page.waitForTimeout(500)
    assert.ok(await page.evaluate(`document.activeElement.closest('[role=dialog]') !== null`), await focused())
    await made.getByRole('button', { name: /^Copy: Secret/ }).focus()
    await press('Enter')
    await says('Copied: Secret')
    await made.getByRole('button', { name: 'I have copied it' }).click()
  })

  it('stays in the part of the page whose button or editor has gone, and presses no other one', async () => {
    const { page } = visit
    await settle(visit, '/app/solutions/SOL-5/document')
    await page.getByRole('button', { name: 'Versions' }).focus()
    await press('Enter')
    await page.getByRole('button', { name: 'Back to the text' }).waitFor()
    await comesToBe(focused, 'Living Document')
    await settle(visit, '/app/solutions/SOL-5/document')
    await press('d')
    await visit.type('Once more. ')
    await press('Control+s')
    await page.getByRole('article', { name: 'Living Document, version 2' }).waitFor()
    await comesToBe(focused, 'Living Document')
    await settle(visit, '/app/explore')
    await page.getByRole('button', { name: 'Add a filter' }).focus()
    await press('Enter')
    await comesToBe(focused, 'Field of filter 2')
    await page.getByRole('button', { name: 'Remove filter 2' }).focus()
    await press('Enter')
    await comesToBe(focused, 'Filters')
  })

  it('is in no editor that nobody asked for, where a key of the page would be written', async () => {
    const { page } = visit
    const editor = page.getByLabel('Living Document, Markdown')
    await settle(visit, '/app/solutions/SOL-5/document')
    await press('d')
    await visit.type('Begun. ')
    await settle(visit, '/app/solutions/SOL-5/document')
    await editor.waitFor()
    await press('d')
    await editor.and(page.locator(':focus')).waitFor()
    assert.match((await editor.textContent()) ?? '', /^Begun\. Once more\./)
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('article').waitFor()
  })

  it('hears of the first claim too that it is chosen, and what each row is about', async () => {
    const { page } = visit
    await settle(visit, '/app/claims')
    await press('j')
    const row = page.getByRole('row').filter({ has: page.locator(':focus') })
    assert.equal(
      await page.evaluate<string | null>('document.activeElement.ariaDescription'),
      await row.locator('bdi').first().textContent(),
    )
    await page.evaluate(NOTE_UNHEARD)
    const chosen = page.getByRole('status').filter({ visible: true })
    await press('x')
    await chosen.filter({ hasText: /^1 claim chosen$/ }).waitFor()
    await press('j', 'x')
    await chosen.filter({ hasText: /^2 claims chosen$/ }).waitFor()
    assert.deepEqual(await page.evaluate('window.unheard'), [])
    await press('m')
    const kept = await page.getByRole('dialog').getByRole('combobox').inputValue()
    await comesToBe(focused, `Merge into ${kept.split(' ')[0]}`)
    await press('Escape', 'Escape')
  })

  it('hears what the table in a dialog is', async () => {
    const { page } = visit
    await settle(visit, '/app/solutions/SOL-5')
    await press('w')
    await page.getByRole('dialog').getByRole('table', { name: 'Actors' }).waitFor()
    await press('Escape')
  })

  it('hears what several values are chosen, what one key took away, and that another answer came', async () => {
    const { page } = visit
    await settle(visit, '/app/explore')
    const metrics = page.getByRole('combobox', { name: 'Metrics' })
    const about = () => metrics.evaluate(field => field.ariaDescription)
    assert.equal(await about(), 'Chosen: Count')
    await metrics.focus()
    await press('ArrowDown', 'ArrowDown', 'Enter')
    await says(/^Chosen: Count, Distinct signals$/)
    await comesToBe(about, 'Chosen: Count, Distinct signals')
    await says(/^\d+ rows?$/)
    await press('Escape', 'Backspace')
    await says(/^Chosen: Count$/)
  })

  it('hears whom an @ offers, which of them Enter takes, and that the comment is saved', async () => {
    const { page } = visit
    await settle(visit, '/app/claims/CLM-15')
    const field = page.getByLabel('A comment')
    await field.focus()
    await visit.type('Please look @')
    await says(/^1 result$/)
    const name = await page.evaluate<string>(CURRENT)
    assert.ok(name)
    await press('Enter')
    assert.ok((await field.inputValue()).includes(`@${name} `))
    await comesToBe(() => page.evaluate(CURRENT), undefined)
    await press('Control+Enter')
    await says('The comment is saved.')
  })

  it('hears of each box what it chooses', async () => {
    const { page } = visit
    await settle(visit, '/app/claims')
    const [title, about] = await page
      .getByRole('row')
      .filter({ has: page.getByRole('checkbox', { name: 'Choose CLM-15' }) })
      .evaluate(row => [row.querySelector('bdi')?.textContent, row.querySelector('input')?.ariaDescription])
    assert.equal(about, title)
  })

  it('hears what a check of a file found and what became of it, at no button that does the next thing', async () => {
    const { page } = visit
    await settle(visit, '/app/import-export')
    await page.locator('input[type=file]').setInputFiles({
      name: 'calls.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('text\nThe report forgets its dates\nThe bell rings twice\n'),
    })
    await comesToBe(focused, 'calls.csv')
    await page.getByRole('button', { name: 'Check' }).focus()
    await press('Enter')
    await says(/^Check result: New 2, Here already 0, Changed 0, Refused 0, Repeats 0$/)
    await comesToBe(focused, 'calls.csv')
    await page.getByRole('button', { name: 'Import 2 signals' }).focus()
    await press('Enter')
    await says(/^calls.csv: done. 2 signals imported/)
    assert.equal(await page.evaluate('document.activeElement.localName'), 'main')
  })

  it('hears which part of a screen is there, and no voice of this language for what others wrote', async () => {
    const { page, go } = visit
    for (const [screen, part, title] of [
      ['/app/pipeline', 'ledger', 'Ledger · Pipeline · Assay'],
      ['/app/solutions/SOL-5', 'decisions', 'Decisions · SOL-5 Background exports · Assay'],
    ] as const) {
      await settle(visit, screen)
      await go(`${screen}/${part}`)
      await page.locator('#shown-page', { hasText: title }).waitFor({ state: 'attached' })
    }
    await settle(visit, '/app/signals/SIG-85')
    const words = page.getByText('Las tarjetas American Express').first()
    assert.equal(await words.evaluate(element => element.closest('[lang]')?.getAttribute('lang')), '')
  })

  it('is in the navigation that covers a narrow page, and back at what opened it', async () => {
    const { page } = visit
    await page.setViewportSize({ width: 320, height: 640 })
    await settle(visit, '/app/board')
    await page.getByRole('button', { name: 'Open the navigation' }).focus()
    await press('Enter')
    await comesToBe(focused, 'Close the navigation')
    await press('Shift+Tab')
    assert.equal(await page.evaluate(`document.activeElement.closest('header, main')`), null)
    await page.getByRole('button', { name: 'Close the navigation' }).focus()
    await press('Escape')
    await comesToBe(focused, 'Open the navigation')
    await page.setViewportSize(DESKTOP)
  })
})
