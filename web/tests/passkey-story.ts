import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { CDPSession } from 'playwright-core'
import type { Visit } from './visit.ts'

const PASSWORD = 'a long enough password'

/**
 * An account adds a passkey, signs in with it by the button and by what the browser offers, names it and removes it.
 * The authenticator is Chromium's own, in software. Passkeys hold at a host with a name, so the pages are those of
 * `localhost`.
 */
export const describePasskeys = (visitOf: () => Visit, email: string): void => {
  describe('A passkey', () => {
    let visit: Visit
    let home = ''
    let browser: CDPSession
    let authenticatorId = ''
    before(async () => {
      visit = visitOf()
      home = visit.installation.baseUrl.replace('127.0.0.1', 'localhost')
      browser = await visit.page.context().newCDPSession(visit.page)
      await browser.send('WebAuthn.enable')
      authenticatorId = (
        await browser.send('WebAuthn.addVirtualAuthenticator', {
          options: {
            protocol: 'ctap2',
            transport: 'internal',
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true,
          },
        })
      ).authenticatorId
      await visit.signOut()
      await visit.page.goto(`${home}/sign-in?back=/app/settings/account`)
      await visit.page.getByLabel('E-mail').fill(email)
      await visit.page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
      await visit.page.getByRole('button', { name: 'Sign in' }).click()
      await visit.page.waitForURL('**/app/settings/account')
    })
    after(async () => {
      await browser.send('WebAuthn.disable')
      await visit.signOut()
    })
    const isVerified = (is: boolean) =>
      browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: is })

    it('is added with the password', async () => {
      const { page, checkAccess, screenshot } = visit
      visit.expectStatus(400)
      await page.getByLabel('What you call this passkey').fill('Laptop')
      await page.getByLabel('Your password, to add a passkey').fill('not the password')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByText('No passkey was added').waitFor()
      await page.getByLabel('Your password, to add a passkey').fill(PASSWORD)
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()
      await checkAccess()
      await screenshot('passkeys')
      await page.getByLabel('Your password, to add a passkey').fill(PASSWORD)
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByText('This device has a passkey of your account already.').waitFor()
    })

    it('is renamed', async () => {
      const { page, checkAccess } = visit
      await page.getByRole('button', { name: 'Rename the passkey Laptop' }).click()
      await page.getByLabel('New name of the passkey').fill('Desk')
      await checkAccess()
      await page.getByRole('button', { name: 'Rename', exact: true }).click()
      await page.getByRole('cell', { name: 'Desk', exact: true }).waitFor()
    })

    it('signs in where the browser offers it for the address, without a click', async () => {
      await visit.signOut()
      await visit.page.goto(`${home}/sign-in?back=/app/settings/account`)
      await visit.page.waitForURL('**/app/settings/account')
      await visit.page.getByRole('cell', { name: 'Desk', exact: true }).waitFor()
      const passkeys = visit.page.getByRole('region', { name: 'Passkeys' })
      assert.equal(await passkeys.getByRole('cell', { name: '–' }).count(), 0, 'it says when it was used')
    })

    it('signs in by the button, and refuses a device that did not make sure who it is', async () => {
      const { page, checkAccess, screenshot } = visit
      await visit.signOut()
      await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
      await page.goto(`${home}/sign-in`)
      await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
      await checkAccess()
      await screenshot('sign-in-with-a-passkey')
      await isVerified(false)
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor()
      await checkAccess()
      await isVerified(true)
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.waitForURL(`${home}/app`)
    })

    it('is removed, and signs in no more', async () => {
      const { page, checkAccess } = visit
      visit.expectStatus(401)
      await page.goto(`${home}/app/settings/account`)
      await page.getByRole('button', { name: 'Remove the passkey Desk' }).click()
      const question = page.getByRole('dialog', { name: 'Remove the passkey Desk?' })
      await question.getByText('cannot be brought back').waitFor()
      await checkAccess()
      await question.getByRole('button', { name: 'Cancel' }).click()
      await question.waitFor({ state: 'detached' })
      await page.getByRole('cell', { name: 'Desk', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Remove the passkey Desk' }).click()
      await question.getByRole('button', { name: 'Remove passkey' }).click()
      // A notice that moves to a free corner is there twice for a moment.
      await page.getByText('The passkey is removed.').first().waitFor()
      await visit.signOut()
      await page.goto(`${home}/sign-in`)
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.getByRole('alert').filter({ hasText: 'This passkey is not known here' }).waitFor()
    })
  })
}
