import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Download } from 'playwright-core'
import { eventually } from '../../infra/runtime/testing.ts'
import { describeEveryState } from './every-state.ts'
import { startVisit, type Visit } from './visit.ts'

const PATH = '/app/import-export'
const HOSTILE = '<img src=x onerror=alert(1)> '

const CSV = `Feedback,Date,Customer,E-mail,Plan
"The export fails, every time",1-5-2026,Ana,ana@example.com,Team
"${HOSTILE}${'x'.repeat(3000)}",2-5-2026,Ben,ben@example.com,Free
Invoices lack the tax number,3-5-2026,Cleo,cleo@example.com,Team
Invoices lack the tax number,14-5-2026,Dan,dan@example.com,Team
When will there be a dark theme?,the day before,Eve,eve@example.com,Free
,6-5-2026,Flo,flo@example.com,Free
`

const fileOf = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

interface Transfers {
  readonly items: readonly { readonly id: string; readonly state: string; readonly name: string }[]
}

describe('Import and export', () => {
  let visit: Visit
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  const transfers = async () => (await visit.person.call<Transfers>('list_transfers')).items
  const choose = (file: ReturnType<typeof fileOf>) => visit.page.locator('input[type=file]').setInputFiles(file)

  it('says what to do where nothing was imported yet', async () => {
    const { page, open, checkAccess } = visit
    await open(PATH)
    await page.getByText('Nothing was imported or exported yet').waitFor()
    await checkAccess()
  })

  it('refuses a file that is none of ours before anything of it is kept', async () => {
    const { page, expectStatus } = visit
    expectStatus(415)
    await choose({ name: 'sheet.xlsx', mimeType: 'application/zip', buffer: Buffer.from('PK\u0003\u0004 sheet') })
    await page.getByRole('alert').filter({ hasText: 'Save the sheet as CSV' }).waitFor()
    assert.deepEqual(await transfers(), [])
  })

  it('takes a CSV file, shows its columns and first Signals, and tries it out by keyboard', async () => {
    const { page, checkAccess, screenshot } = visit
    await choose(fileOf('feedback.csv', CSV))
    await page.getByRole('heading', { name: 'feedback.csv' }).waitFor()
    assert.equal(
      await page.getByRole('combobox', { name: 'What Feedback becomes' }).inputValue(),
      'Text: what was said',
    )
    assert.equal(await page.getByRole('combobox', { name: 'What E-mail becomes' }).inputValue(), 'Their e-mail address')
    assert.equal(await page.getByRole('combobox', { name: 'What Plan becomes' }).inputValue(), 'Customer’s plan')
    await page.getByText('Guessed from dates in the file such as 14-5-2026.').waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Dates are written' }).inputValue(), 'Day, month, year')
    await page.getByText('When it happened: 2026-05-01').waitFor()
    await page.getByText('Addresses and numbers of people are replaced when this is imported.').waitFor()
    await page.getByText('Refused: When it happened must be a date').waitFor()
    assert.equal(await page.locator('main img').count(), 0)
    await page.getByText('1 of 6 dates cannot be read').waitFor()
    const without = page.getByRole('checkbox', { name: 'Import these signals without a date' })
    await without.check()
    await page.getByText('Metadata: {"Date":"the day before","plan":"Free"}').waitFor()
    await without.uncheck()
    await page.getByText('Refused: When it happened must be a date').waitFor()
    await page.getByLabel('Source of all signals').fill('Interviews')
    await page.getByText('Source: Interviews').first().waitFor()
    await page.getByRole('button', { name: 'Check' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Check result' }).waitFor()
    await page.getByRole('cell', { name: /^When it happened must be/ }).waitFor()
    await page.getByRole('cell', { name: 'Text is required.' }).waitFor()
    await checkAccess()
    await screenshot('import-export-tried')
  })

  it('can be left and come back to, and then imports into Triage, without personal data', async () => {
    const { page, open, person } = visit
    await open(PATH)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Import 4 signals' }).click()
    await page.getByRole('listitem').getByText('4 signals imported, 2 refused').waitFor()
    await page.getByRole('link', { name: 'Go to Triage' }).waitFor()
    const triage = await eventually('the Signals are in Triage', async () => {
      const found = await person.call<{ items: readonly object[] }>('lookup_triage', { depth: 'full' })
      return found.items.length >= 3 && JSON.stringify(found)
    })
    assert.match(triage, /Interviews/)
    assert.ok(!triage.includes('@example.com'), triage)
    assert.equal(await page.getByRole('button', { name: 'Continue' }).count(), 0)
  })

  it('keeps what a person makes of the columns over a reload, and shows by what a colleague had it checked', async () => {
    const { page, open, person } = visit
    await open(PATH)
    await choose(fileOf('columns.csv', 'Feedback,LiveStatus,Where\nThe bell hangs,1.5.2026,Berlin\n'))
    const where = page.getByRole('combobox', { name: 'What Where becomes' })
    await where.click()
    await page.getByRole('option', { name: 'Source', exact: true }).click()
    await page.getByText('Source: Berlin').waitFor()
    await open(PATH)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('You wrote this before, and did not send it.').waitFor()
    assert.equal(await where.inputValue(), 'Source')
    const { id = '' } = (await transfers()).find(({ name }) => name === 'columns.csv') ?? {}
    const mapping = [
      { field: 'text', column: 0 },
      { field: 'actor_name', column: 2 },
    ]
    const reading = { delimiter: ',', header: true, keep_other_columns: true, mapping }
    await person.call('check_import', { id, reading })
    const conflict = page.getByRole('alert').filter({ hasText: 'Somebody changed this meanwhile' })
    await conflict.getByText('Who said it: No. 3').waitFor()
    assert.equal(await where.inputValue(), 'Source')
    await conflict.getByRole('button', { name: 'Take theirs' }).click()
    await conflict.waitFor({ state: 'detached' })
    assert.equal(await where.inputValue(), 'Who said it')
    await person.call('discard_transfer', { id })
  })

  it('leaves out what is here already when the same file comes again with a row more', async () => {
    const { page, open, person } = visit
    await open(PATH)
    await choose(fileOf('again.csv', `${CSV}The map is blank,7-5-2026,Gus,gus@example.com,Team\n`))
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('heading', { name: 'Check result' }).waitFor()
    const figure = (label: string) => page.getByRole('term').filter({ hasText: label }).locator('..').textContent()
    assert.match((await figure('Here already')) ?? '', /4$/)
    await page.getByRole('button', { name: 'Import 1 signal' }).click()
    await page.getByRole('listitem').getByText('1 signal imported, 2 refused').waitFor()
    await eventually('it is in Triage', async () => {
      const { items } = await person.call<{ items: readonly object[] }>('lookup_triage')
      return JSON.stringify(items).includes('The map is blank')
    })
  })

  it('exports the workspace, and the file imports into an empty one', async () => {
    const { page, person, installation } = visit
    await page.getByRole('button', { name: 'Export workspace' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download') as Promise<Download>,
      page.getByRole('link', { name: 'Download' }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk)
    const exported = Buffer.concat(chunks)
    assert.match(download.suggestedFilename(), /\.assay\.jsonl$/)
    const { id } = await person.call<{ id: string }>('create_workspace', { name: 'Copy' })
    await page.evaluate(`sessionStorage.setItem('assay-workspace', ${JSON.stringify(id)})`)
    await page.goto(`${installation.baseUrl}${PATH}`)
    await choose({ name: 'everything.jsonl', mimeType: 'application/x-ndjson', buffer: exported })
    await page.getByRole('button', { name: 'Import into this workspace' }).click()
    await page
      .getByRole('listitem')
      .getByText(/rows imported/)
      .waitFor()
    const copied = await person.inWorkspace(id).call<{ items: readonly { reference: string }[] }>('lookup_triage')
    const original = await person.call<{ items: readonly { reference: string }[] }>('lookup_triage')
    const references = (of: typeof copied) => of.items.map(({ reference }) => reference)
    assert.deepEqual(references(copied), references(original))
    await visit.enter(null)
  })

  it('says of which tool a file looks, and puts its text together from two columns', async () => {
    const { page, open } = visit
    await open(PATH)
    const jira = 'Summary,Issue key,Issue id,Created,Description\nExport stops,A-1,1,30/Sep/21 17:20,After ten rows.\n'
    await choose({ ...fileOf('jira.csv', ''), buffer: Buffer.from(`\ufeff${jira}`, 'utf16le') })
    await page.getByText('Looks like an export of Jira. Check what each column becomes.').waitFor()
    await page.getByText('It was read as UTF-16.').waitFor()
    await page.getByText('When it happened: 2021-09-30').waitFor()
    for (const column of ['Summary', 'Description']) {
      const becomes = page.getByRole('combobox', { name: `What ${column} becomes` })
      assert.equal(await becomes.inputValue(), 'Text: what was said')
    }
    await page.getByText('After ten rows.').last().waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByText('Nothing of it is imported, and the file is deleted.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete file' }).click()
    await page.getByText('Drop a file here').waitFor()
  })

  it('says why another file is not taken, and discards one', async () => {
    const { page, open, checkAccess } = visit
    await open(PATH)
    await choose(fileOf('words.csv', 'one\ntwo\nthree\n'))
    await page.getByRole('heading', { name: 'words.csv' }).waitFor()
    await page.getByText('The first signals').waitFor()
    await checkAccess()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete file' }).click()
    await page.getByText('Drop a file here').waitFor()
    assert.ok((await transfers()).every(({ name }) => name !== 'words.csv'))
  })

  describeEveryState(() => visit, {
    screen: 'import-export',
    path: PATH,
    reads: 'list_transfers',
    shows: 'feedback.csv',
  })

  it('erases a person who was imported, after a look at what that is, and shows the proof', async () => {
    const { page, person, open, checkAccess, noSideScroll, screenshot } = visit
    await page.emulateMedia({ colorScheme: 'light' })
    await open('/app/settings/erase')
    await page.getByText('Nothing was erased yet').waitFor()
    await page.getByLabel('Address').fill('Ana@Example.com')
    await page.getByLabel('Name', { exact: true }).fill('Ana')
    await page.getByRole('button', { name: 'Look' }).click()
    await page.getByRole('checkbox', { name: 'Ana', exact: true }).waitFor()
    assert.equal(await page.getByRole('checkbox', { name: 'Ana', exact: true }).isChecked(), true)
    await page.getByText('1 signal and 0 repeats would be erased').waitFor()
    await checkAccess()
    await screenshot('erase-preview')
    assert.equal(await page.getByRole('button', { name: 'Erase the person' }).isDisabled(), true)
    const { items } = await person.call<{ items: { name: string; current: boolean }[] }>('list_workspaces')
    const name = items.find(({ current }) => current)?.name ?? assert.fail()
    await page.getByLabel(`To confirm, write “${name}”`).fill(name)
    await page.getByRole('button', { name: 'Erase the person' }).click()
    await page.getByText(/A search of \d+ places found nothing of it afterwards/).waitFor()
    await page.getByText('1 signal or repeat erased').waitFor()
    for (const [look, colorScheme, width] of [
      ['light', 'light', 1280],
      ['dark', 'dark', 1280],
      ['phone', 'light', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 844 })
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
      await noSideScroll()
      await screenshot(`erase-${look}`)
    }
    await checkAccess()
    const left = await person.call<{ items: readonly object[] }>('lookup_triage', { depth: 'full' })
    assert.ok(left.items.length >= 2 && !/"Ana"|export fails/.test(JSON.stringify(left)))
  })

  it('lets an owner say after how long something goes, and shows what that would be now', async () => {
    const { page, person, open, checkAccess, noSideScroll, screenshot } = visit
    await open('/app/settings/erase')
    await page.getByText('Everything is kept until somebody erases it.').waitFor()
    await page.getByRole('combobox', { name: 'Signals and repeats' }).click()
    await page.getByRole('option', { name: '1 year' }).click()
    await page.getByText('Nothing is that old now.').waitFor()
    const { items } = await person.call<{ items: { name: string; current: boolean }[] }>('list_workspaces')
    const name = items.find(({ current }) => current)?.name ?? assert.fail()
    const section = page.getByRole('region', { name: 'By age' })
    await section.getByLabel(`To confirm, write “${name}”`).fill(name)
    await screenshot('retention')
    await section.getByRole('button', { name: 'Set the periods' }).click()
    await page.getByText('It is set. Nothing is erased before tomorrow.').waitFor()
    await section.getByText('Set by').waitFor()
    await checkAccess()
    await noSideScroll()
    const { signals_days, keeps_evidence } = await person.call<{ signals_days: number; keeps_evidence: boolean }>(
      'read_retention',
    )
    assert.deepEqual([signals_days, keeps_evidence], [365, true])
  })

  it('says which rows have changed and edits them, then takes the import back, naming first what goes', async () => {
    const { page, open, person, checkAccess, screenshot } = visit
    await open(PATH)
    const tickets = (words: string) => `Ticket id,Feedback\n71,${words}\n72,The bell never rings\n`
    const importing = async (words: string, button: string, done: string) => {
      await choose(fileOf('tickets.csv', tickets(words)))
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('listitem').getByText(done).waitFor()
    }
    const texts = async () => JSON.stringify(await person.call('list_signals', { limit: 50 }))
    await importing('The lamp flickers', 'Import 2 signals', '2 signals imported')
    await eventually('they are here', async () => (await texts()).includes('The lamp flickers'))
    await choose(fileOf('tickets.csv', tickets('The lamp is dark')))
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('0 new, 1 here already, 1 changed').waitFor()
    await page.getByRole('button', { name: 'Edit 1 signal' }).click()
    await page.getByText('1 edited').first().waitFor()
    await eventually('it is edited', async () => (await texts()).includes('The lamp is dark'))
    assert.ok(!(await texts()).includes('The lamp flickers'))

    const dialog = page.getByRole('dialog')
    const { items } = await person.call<{ items: { name: string; current: boolean }[] }>('list_workspaces')
    const workspace = items.find(({ current }) => current)
    const confirm = async () => {
      await dialog.getByRole('textbox').fill(workspace?.name ?? '')
      await dialog.getByRole('button', { name: 'Take it back' }).click()
    }
    await page.getByRole('button', { name: 'Take back tickets.csv' }).first().click()
    await dialog.getByText('Say again what they said before: 1 edited signal.').waitFor()
    assert.equal(await dialog.getByText('are removed').count(), 0)
    await confirm()
    await page.getByText('1 edited signal: that was taken back.').waitFor()
    await page.getByText('taken back', { exact: true }).waitFor()
    await eventually('it says what it said before', async () => (await texts()).includes('The lamp flickers'))
    await eventually('it is done', async () => {
      const { items } = await person.call<{ items: { finished_at: string | null }[] }>('list_erasures')
      return items.every(({ finished_at }) => finished_at !== null)
    })

    await page.getByRole('button', { name: 'Delete tickets.csv' }).last().click()
    await dialog.getByText('Its signals stay, and the import cannot be taken back then.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Take back tickets.csv' }).click()
    await dialog.getByText('2 signals and 0 repeats are removed.').waitFor()
    await checkAccess()
    await screenshot('import-export-take-back')
    await confirm()
    await page.getByText('2 signals were imported and taken back.').first().waitFor()
    await eventually('they are gone', async () => !(await texts()).includes('The bell never rings'))
  })

  it('went through all of it without a fault in the page', () => {
    // A preview that is read again as the import begins is refused: the page shows the import by then.
    visit.expectStatus(409)
    visit.assertNoFaults()
  })
})
