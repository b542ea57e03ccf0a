import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { describeEveryState } from './every-state.ts'
import { startVisit, type Visit } from './visit.ts'

const PATH = '/app/settings/workspace'

describe('Workspace', () => {
  let visit: Visit
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  it('is renamed, and the switcher follows', async () => {
    const { page, open } = visit
    await open(PATH)
    await page.getByLabel('Name of the workspace').fill('Shop team')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Workspace: Shop team' }).waitFor()
  })

  it('is at its field for another one, where the switcher leads to that', async () => {
    const { page } = visit
    await page.getByRole('button', { name: 'Workspace: Shop team' }).click()
    await page.getByRole('menuitem', { name: 'Create a workspace' }).click()
    await page.locator('input:focus[aria-label="Name of the new workspace"]').waitFor()
  })

  it('refuses a name of blanks in the service’s own words', async () => {
    const { page, expectStatus } = visit
    expectStatus(422)
    await page.getByLabel('Name of the new workspace').fill('   ')
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /Name must/ })
      .waitFor()
  })

  it('keeps a rule that is switched on', async () => {
    const { page, open } = visit
    await open(PATH)
    const rule = page.getByRole('switch', { name: /need a Decision that a person made here/ })
    await rule.focus()
    await page.keyboard.press('Space')
    await rule.and(page.locator(':checked:not(:disabled)')).waitFor()
    await open(PATH)
    await rule.waitFor()
    assert.equal(await rule.isChecked(), true)
  })

  it('says what was taught, and lets an owner switch it off', async () => {
    const { page, person } = visit
    await page
      .getByText('So far people made 0 corrections and 0 acceptances in Triage. Learning starts at 20 in all.')
      .waitFor()
    const learning = page.getByRole('switch', { name: 'Classify new signals by what people taught here' })
    await learning.focus()
    await page.keyboard.press('Space')
    await learning.and(page.locator(':not(:checked):not(:disabled)')).waitFor()
    const { learns } = await person.call<{ learns: boolean }>('read_workspace_rules')
    assert.equal(learns, false)
  })

  it('says that no mail of what changed is sent where the installation sends none', async () => {
    const { page } = visit
    const section = page.getByRole('region', { name: 'What changed, by mail' })
    await section.getByText('This installation sends no mail.').waitFor()
    assert.equal(await section.getByRole('combobox').count(), 0)
  })

  it('lets an owner say that people merge', async () => {
    const { page, person } = visit
    await page.getByRole('combobox', { name: 'When a judge finds that two claims are the same' }).click()
    await page.getByRole('option', { name: 'A judge would only propose' }).click()
    await page.getByText('A judge would only propose, once there is one.').waitFor()
    const { who_merges } = await person.call<{ who_merges: string }>('read_workspace_rules')
    assert.equal(who_merges, 'people')
  })

  it('says that its last owner cannot leave', async () => {
    const { page } = visit
    await page.getByText('You are its last owner').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Leave this workspace' }).isDisabled(), true)
  })

  it('makes a workspace with sample data by a command, leads into it, and resets it', async () => {
    const { page, person, open, fail, checkAccess, screenshot } = visit
    await open(PATH)
    await page.getByRole('button', { name: /^Workspace:/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).fill('sample data')
    await page.getByRole('option', { name: 'Look around with sample data' }).click()
    await page.waitForURL(url => !url.pathname.endsWith(PATH))
    await open(PATH)
    await page.getByRole('button', { name: 'Workspace: Sample data' }).waitFor()
    const { items } = await person.call<{ items: { id: string; sandbox: boolean }[] }>('list_workspaces')
    const inside = person.inWorkspace(items.find(({ sandbox }) => sandbox)?.id ?? assert.fail())
    const signals = async () => (await inside.call<{ counts: { signals: number } }>('orient_snapshot')).counts.signals
    const sampled = await signals()
    assert.ok(sampled > 50, `${sampled} signals`)
    await inside.call('capture_signal', { text: 'One that the reset removes.' })
    await open(PATH)
    await page.getByRole('button', { name: 'Reset the sample data' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reset the sample data?' })
    await dialog.waitFor()
    await checkAccess()
    await screenshot('workspace-sandbox')
    const remedy = await fail('reset_sandbox')
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await dialog.getByRole('alert').waitFor()
    await remedy()
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('The sample data is as it was at first.').waitFor()
    assert.ok((await signals()) >= sampled)
  })

  describeEveryState(() => visit, {
    screen: 'workspace',
    path: PATH,
    reads: 'list_workspaces',
    shows: 'You are its last owner',
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
