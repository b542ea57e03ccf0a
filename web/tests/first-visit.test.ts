import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { startVisit, type Visit } from './visit.ts'

/** From an address that was just opened to the first signal that was accepted, as a person goes. */
describe('The first visit', () => {
  let visit: Visit
  let began: number
  before(async () => {
    visit = await startVisit()
    await visit.signOut()
  })
  after(() => visit?.end())

  it('leads from the bare address to an account, and refuses a password that is too short', async () => {
    const { page, installation, checkAccess, screenshot } = visit
    began = Date.now()
    await page.goto(installation.baseUrl)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Name').fill('Newcomer')
    await page.getByLabel('E-mail').fill('newcomer@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill('short')
    await page.getByRole('button', { name: 'Sign up' }).click()
    assert.equal(
      await page.getByRole('textbox', { name: 'Password' }).evaluate(input => input.matches(':invalid')),
      true,
    )
    await checkAccess()
    await screenshot('sign-up')
    await page.getByRole('textbox', { name: 'Password' }).fill('a long enough password')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Welcome to Newcomer workspace' }).waitFor()
  })

  it('makes a source, and waits for what its curl sends', async () => {
    const { page, checkAccess, screenshot } = visit
    await page.getByRole('button', { name: 'Create a signal source' }).click()
    const curl = page.locator('pre[data-label="curl"]')
    await curl.waitFor()
    await page.getByText('Waiting for it').waitFor()
    await checkAccess()
    await screenshot('welcome-waiting')
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', (await curl.textContent()) ?? ''])
    assert.equal(JSON.parse(stdout).ok, true, stdout)
  })

  it('shows the signal arriving without being asked', async t => {
    const { page, checkAccess, noSideScroll, screenshot } = visit
    await page.getByText('The CSV export fails with an error after 100 rows.').waitFor()
    t.diagnostic(`${Date.now() - began} ms from the bare address to the first signal`)
    await page.getByRole('link', { name: 'SIG-1' }).waitFor()
    await checkAccess()
    await noSideScroll()
    await screenshot('welcome-arrived')
    await page.getByRole('link', { name: 'Go to Triage' }).waitFor()
  })

  it('signs out, and says what is wrong with a password that does not fit', async () => {
    const { page } = visit
    await page.getByRole('button', { name: /^Account/ }).click()
    visit.assertNoFaults()
    // What the page still reads while the session ends is refused too.
    visit.expectStatus(401)
    // It comes with the first use of the page, and the menu grows by it.
    await page.getByRole('menuitem', { name: 'What the words mean' }).waitFor()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
    await page.getByLabel('E-mail').fill('newcomer@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /password/i })
      .waitFor()
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
