import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { comesToBe, PHONE, startVisit, type Visit } from './visit.ts'

const PROBLEMS = [
  'The export of the ledger stops after four hundred rows.',
  'Drivers cannot read the small font on the packing list.',
  'Nobody can sign in on the tablet of the warehouse.',
  'Photos of damaged goods are turned sideways.',
  'The map shows our depot in the wrong town.',
  'Reminders are sent although the invoice was paid.',
  'The weekly report arrives without its attachment.',
  'Scanning a barcode twice books the pallet twice.',
  'The calendar ignores the public holidays of Austria.',
  'Prices are shown without value added tax.',
  'The printer in the second hall loses every third label.',
  'Customs numbers vanish when an order is copied.',
  'The van fleet is listed under the former owner.',
  'Search finds no order that has a slash in its number.',
]
const CHOSEN = 12
const FILE = {
  name: 'desk.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`Feedback\n${PROBLEMS.join('\n')}\n`),
}
const ON_ITS_WAY = /An import is still on its way: \d+ of 14 signals have reached their place\./

interface Claims {
  readonly items: readonly { readonly reference: string; readonly title: string; readonly solutions: number }[]
}

describe('A file of many problems', () => {
  let visit: Visit
  let claims: readonly string[] = []
  before(async () => {
    visit = await startVisit({})
  })
  after(() => visit?.end())

  const listed = async () => (await visit.person.call<Claims>('analyze_claims', { limit: 50 })).items
  const decisions = async () => (await visit.person.call<{ count: number }>('lookup_decision')).count
  const says = (text: string | RegExp) => visit.page.getByRole('alert').filter({ hasText: text }).first()
  const isChosen = (count: number) => visit.page.getByText(`${count} claims chosen`).waitFor()
  const link = (reference: string) =>
    visit.page.getByRole('table', { name: 'Claims' }).getByRole('link', { name: reference, exact: true })
  /** Half by mouse, the others by keys. */
  const chooseTwelve = async () => {
    const { page } = visit
    const links = page.getByRole('table', { name: 'Claims' }).getByRole('link', { name: /^CLM-\d+$/ })
    await links.first().waitFor()
    const shown = await links.allTextContents()
    const chosen = shown.slice(0, CHOSEN)
    const byMouse = chosen.slice(0, CHOSEN / 2)
    for (const reference of byMouse)
      await page.getByRole('checkbox', { name: `Choose ${reference}`, exact: true }).check()
    await isChosen(byMouse.length)
    await link(byMouse.at(-1) ?? '').focus()
    for (const reference of chosen.slice(CHOSEN / 2)) {
      await page.keyboard.press('j')
      assert.ok(await link(reference).evaluate(each => each.matches(':focus')), reference)
      await page.keyboard.press('x')
    }
    await isChosen(CHOSEN)
    return chosen
  }

  it('says while its signals are in the nine steps how many are through, in Triage and with the themes, too', async () => {
    const { page, person, open, go, checkAccess, noSideScroll, screenshot } = visit
    await person.call('pause_step', { step: 'cluster', reason: 'The test looks at what waits.' })
    await open('/app/import-export')
    await page.locator('input[type=file]').setInputFiles(FILE)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('button', { name: 'Import 14 signals' }).click()
    await page
      .getByRole('main')
      .getByText(/\d+ of 14 signals have reached their place\. The others are still in the nine steps\./)
      .waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Themes' }).waitFor()
    await checkAccess()
    await screenshot('import-arriving')
    await go('/app/themes')
    await page.getByRole('note').filter({ hasText: ON_ITS_WAY }).waitFor()
    await checkAccess()
    await go('/app/triage')
    await page.getByRole('heading', { level: 1, name: 'Triage' }).waitFor()
    await page.getByRole('tab', { name: 'Noise' }).waitFor()
    await page.getByRole('note').filter({ hasText: ON_ITS_WAY }).waitFor()
    await checkAccess()
    await screenshot('triage-arriving')
    await page.setViewportSize(PHONE)
    await noSideScroll()
    await page.setViewportSize({ width: 1280, height: 860 })
    await person.call('resume_step', { step: 'cluster' })
    await page.getByRole('note').filter({ hasText: ON_ITS_WAY }).waitFor({ state: 'detached' })
    await go('/app/import-export')
    await page.getByRole('main').getByText('All 14 signals have reached their place.').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Themes' }).click()
    await page.waitForURL('**/app/themes')
    claims = await eventually('each has its claim', async () => {
      const items = await listed()
      return items.length >= CHOSEN && items.map(({ reference }) => reference)
    })
  })

  it('has claims whose filters stay while one searches, and what was chosen too', async () => {
    const { page, open } = visit
    await open('/app/claims')
    const [first = ''] = claims
    await page.getByRole('checkbox', { name: `Choose ${first}`, exact: true }).check()
    const choose = async (filter: string, option: string) => {
      await page.getByRole('combobox', { name: filter }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await choose('Kind', 'problem')
    await choose('State', 'emerging')
    await choose('Order', 'By signals')
    await page.getByRole('searchbox', { name: 'Search claims' }).fill('depot')
    await page.waitForURL(url => url.searchParams.get('query') === 'depot')
    const filters = async () =>
      Promise.all(['Kind', 'State', 'Order'].map(filter => page.getByRole('combobox', { name: filter }).inputValue()))
    await comesToBe(filters, ['problem', 'emerging', 'By signals'])
    const { searchParams } = new URL(page.url())
    assert.deepEqual(
      ['kind', 'state', 'order'].map(name => searchParams.get(name)),
      ['problem', 'emerging', 'signals'],
    )
    await page.getByText('The map shows our depot in the wrong town.').first().waitFor()
    await page.getByText('1 claim chosen').waitFor()
    await page.getByRole('searchbox', { name: 'Search claims' }).fill('')
    await page.waitForURL(url => url.searchParams.get('query') === null)
    await comesToBe(filters, ['problem', 'emerging', 'By signals'])
  })

  it('makes one Solution of twelve claims, chosen by mouse and keys, by one Decision with one undo', async () => {
    const { page, open, checkAccess, screenshot } = visit
    await open('/app/claims')
    const chosen = await chooseTwelve()
    await checkAccess()
    await screenshot('claims-chosen')
    const before = await decisions()
    await page.keyboard.press('s')
    const dialog = page.getByRole('dialog', { name: 'New Solution' })
    for (const reference of chosen) await dialog.getByText(new RegExp(`^${reference} `)).waitFor()
    await visit.type('Mend what the warehouse told us')
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await says(/SOL-1 is in the Backlog/).waitFor()
    const answered = async () =>
      (await listed()).flatMap(({ reference, solutions }) => (solutions === 1 ? reference : [])).toSorted()
    assert.deepEqual(await answered(), chosen.toSorted())
    assert.equal(await decisions(), before + 1)
    await says(/SOL-1 is in the Backlog/)
      .getByRole('button', { name: 'Undo' })
      .click()
    await eventually('no claim is answered', async () => (await listed()).every(({ solutions }) => solutions === 0))
  })

  it('makes one claim of twelve by one Decision, and one undo parts them all', async () => {
    const { page, open, person, checkAccess } = visit
    await open('/app/claims')
    const chosen = await chooseTwelve()
    const before = { decisions: await decisions(), claims: (await listed()).length }
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog', { name: 'Make one claim' })
    await checkAccess()
    const button = dialog.getByRole('button', { name: /^Merge into CLM-\d+$/ })
    const [, into = ''] = /(CLM-\d+)/.exec((await button.textContent()) ?? '') ?? []
    assert.ok(chosen.includes(into))
    await button.click()
    await says(`11 claims merged into ${into}.`).waitFor()
    const nowKnownAs = async (reference: string) =>
      (await person.call<{ reference: string }>('lookup_claim', { id: reference })).reference
    for (const reference of chosen) assert.equal(await nowKnownAs(reference), into)
    assert.deepEqual([await decisions(), (await listed()).length], [before.decisions + 1, before.claims - 11])
    await page.keyboard.press('z')
    await comesToBe(async () => Promise.all(chosen.map(nowKnownAs)), chosen)
    assert.equal((await listed()).length, before.claims)
  })

  it('says once that people decide, where no judge is configured, and what gives one', async () => {
    const { page, open, go, checkAccess } = visit
    const none = page.getByText(/No judge is configured, so people decide.*JUDGE_URL/)
    await open('/app/proposals')
    await none.waitFor()
    await page.getByText('People decide here').waitFor()
    const said = async () => (await page.getByRole('main').textContent()) ?? ''
    assert.equal((await said()).split('JUDGE_URL').length, 2)
    assert.doesNotMatch(await said(), /[Tt]he judge/)
    await checkAccess()
    await page.getByRole('tab', { name: 'Merged' }).click()
    await page.getByText('Every merge is listed here').or(page.getByText('merged into')).first().waitFor()
    assert.doesNotMatch(await said(), /[Tt]he judge/)
    await go('/app/settings/workspace')
    await none.waitFor()
    assert.equal(
      await page.getByRole('combobox', { name: 'When a judge finds that two claims are the same' }).inputValue(),
      'A judge would merge by itself',
    )
    assert.doesNotMatch(await said(), /[Tt]he judge/)
    await go('/app/pipeline/jobs')
    await page.getByRole('button', { name: 'Do again' }).click()
    const again = page.getByRole('menuitem', { name: /^Ask the judge about proposals again/ })
    await again.getByText(/No judge is configured/).waitFor()
    assert.equal(await again.isDisabled(), true)
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
