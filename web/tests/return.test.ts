import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { signInBrowser } from '../../test/support/browser.ts'
import { type Person, signInAgain, signUp } from '../../test/support/person.ts'
import { startVisit, type Visit } from './visit.ts'

interface Workspace {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly current: boolean
}

const LINKS = `[...document.querySelectorAll('nav a[href]')].map(({ pathname }) => pathname)`
const PASSWORD = 'a long enough password'
const workspacesOf = async (person: Person): Promise<readonly Workspace[]> =>
  (await person.call<{ items: readonly Workspace[] }>('list_workspaces')).items

describe('Who comes back', () => {
  let visit: Visit
  /** The workspace that the person has from the start, and one that they made. */
  let first: Workspace
  let second: Workspace
  before(async () => {
    visit = await startVisit()
    visit.page.setDefaultTimeout(20_000)
    const { person } = visit
    await person.call('create_workspace', { name: 'Second' })
    const places = await workspacesOf(person)
    first = places.find(({ name }) => name !== 'Second') ?? assert.fail()
    second = places.find(({ name }) => name === 'Second') ?? assert.fail()
    for (const [{ id }, title] of [
      [first, 'Of the first'],
      [second, 'Of the second'],
    ] as const)
      await person.inWorkspace(id).call('create_solution', { title, comment: 'It is wanted.' })
  })
  after(() => visit?.end())

  const inside = ({ name }: Pick<Workspace, 'name'>) => visit.page.getByRole('button', { name: `Workspace: ${name}` })
  /** With a session of their own: the browser’s ends with a sign-out. */
  const again = async (): Promise<Person> => (await signInAgain(visit.person)).inWorkspace(first.id)
  const enterAgain = async (): Promise<void> => {
    await visit.signOut()
    await signInBrowser(visit.page.context(), await again())
  }
  const invite = async (role: string): Promise<string> =>
    (await (await again()).call<{ url: string }>('invite_member', { label: 'Colleague', role })).url
  const at = ({ slug }: Workspace, path: string): string => `/${slug}/app/${path}`
  const isAt = (path: string) => visit.page.waitForURL(url => `${url.pathname}${url.search}` === path)
  const signIn = async (email: string): Promise<void> => {
    const { page } = visit
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  const leave = async (): Promise<void> => {
    const { page } = visit
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
  }

  it('is in the workspace that they worked in last, also after a sign-out', async () => {
    const { page, open, person } = visit
    await open(at(second, 'claims'))
    await inside(second).waitFor()
    await leave()
    await signIn(person.email)
    await inside(second).waitFor()
    await open(at(first, 'claims'))
    await inside(first).waitFor()
    await leave()
    await signIn(person.email)
    await inside(first).waitFor()
    assert.match(page.url(), new RegExp(`/${first.slug}/app`))
  })

  it('finds an address that names no workspace leading to the one they are in, which it names from then on', async () => {
    const { page, open } = visit
    await open('/app/board?view=columns#main')
    await isAt(`${at(first, 'board')}?view=columns`)
    const links = await page.evaluate<string[]>(LINKS)
    assert.ok(links.length > 15)
    assert.deepEqual(
      links.filter(address => !address.startsWith(`/${first.slug}/app`)),
      [],
    )
    await page.getByRole('link', { name: 'Claims' }).click()
    await isAt(at(first, 'claims'))
    await page.goBack()
    await isAt(`${at(first, 'board')}?view=columns`)
    await page.reload()
    await inside(first).waitFor()
  })

  it('opens a colleague’s SOL-1 where it is, whichever workspace this browser was in', async () => {
    const { page, open } = visit
    await open(at(first, 'solutions/SOL-1'))
    await page.getByRole('heading', { name: 'Of the first' }).waitFor()
    await open(at(second, 'solutions/SOL-1'))
    await page.getByRole('heading', { name: 'Of the second' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Of the first' }).waitFor()
    await page.getByRole('button', { name: /^Workspace/ }).click()
    await page.getByRole('menuitem', { name: /Second/ }).click()
    await page.waitForURL(url => url.pathname.startsWith(`/${second.slug}/app`))
    await inside(second).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Of the first' }).waitFor()
    await inside(first).waitFor()
  })

  it('is told where an address is of a workspace that they are not in, and what to do', async () => {
    const { page, open, expectStatus, checkAccess, screenshot, installation } = visit
    const stranger = await signUp(installation.baseUrl)
    const [theirs = assert.fail()] = await workspacesOf(stranger)
    expectStatus(403)
    for (const place of [theirs, { ...theirs, slug: 'no-such-workspace-00000000' }]) {
      await open(at(place, 'solutions/SOL-1'))
      await page.getByRole('heading', { name: 'You are not a member of this workspace' }).waitFor()
      await page.getByText(`You are signed in as ${visit.person.email}.`).waitFor()
    }
    await checkAccess()
    await screenshot('no-member')
    await page.getByRole('button', { name: 'Go to your own workspace' }).click()
    await inside(first).waitFor()
    await open(at(theirs, 'board'))
    await page.getByRole('button', { name: 'Sign in with another account' }).click()
    await page.waitForURL('**/sign-in?back=*')
    await signIn(stranger.email)
    await isAt(at(theirs, 'board'))
    await inside(theirs).waitFor()
    await enterAgain()
  })

  it('reads an invitation in a browser that remembers a workspace which is gone', async () => {
    const { page, open } = visit
    await open(at(first, 'claims'))
    await page.evaluate(`for (const store of [localStorage, sessionStorage])
      store.setItem('assay-workspace', '018f0000-0000-7000-8000-000000000001')`)
    await page.goto(await invite('viewer'))
    await page.getByText('You are a member of it already, as owner.').waitFor()
    await page.getByRole('button', { name: 'Open the workspace' }).click()
    await inside(first).waitFor()
  })

  it('was invited, reads before who invites and where to, and has that workspace and no other', async () => {
    const { page, checkAccess, screenshot, open } = visit
    const link = await invite('member')
    await visit.signOut()
    await page.evaluate('sessionStorage.clear()')
    await page.goto(link)
    await page.getByRole('heading', { name: `Join ${first.name}` }).waitFor()
    await page.getByText('Product manager invites you as member').waitFor()
    await checkAccess()
    await screenshot('invitation-before-sign-in')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Name').fill('Colleague')
    await page.getByLabel('E-mail').fill('colleague@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByRole('button', { name: 'Open the workspace' }).click()
    await inside(first).waitFor()
    await leave()
    await page.evaluate('localStorage.clear(); sessionStorage.clear()')
    await signIn('colleague@example.com')
    await inside(first).waitFor()
    await inside(first).click()
    await page.getByRole('menuitem', { name: new RegExp(first.name) }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: /owner|member|viewer/ }).count(), 1)
    await page.keyboard.press('Escape')
    await open(at(second, 'board')).catch(() => {})
    await page.getByRole('heading', { name: 'You are not a member of this workspace' }).waitFor()
    await enterAgain()
  })

  const UNKNOWN = {
    'claims/CLM-99999': 'claims',
    'claims/nonsense': 'claims',
    'signals/SIG-99999': 'triage',
    'solutions/SOL-99999': 'board',
    'decisions/DEC-99999': 'decisions',
    'themes/THM-99999': 'themes',
    'groups/018f0000-0000-7000-8000-000000000001': 'groups',
    'reviews/018f0000-0000-7000-8000-000000000001': 'reviews',
    'settings/sources/018f0000-0000-7000-8000-000000000001': 'settings/sources',
  }
  for (const [path, list] of Object.entries(UNKNOWN)) {
    it(`reads at ${path} that there is nothing, and goes to what there is`, async () => {
      const { page, open, expectStatus } = visit
      expectStatus(404)
      await open(at(first, path))
      await page.getByText('There is nothing here').first().waitFor()
      assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
      await page.getByRole('link', { name: 'See what there is' }).first().click()
      await isAt(at(first, list))
    })
  }

  it('finds the same at an address that ends with a slash', async () => {
    const { page, open } = visit
    await open(`${at(first, 'solutions/SOL-1')}/`)
    await page.getByRole('heading', { name: 'Of the first' }).waitFor()
    await open('/app/triage/')
    await page.getByRole('tab', { name: 'Accepted' }).waitFor()
  })

  it('reads at an address outside of the app that there is nothing', async () => {
    const { page, open, expectStatus, checkAccess } = visit
    expectStatus(404)
    for (const path of ['/apples', '/claims/CLM-2', `/${first.slug}`, at(first, 'no-such-screen')]) {
      await open(path)
      await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
    }
    await checkAccess()
    await page.getByRole('link', { name: 'Back to the start' }).click()
    await inside(first).waitFor()
  })

  it('reads below a screen that has no pages that there is nothing', async () => {
    const { page, open } = visit
    const source = await readFile(new URL('../src/screens.ts', import.meta.url), 'utf8')
    const bare = [...source.matchAll(/ path: '([^']+)',\n(?! +hasPages)/g)].map(([, path = '']) => path)
    assert.ok(bare.length > 10, `${bare.length} screens`)
    for (const path of bare) {
      await open(at(first, `${path}/xyz`))
      await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
    }
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
