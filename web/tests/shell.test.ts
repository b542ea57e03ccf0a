import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { englishIn } from './english-in.ts'
import { describeInterruptions } from './shell/interruptions.ts'
import { describePalette } from './shell/palette.ts'
import { DESKTOP, PHONE, startVisit, type Visit } from './visit.ts'

const PATH = '/app/settings/connect-agents'

/** Screens, each of which has its messages in a file of its own, and what they are called. */
const IN_GERMAN = {
  '/app': 'Willkommen bei Product manager workspace',
  '/app/board': 'Board',
  '/app/claims': 'Aussagen',
  '/app/settings/sources': 'Quellen',
}

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

  it('leads whoever is signed in past the sign-in, also on the way back', async () => {
    const { page, installation } = visit
    for (const form of ['/sign-in?back=/app/claims', '/sign-up?back=/app/claims']) {
      await page.goto(`${installation.baseUrl}${form}`)
      await page.waitForURL('**/app/claims')
    }
  })

  describePalette(() => visit)

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

  it('has a menu of the account that is as high at once as with all that comes late', async () => {
    const { page, person, open, hold } = visit
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
    await page.route('**/assets/for-assistance-*.js', async route => {
      await arrived
      await route.continue()
    })
    const release = await hold('/api/auth/get-session')
    await open(PATH)
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    const height = () => page.evaluate<number>(`document.querySelector('[role=menu]').offsetHeight`)
    const before = await height()
    await page.getByRole('menuitem', { name: 'What the words mean' }).waitFor()
    arrive()
    await release()
    await page.getByText(person.email).waitFor()
    assert.equal(await height(), before)
    await page.getByRole('menuitem', { name: 'What the words mean' }).click()
    await page.getByRole('dialog', { name: 'What the words mean' }).waitFor()
    await page.keyboard.press('Escape')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('speaks German when it is chosen, remembers it, and says nothing of its messages in English', async () => {
    const { page, open, expectStatus } = visit
    await open(PATH)
    const links = page.getByRole('navigation').getByRole('link')
    const inEnglish = await links.count()
    assert.ok(inEnglish > 15)
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.locator('html[lang=de]').waitFor()
    await eventually('every link is there', async () => (await links.count()) === inEnglish)
    const release = await visit.hold('list_workspaces')
    await open(PATH)
    await page.getByRole('button', { name: 'Arbeitsbereich: wird geladen …' }).waitFor()
    await release()
    for (const [path, heading] of Object.entries(IN_GERMAN)) {
      await open(path)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      assert.deepEqual(await englishIn(page), [], path)
    }
    expectStatus(404)
    await open('/app/claims/CLM-99999')
    await page.getByText('In diesem Arbeitsbereich nicht vorhanden: Aussage „CLM-99999“.').waitFor()
    await page.getByRole('button', { name: /^Konto/ }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await page.locator('html[lang=en]').waitFor()
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
    await page.evaluate(`sessionStorage.setItem('assay-workspace', '${id.slice(0, -4)}0000')`)
    await open('/app')
    await page.getByRole('button', { name: 'Workspace: Second' }).waitFor()
    await visit.enter(null)
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

  describeInterruptions(() => visit)

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
