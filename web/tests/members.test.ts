import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { launchBrowser } from '../../test/support/browser.ts'
import { type Person, signUp } from '../../test/support/person.ts'
import { describeEveryState } from './every-state.ts'
import { comesToBe, startVisit, type Visit } from './visit.ts'

const PATH = '/app/settings/members'
const HOSTILE = '<img src=x onerror=alert(1)> guest'

interface Invited {
  readonly id: string
  readonly url: string
}

describe('Members', () => {
  let visit: Visit
  before(async () => {
    visit = await startVisit()
  })
  after(() => visit?.end())

  const invite = (role: string): Promise<Invited> => visit.person.call('invite_member', { label: 'Guest', role })
  const accept = (person: Person, { url }: Invited) =>
    person.call<{ workspace_id: string }>('accept_invitation', { token: new URL(url).hash.slice(1) })

  it('shows an owner alone, who cannot leave, and how to invite', async () => {
    const { page, open, checkAccess } = visit
    await open(PATH)
    await page.getByRole('cell', { name: 'owner', exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Leave the workspace' }).count(), 0)
    await checkAccess()
  })

  it('makes a link by keyboard alone, shows it once, and lists who is invited', async () => {
    const { page, installation, checkAccess, screenshot } = visit
    await page.keyboard.press('c')
    await visit.type('Design lead')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Invitation made' }).waitFor()
    const link = (await page.locator('pre[data-label="Link"]').textContent()) ?? ''
    assert.ok(link.startsWith(`${installation.baseUrl}/app/invitation#`), link)
    await page.getByRole('cell', { name: /^Design lead/ }).waitFor()
    await checkAccess()
    await screenshot('members-invited')
    await page.reload()
    await page.getByRole('cell', { name: /^Design lead/ }).waitFor()
    assert.ok(!(await page.content()).includes(new URL(link).hash.slice(1)))
    await page.getByRole('button', { name: 'Revoke the invitation of Design lead' }).click()
    await page.getByRole('cell', { name: /^Design lead/ }).waitFor({ state: 'detached' })
  })

  it('changes a role and removes a member, and shows why it could not', async () => {
    const { page, installation, open, fail, checkAccess } = visit
    await accept(await signUp(installation.baseUrl), await invite('viewer'))
    await open(PATH)
    const role = page.getByRole('combobox', { name: /^Role of/ })
    await role.click()
    await page.getByRole('option', { name: 'member' }).click()
    await page.getByText('is member from now on').waitFor()
    await comesToBe(() => role.inputValue(), 'member')
    await page.getByRole('button', { name: /^Remove / }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove this member?' })
    await dialog.waitFor()
    await checkAccess()
    const remedy = await fail('remove_member')
    await dialog.getByRole('button', { name: 'Remove member' }).click()
    await dialog.getByRole('alert').waitFor()
    await remedy()
    await dialog.getByRole('button', { name: 'Remove member' }).click()
    await dialog.waitFor({ state: 'detached' })
    await role.waitFor({ state: 'detached' })
  })

  it('shows hostile words as text', async () => {
    const { page, person, open } = visit
    await person.call('invite_member', { label: HOSTILE, role: 'viewer' })
    await open(PATH)
    await page.getByRole('cell', { name: /^<img src/ }).waitFor()
    assert.equal(await page.locator('main img').count(), 0)
  })

  it('offers a viewer nothing but to leave, and leads who left to a workspace of their own', async t => {
    const { installation } = visit
    const viewer = await signUp(installation.baseUrl)
    await accept(viewer, await invite('viewer'))
    // A browser of its own: two contexts of one process mix up their cookies.
    const browser = await launchBrowser()
    t.after(() => browser.close())
    const own = await browser.newPage({ reducedMotion: 'reduce' })
    await own.goto(`${installation.baseUrl}/sign-in`)
    await own.getByLabel('E-mail').fill(viewer.email)
    await own.getByRole('textbox', { name: 'Password' }).fill('a long enough password')
    await own.getByRole('button', { name: 'Sign in' }).click()
    await own.waitForURL('**/app')
    await own.getByRole('button', { name: /^Workspace:/ }).click()
    await own.getByRole('menuitem', { name: /viewer/ }).click()
    await own.getByRole('link', { name: 'Members' }).click()
    await own.getByRole('button', { name: 'Leave the workspace' }).waitFor()
    assert.equal(await own.getByLabel('Invite').count(), 0)
    assert.equal(await own.getByRole('button', { name: /^Remove / }).count(), 0)
    await own.getByRole('button', { name: 'Leave the workspace' }).click()
    await own.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await own.getByRole('heading', { name: /^Welcome to/ }).waitFor()
  })

  describeEveryState(() => visit, {
    screen: 'members',
    path: PATH,
    reads: 'list_members',
    shows: 'owner',
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
