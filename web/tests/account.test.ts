import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { describePasskeys } from './passkey-story.ts'
import { describeSecondFactor } from './second-factor-story.ts'
import { comesToBe, DESKTOP, PHONE, startVisit, type Visit } from './visit.ts'

const PASSWORD = 'a long enough password'

describe('Sign-up, sign-in and sign-out', () => {
  let visit: Visit
  let page: Page
  before(async () => {
    visit = await startVisit()
    page = visit.page
    await visit.signOut()
    visit.expectStatus(401)
  })
  after(() => visit?.end())

  const address = (path: string): string => `${visit.installation.baseUrl}${path}`
  const path = (): string => new URL(page.url()).pathname

  it('lead whoever is not signed in to the sign-in, and back to where they were', async () => {
    await page.goto(address('/app/settings/connect-agents?x=1'))
    await page.waitForURL('**/sign-in?back=*')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.waitForURL('**/sign-up?back=*')
    await page.getByLabel('Name').fill('<b>Ana</b>')
    await page.keyboard.press('Tab')
    await page.keyboard.type('ana@example.com')
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await visit.checkAccess()
    await page.keyboard.press('Enter')
    await page.waitForURL(address('/app/settings/connect-agents?x=1'))
    await page.getByRole('button', { name: 'Account: <b>Ana</b>' }).waitFor()
  })

  it('end the session for the server too', async () => {
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByText('ana@example.com').waitFor()
    await visit.checkAccess()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(address('/sign-in'))
    await page.goto(address('/app'))
    await page.waitForURL(address('/sign-in'))
  })

  it('say what is wrong with a password, without losing what was written', async () => {
    await page.getByLabel('E-mail').fill('ana@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /password/i })
      .waitFor()
    await visit.checkAccess()
    await comesToBe(() => page.evaluate('document.activeElement.textContent'), 'Sign in')
    assert.equal(await page.getByLabel('E-mail').inputValue(), 'ana@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(address('/app'))
  })

  it('say that the service cannot be reached', async () => {
    visit.expectFault('ERR_FAILED')
    await visit.signOut()
    await page.goto(address('/sign-in'))
    await page.route('**/api/auth/**', route => route.abort())
    await page.getByLabel('E-mail').fill('ana@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('lead nobody away from the app, whatever a link says', async () => {
    for (const back of ['//elsewhere.example', 'https://elsewhere.example', '/apples', 'javascript:alert(1)']) {
      await visit.signOut()
      await page.goto(address(`/sign-in?back=${encodeURIComponent(back)}`))
      await page.getByLabel('E-mail').fill('ana@example.com')
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(address('/app'))
      assert.equal(path(), '/app', back)
    }
  })

  it('lead whoever is signed in already past the form', async () => {
    await page.goto(address('/sign-in?back=/app/claims'))
    await page.waitForURL(address('/app/claims'))
  })

  describeSecondFactor(() => visit, 'ana@example.com')
  describePasskeys(() => visit, 'ana@example.com')

  const ways = {
    password: true,
    passkey: true,
    sign_on: 'Example',
    password_reset: 'mail',
    sign_up: 'everyone',
    has_accounts: true,
    own: null,
  }

  it('lead to the company’s own sign-in where there is one, and say why that let somebody not in', async () => {
    await visit.signOut()
    await page.route('**/api/auth/sign-in-ways', route => route.fulfill({ json: ways }))
    await page.goto(address('/sign-in?error=ADDRESS_NOT_ALLOWED'))
    await page.getByRole('alert').filter({ hasText: 'Addresses of your domain' }).waitFor()
    await page.getByText('or with a password').waitFor()
    await visit.checkAccess()
    await visit.screenshot('sign-in-by-company')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.route('**/api/auth/sign-in-ways', route => route.fulfill({ json: { ...ways, password: false } }))
    await page.goto(address('/sign-in'))
    await page.getByRole('button', { name: 'Continue with Example' }).waitFor()
    assert.equal(await page.getByLabel('E-mail').count(), 0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('begin with an account where nobody has one yet, and come back to the address that was opened', async () => {
    await page.route('**/api/auth/sign-in-ways', route =>
      route.fulfill({ json: { ...ways, sign_on: null, sign_up: 'first', has_accounts: false } }),
    )
    await page.goto(address('/sign-in?back=%2Fapp%2Fclaims'))
    await page.waitForURL(address('/sign-up?back=%2Fapp%2Fclaims'))
    await page.getByText('your account administers this installation').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Sign in' }).count(), 0)
    await visit.checkAccess()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('send a link to whoever forgot their password, and say the same of every address', async () => {
    await page.route('**/api/auth/sign-in-ways', route => route.fulfill({ json: { ...ways, sign_on: null } }))
    await page.route('**/api/auth/request-password-reset', route => route.fulfill({ json: { status: true } }))
    await page.goto(address('/sign-in'))
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await comesToBe(() => page.evaluate<boolean>('document.activeElement !== document.body'), true)
    // The sign-in has a field of the same name.
    await page.getByText('You get a link by mail').waitFor()
    await page.getByLabel('E-mail').fill('ana@example.com')
    await visit.screenshot('forgot-password-mail')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('If an account has the address ana@example.com').waitFor()
    await page.getByRole('heading', { name: 'Look into your mail' }).and(page.locator(':focus')).waitFor()
    await visit.checkAccess()
    await visit.screenshot('forgot-password-sent')
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const screen of ['sign-in', 'sign-up', 'forgot-password', 'reset-password', 'verify-email']) {
      it(`can be read by everyone, and fit a phone: ${screen}, ${colorScheme}`, async () => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await visit.open(`/${screen}#a-token`)
        await visit.checkAccess()
        await visit.screenshot(`${screen}-${colorScheme}`)
        await page.setViewportSize(PHONE)
        await visit.noSideScroll()
        if (colorScheme === 'light') await visit.screenshot(`${screen}-phone`)
        await page.setViewportSize(DESKTOP)
      })
    }
  }

  it('went without a fault in the page', () => {
    visit.assertNoFaults()
  })
})
