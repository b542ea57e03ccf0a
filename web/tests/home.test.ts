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
    await page.evaluate('sessionStorage.clear()')
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

  it('sends a test from the page, and shows it arriving', async () => {
    const { page, open } = visit
    await open('/app')
    await page.getByRole('button', { name: 'Create a signal source' }).click()
    await page.getByRole('button', { name: 'Send a test from here' }).click()
    await page.getByRole('link', { name: 'SIG-1' }).waitFor()
    visit.assertNoFaults()
  })

  it('leads a visitor who comes back before the first signal to the source’s own page', async () => {
    const { page, open, person } = visit
    const { id } = await person.call<{ id: string }>('create_workspace', { name: 'Second' })
    await person.inWorkspace(id).call('create_source', { kind: 'signal', name: 'Desk' })
    await page.evaluate(`localStorage.setItem('assay-workspace', '${id}')`)
    await open('/app')
    await page.getByText('Welcome to Second').waitFor()
    await page.getByRole('link', { name: 'Settings → Sources' }).waitFor()
    visit.assertNoFaults()
  })
})
