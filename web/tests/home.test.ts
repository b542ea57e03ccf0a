import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { describeEveryState } from './every-state.ts'
import { startVisit, type Visit } from './visit.ts'

const HOSTILE = `<script>document.title='taken'</script><img src=x onerror="document.title='taken'"> backwards ${'x'.repeat(300)}`

describe('The first visit', () => {
  let visit: Visit
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  describeEveryState(() => visit, { screen: 'home', path: '/app', reads: 'orient_snapshot', shows: 'Welcome to' })

  it('says why a source could not be created, and goes on when it can be', async () => {
    const { page, open, fail, checkAccess } = visit
    await open('/app')
    await page.getByRole('link', { name: 'Import a file' }).waitFor()
    const create = page.getByRole('button', { name: 'Create a signal source' })
    const remedy = await fail('create_source', { detail: 'No source can be made now.' })
    await create.click()
    await page.getByRole('alert').filter({ hasText: 'No source can be made now.' }).waitFor()
    await remedy()
    await create.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Waiting for it').waitFor()
    await checkAccess()
  })

  it('shows the signal of the curl as it arrives, as text', async () => {
    const { page, screenshot, checkAccess } = visit
    const curl = (await page.locator('pre[data-label="curl"]').textContent()) ?? ''
    const { stdout } = await promisify(execFile)('bash', ['-c', curl])
    assert.equal(JSON.parse(stdout).ok, true, stdout)
    await page.getByRole('link', { name: 'SIG-1' }).waitFor()
    await page.getByText('The CSV export fails').last().waitFor()
    await checkAccess()
    await screenshot('home-arrived')
  })

  it('shows what a sender wrote as text, whatever it is', async () => {
    const { page, open, person, checkAccess } = visit
    const { id } = await person.call<{ id: string }>('create_workspace', { name: '<i>Third</i>' })
    await page.evaluate(`sessionStorage.setItem('assay-workspace', '${id}')`)
    await open('/app')
    await page.getByText('Welcome to <i>Third</i>').waitFor()
    await person.inWorkspace(id).call('capture_signal', { text: HOSTILE })
    // The snapshot that the page reads carries the beginning of the text.
    await page.getByText(HOSTILE.slice(0, 60)).waitFor()
    assert.equal(await page.locator('main img, main script, main i').count(), 0)
    await checkAccess()
    await visit.enter(null)
  })

  it('leads to Triage from there, and from the second visit on', async () => {
    const { page, installation } = visit
    await page.getByRole('link', { name: 'Go to Triage' }).click()
    await page.waitForURL('**/app/triage')
    await page.goto(`${installation.baseUrl}/app`)
    await page.waitForURL('**/app/triage')
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})

describe('A first visit without a terminal', () => {
  let visit: Visit
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  it('sends a test from the page, which arrives as a test, counts nowhere, and is gone with one click', async () => {
    const { page, open, person, checkAccess, screenshot } = visit
    await open('/app')
    await page.getByRole('button', { name: 'Create a signal source' }).click()
    await page.getByRole('button', { name: 'Send a test from here' }).click()
    const arrived = page.getByText('The test passed every step.')
    await arrived.waitFor()
    await checkAccess()
    await screenshot('home-test')
    const { counts } = await person.call<{ counts: Record<string, number> }>('orient_snapshot')
    assert.deepEqual([counts.signals, counts.signals_in_triage, counts.claims], [0, 0, 0])
    const { received } = await person.call<{ received: number }>('read_ledger')
    assert.equal(received, 0)
    const { items } = await person.call<{ items: { id: string }[] }>('list_test_signals')
    const { status } = await person.call<{ status: string }>('lookup_signal', { id: items[0]?.id })
    assert.equal(status, 'test')
    await page.getByRole('button', { name: 'Remove the test' }).click()
    await arrived.waitFor({ state: 'detached' })
    visit.assertNoFaults()
  })

  it('writes its first signal by hand, and is shown what to do next until that is done or put away', async () => {
    const { page, open, person, checkAccess, screenshot } = visit
    await page.getByRole('button', { name: 'Write a signal' }).click()
    const dialog = page.getByRole('dialog', { name: 'Write a signal' })
    await dialog.getByLabel('What was said').fill('The export fails with an error on large boards.')
    await dialog.getByRole('button', { name: 'Send it' }).click()
    await page.getByRole('link', { name: 'Go to Triage' }).click()
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByRole('link', { name: 'Decide the first signal' }).waitFor()
    await checkAccess()
    await page.getByText('The export fails').first().waitFor()
    await person.call('triage', { action: 'accept', signal_id: 'SIG-1' })
    // Done by whomever, and seen without being asked.
    await steps.getByRole('link', { name: 'Decide the first signal' }).waitFor({ state: 'detached' })
    await steps.getByRole('img', { name: 'Done' }).waitFor()
    await screenshot('first-steps')
    await steps.getByRole('button', { name: 'Put the first steps away' }).click()
    await steps.waitFor({ state: 'detached' })
    await open('/app/triage')
    await page.getByRole('tab', { name: 'Accepted' }).waitFor()
    assert.equal((await person.call<{ is_shown: boolean }>('read_first_steps')).is_shown, false)
    assert.equal(await steps.count(), 0)
  })

  it('looks around with sample data, which is marked as such and removed again', async () => {
    const { page, open, person, checkAccess } = visit
    const { id } = await person.call<{ id: string }>('create_workspace', { name: 'Empty' })
    await page.evaluate(`sessionStorage.setItem('assay-workspace', '${id}')`)
    await open('/app')
    await page.getByRole('button', { name: 'Look around with sample data' }).click()
    await page.waitForURL('**/app/triage')
    const mark = page.getByText('Invented, for trying things out')
    await mark.waitFor()
    await page.getByRole('button', { name: 'Workspace: Sample data' }).click()
    await page.getByRole('menuitem', { name: 'Remove the sample data' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove the sample data?' })
    await checkAccess()
    // The page may still read the workspace while that goes.
    visit.expectStatus(403)
    await dialog.getByRole('button', { name: 'Remove it' }).click()
    await mark.waitFor({ state: 'detached' })
    const { items } = await person.call<{ items: { name: string }[] }>('list_workspaces')
    assert.deepEqual(items.map(({ name }) => name).toSorted(), ['Empty', 'Product manager workspace'])
    visit.assertNoFaults()
  })

  it('leads a visitor who comes back before the first signal to the source’s own page', async () => {
    const { page, open, person } = visit
    const { id } = await person.call<{ id: string }>('create_workspace', { name: 'Second' })
    await person.inWorkspace(id).call('create_source', { kind: 'signal', name: 'Desk' })
    await page.evaluate(`sessionStorage.setItem('assay-workspace', '${id}')`)
    await open('/app')
    await page.getByText('Welcome to Second').waitFor()
    await page.getByRole('link', { name: 'Settings → Sources' }).waitFor()
    visit.assertNoFaults()
  })
})
