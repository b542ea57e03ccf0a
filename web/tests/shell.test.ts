import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AWAY } from './interference.ts'
import { DESKTOP, PHONE, startVisit, type Visit } from './visit.ts'

const PATH = '/app/settings/connect-agents'

describe('The shell', () => {
  let visit: Visit
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  it('says where there is nothing, at every address of the app', async () => {
    const { page, open, checkAccess } = visit
    await open('/app/no-such-screen')
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
    assert.equal(await page.title(), 'Not found · Assay')
    await checkAccess()
    await page.getByRole('link', { name: 'Back to the start' }).click()
    await page.getByText('Welcome to').waitFor()
  })

  it('opens the palette by keyboard, goes to a screen by its name, and to a reference', async () => {
    const { page, open, checkAccess } = visit
    await open('/app')
    const command = page.getByRole('textbox', { name: 'Command' })
    await page.keyboard.press('Control+k')
    await command.waitFor()
    await checkAccess()
    await command.pressSequentially('connect ag')
    await page
      .getByRole('option')
      .or(page.getByRole('button', { name: 'Connect agents' }))
      .first()
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${PATH}`)
    await page.keyboard.press('Control+k')
    await command.pressSequentially('clm-12')
    await page.getByText('Open CLM-12').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app/claims/CLM-12')
  })

  it('lists the keys of the screen at `?`, which rest while somebody writes', async () => {
    const { page, open, checkAccess, screenshot } = visit
    await open(PATH)
    await page.getByLabel('Label').fill('')
    await page.getByLabel('Label').press('?')
    assert.equal(await page.getByLabel('Label').inputValue(), '?')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard' })
    await help.getByText('Create a key for an agent').waitFor()
    await checkAccess()
    await screenshot('keys')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
  })

  it('skips to the content by keyboard', async () => {
    const { page, open } = visit
    await open(PATH)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.id'), 'main')
  })

  it('changes between light and dark, and remembers', async () => {
    const { page, open } = visit
    const scheme = () => page.evaluate('document.documentElement.dataset.mantineColorScheme')
    await open(PATH)
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    assert.equal(await scheme(), 'dark')
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await scheme(), 'dark')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitemradio', { name: 'System' }).click()
    assert.equal(await scheme(), 'light')
  })

  it('works in another workspace of the person, and nothing of the first stays', async () => {
    const { page, open, person, expectStatus, checkAccess } = visit
    await person.call('create_key', { label: 'Of the first' })
    const { id } = await person.call<{ id: string }>('create_workspace', { name: 'Second' })
    await open(PATH)
    await page.getByText('Of the first').waitFor()
    await page.getByRole('button', { name: /^Workspace/ }).click()
    await page.getByRole('menuitem', { name: /Second/ }).waitFor()
    await checkAccess()
    await page.getByRole('menuitem', { name: /Second/ }).click()
    await page.getByText('Welcome to Second').waitFor()
    await page.getByRole('link', { name: 'Connect agents' }).click()
    await page.getByText('No agent is connected yet').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Workspace: Second' }).waitFor()
    // A browser that remembers a workspace which its person has lost.
    expectStatus(403)
    await page.evaluate(
      `for (const store of [localStorage, sessionStorage]) store.setItem('assay-workspace', '${id.slice(0, -4)}0000')`,
    )
    await open('/app')
    await page.getByRole('button', { name: /^Workspace: Product manager/ }).waitFor()
  })

  it('says above every screen what is away, until it is back', async () => {
    const { page, open, fail } = visit
    const remedy = await fail('list_keys')
    await open(PATH)
    const banner = page.getByRole('status').filter({ hasText: AWAY })
    await banner.waitFor()
    await remedy()
    // Asked again by itself.
    await banner.waitFor({ state: 'detached' })
    await page.getByText('Of the first').waitFor()
  })

  it('goes on while the browser has no network: the service may be on the same machine', async () => {
    const { page, open } = visit
    await open(PATH)
    const tell = (event: 'offline' | 'online') => page.evaluate(`dispatchEvent(new Event('${event}'))`)
    await tell('offline')
    await page.getByRole('link', { name: 'Claims' }).click()
    await page.getByText('No claim is like that').waitFor()
    await page.getByRole('link', { name: 'Connect agents' }).click()
    await page.getByLabel('Label').fill('Offline')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page
      .getByText(/^service_mcp_[0-9a-f]{32}$/)
      .first()
      .waitFor()
    await tell('online')
  })

  it('keeps a phone’s navigation behind the burger', async () => {
    const { page, open, checkAccess, noSideScroll, screenshot } = visit
    await page.setViewportSize(PHONE)
    await open(PATH)
    const link = page.getByRole('link', { name: 'Sources' })
    const outOfReach = page.locator('[inert]').filter({ has: link })
    await outOfReach.waitFor()
    await page.getByRole('button', { name: 'Open the navigation' }).click()
    await link.click({ trial: true })
    await checkAccess()
    await noSideScroll()
    await screenshot('navigation-phone')
    await page.getByRole('button', { name: 'Close the navigation' }).click()
    await outOfReach.waitFor()
    await page.setViewportSize(DESKTOP)
  })

  it('goes on around a screen whose file is gone', async () => {
    const { page, open, expectStatus } = visit
    expectStatus(404)
    await page.route('**/assets/connect-agents-*.js', route => route.fulfill({ status: 404 }))
    await open('/app')
    await page.getByRole('link', { name: 'Connect agents' }).click()
    await page.getByRole('heading', { name: 'Assay was updated' }).waitFor()
    await page.getByRole('link', { name: 'Connect agents' }).waitFor()
    await page.unroute('**/assets/connect-agents-*.js')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { name: 'Connect agents' }).waitFor()
  })
})
