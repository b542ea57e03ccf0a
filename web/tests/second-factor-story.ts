import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { base32 } from '@scure/base'
import type { Visit } from './visit.ts'

const PASSWORD = 'a long enough password'

/** RFC 6238, of now. */
const digitsOf = (key: string): string => {
  const secret = base32.decode(key.replaceAll(' ', '').padEnd(56, '='))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Who is signed in sets a second factor up, signs in with it, and turns it off again. */
export const describeSecondFactor = (visitOf: () => Visit, email: string): void => {
  describe('The second factor', () => {
    let visit: Visit
    let key = ''
    before(() => {
      visit = visitOf()
    })

    it('is set up by a picture, a key and the first digits', async () => {
      const { page, open, checkAccess, screenshot } = visit
      await open('/app/settings/account')
      await page.getByLabel('Your password, to set it up').fill(PASSWORD)
      await page.getByRole('button', { name: 'Set up a second factor' }).click()
      await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
      key = (await page.locator('pre[data-label="Key"]').textContent()) ?? ''
      await checkAccess()
      await screenshot('second-factor-set-up')
      await page.getByLabel('3. The six digits that the app shows now').fill(digitsOf(key))
      await page.getByRole('button', { name: 'Turn it on' }).click()
      await page.getByText('It is on: a sign-in').waitFor()
      await checkAccess()
      await screenshot('second-factor-on')
    })

    it('is asked for after the password', async () => {
      const { page, installation, checkAccess, screenshot } = visit
      await visit.signOut()
      await page.goto(`${installation.baseUrl}/sign-in`)
      await page.getByLabel('E-mail').fill(email)
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Code').fill('000000')
      await checkAccess()
      await screenshot('second-factor-asked')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
      await page.getByLabel('Code').fill(digitsOf(key))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL('**/app')
    })

    it('is turned off with the password', async () => {
      const { page, open } = visit
      await open('/app/settings/account')
      await page.getByLabel('Your password, to change the second factor').fill(PASSWORD)
      await page.getByRole('button', { name: 'Turn it off' }).click()
      await page.getByRole('button', { name: 'Set up a second factor' }).waitFor()
      assert.equal(await page.getByText('It is on: a sign-in').count(), 0)
    })
  })
}
