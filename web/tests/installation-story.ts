import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { signUp } from '../../test/support/person.ts'
import { describeEveryState } from './every-state.ts'
import type { Visit } from './visit.ts'

const PASSWORD = 'a long enough password'
const GUEST = { email: 'guest@example.com', password: PASSWORD }

/** Who comes into an installation that is by invitation, and who administers it: the visit's person, who came first. */
export const describeInstallation = (visitOf: () => Visit): void => {
  describe('The installation', () => {
    let visit: Visit
    before(() => {
      visit = visitOf()
    })

    const invite = async (): Promise<string> =>
      (await visit.person.call<{ url: string }>('invite_member', { label: 'Guest', role: 'member' })).url
    const signIn = async (email: string, password: string) => {
      const { page, installation } = visit
      await visit.signOut()
      await page.goto(`${installation.baseUrl}/sign-in`)
      await page.getByLabel('E-mail').fill(email)
      await page.getByRole('textbox', { name: 'Password' }).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL('**/app')
    }

    it('says that it is by invitation before anybody fills a form in', async () => {
      const { page, open, checkAccess, screenshot } = visit
      await visit.signOut()
      await open('/sign-up')
      await page.getByRole('heading', { name: 'This installation is by invitation' }).waitFor()
      assert.equal(await page.getByRole('textbox', { name: 'Password' }).count(), 0)
      await checkAccess()
      await screenshot('sign-up-by-invitation')
    })

    it('lets in who follows an invitation, and refuses the link to the next', async () => {
      const { page, expectStatus } = visit
      const link = await invite()
      expectStatus(401)
      expectStatus(403)
      await visit.signOut()
      await page.goto(link)
      await page.getByRole('link', { name: 'Create an account' }).click()
      await page.getByText('You are invited.').waitFor()
      await page.getByLabel('Name').fill('Guest')
      await page.getByLabel('E-mail').fill(GUEST.email)
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign up' }).click()
      await page.getByRole('button', { name: 'Open the workspace' }).click()
      await page.waitForURL('**/app')
      await visit.signOut()
      await page.goto(link)
      await page.getByRole('alert').filter({ hasText: 'is not valid' }).waitFor()
    })

    it('helps who forgot their password to a new one, by a link that the administrator copies', async () => {
      const { page, person, installation, open, checkAccess, screenshot } = visit
      await visit.signOut()
      await page.goto(`${installation.baseUrl}/sign-in`)
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await page.getByText('This installation sends no mail.').waitFor()
      await checkAccess()
      await signIn(person.email, PASSWORD)
      await open('/app/settings/installation')
      await page.getByLabel('Who forgot their password').fill(GUEST.email)
      await page.getByRole('button', { name: 'Make a link' }).click()
      const link = (await page.locator('pre[data-label="Link"]').textContent()) ?? ''
      assert.match(link, /\/reset-password#[\w-]{43}$/)
      await checkAccess()
      await screenshot('installation-reset-link')
      await page.getByRole('link', { name: 'Open the audit log' }).click()
      await page.getByRole('cell', { name: 'Link for a new password made' }).first().waitFor()
      await checkAccess()
      await screenshot('audit-log')
      await visit.signOut()
      await page.goto(link)
      await page.getByRole('textbox', { name: 'New password' }).fill(PASSWORD)
      assert.equal(new URL(page.url()).hash, '', 'the link is in no history')
      await checkAccess()
      await screenshot('reset-password')
      await page.getByRole('button', { name: 'Save the password' }).click()
      await page.getByText('Sign in with the new password.').waitFor()
      await page.getByRole('heading', { name: 'Your password is changed' }).and(page.locator(':focus')).waitFor()
      await screenshot('reset-password-done')
      await page.goto('about:blank')
      await page.goto(link)
      visit.expectStatus(400)
      await page.getByRole('textbox', { name: 'New password' }).fill('of somebody else')
      await page.getByRole('button', { name: 'Save the password' }).click()
      await page.getByRole('alert').filter({ hasText: 'This link does not work' }).waitFor()
      await signIn(GUEST.email, PASSWORD)
    })

    it('changes a name, an address and a password, and ends sessions', async () => {
      const { page, open, checkAccess } = visit
      await signIn(GUEST.email, GUEST.password)
      await open('/app/settings/account')
      const keys = page.getByRole('main').getByRole('link', { name: 'Connect agents' })
      assert.match((await keys.getAttribute('href')) ?? '', /\/app\/settings\/connect-agents$/)
      await page.getByLabel('Your name').fill('Renamed <b>guest</b>')
      await page.getByRole('button', { name: 'Change name' }).click()
      await page.getByRole('button', { name: 'Account: Renamed <b>guest</b>' }).waitFor()
      await page.getByLabel('New e-mail').fill('moved@example.com')
      await page.getByLabel('Your password, to change').fill(PASSWORD)
      await page.getByRole('button', { name: 'Change e-mail' }).click()
      await page.getByText('From now on you sign in with').waitFor()
      await page.getByRole('button', { name: 'End all others' }).click()
      await page.getByText('You are signed in here alone.').waitFor()
      await page.getByLabel('Current password').fill(PASSWORD)
      await page.getByLabel('New password').fill('another long password')
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByText('every other session has ended').waitFor()
      await checkAccess()
    })

    it('deletes an account once its address is written out', async () => {
      const { page, open, checkAccess, screenshot } = visit
      await open('/app/settings/account')
      // Who signed up by an invitation has no workspace of their own that would go.
      await page.getByRole('button', { name: 'Delete account' }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
      const remove = dialog.getByRole('button', { name: 'Delete account' })
      await dialog.getByLabel('Your password').fill('another long password')
      assert.equal(await remove.isDisabled(), true)
      await dialog.getByLabel('to confirm').fill('moved@example.com')
      await checkAccess()
      await screenshot('account-delete')
      await remove.click()
      await page.waitForURL('**/sign-in')
    })

    it('shares the administration and takes it back', async () => {
      const { page, person, installation, open, checkAccess } = visit
      const invited = await invite()
      const other = await signUp(installation.baseUrl, new URL(invited).hash.slice(1))
      await signIn(person.email, PASSWORD)
      await open('/app/settings/installation')
      await page.getByText('of everybody, with their owners').waitFor()
      await page.getByLabel('Make an administrator').fill(other.email)
      await page.getByRole('button', { name: 'Share the role' }).click()
      await page.getByText('administers this installation from now on').waitFor()
      await checkAccess()
      await page.getByRole('button', { name: 'Remove role from' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove role' }).click()
      await page.getByText('The role is removed.').waitFor()
      await page.getByRole('button', { name: 'Remove role from' }).waitFor({ state: 'detached' })
      assert.equal(await page.getByRole('button', { name: 'Give up the role' }).count(), 0)
    })

    describeEveryState(() => visit, {
      screen: 'installation',
      path: '/app/settings/installation',
      reads: 'list_administrators',
      shows: 'Every workspace',
    })

    describeEveryState(() => visit, {
      screen: 'account',
      path: '/app/settings/account',
      reads: 'preview_account_deletion',
      shows: 'You are the only administrator',
    })
  })
}
