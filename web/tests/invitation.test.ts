import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startVisit, type Visit } from './visit.ts'

describe('An invitation’s link', () => {
  let visit: Visit
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  const invite = async (role: string): Promise<string> =>
    (await visit.person.call<{ url: string }>('invite_member', { label: 'Guest', role })).url

  it('leads a stranger through sign-up into the workspace, and the token leaves the address at once', async () => {
    const { page, checkAccess, screenshot } = visit
    await visit.signOut()
    const link = await invite('member')
    await page.goto(link)
    await page.getByRole('heading', { name: 'Join Product manager workspace' }).waitFor()
    await page.getByText('Product manager invites you as member').waitFor()
    assert.ok(!page.url().includes('#'))
    await checkAccess()
    await screenshot('invitation-signed-out')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Name').fill('Guest')
    await page.getByLabel('E-mail').fill('guest@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill('a long enough password')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByText('You are signed in as guest@example.com.').waitFor()
    await checkAccess()
    await screenshot('invitation-join')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app')
    await page.getByRole('button', { name: 'Workspace: Product manager workspace' }).waitFor()
    await page.goto(link)
    await page.getByText('You are a member of it already, as member.').waitFor()
  })

  it('says that it cannot be used when it was used, revoked, or is not whole', async () => {
    const { page, person, installation, expectStatus, checkAccess, screenshot } = visit
    expectStatus(404)
    expectStatus(422)
    const { id, url } = await person.call<{ id: string; url: string }>('invite_member', { label: 'A', role: 'viewer' })
    await person.call('revoke_invitation', { id })
    await page.goto(url)
    await page.getByRole('alert').filter({ hasText: 'is not valid' }).waitFor()
    await checkAccess()
    await screenshot('invitation-invalid')
    await page.goto(`${installation.baseUrl}/app`)
    await page.goto(`${url.slice(0, -5)}`)
    await page.getByRole('alert').filter({ hasText: 'not complete' }).waitFor()
    await page.getByRole('link', { name: 'Go to your own workspace' }).click()
    await page.getByText('Welcome to Product manager workspace').waitFor()
  })

  it('says what went wrong when the service is away, and goes on when it is back', async () => {
    const { page, fail, hold } = visit
    const remedy = await fail('/api/auth/invitation')
    await page.goto(await invite('viewer'))
    await page.getByRole('alert').waitFor()
    await remedy()
    const release = await hold('/api/auth/invitation')
    await page.getByRole('button', { name: 'Try again' }).click()
    await release()
    await page.getByRole('button', { name: 'Open the workspace' }).waitFor()
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
