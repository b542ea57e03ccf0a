import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { englishIn } from './english-in.ts'
import { AWAY } from './interference.ts'
import { DESKTOP, PHONE, startVisit, type Visit } from './visit.ts'

const PATH = '/app/settings/connect-agents'

/** Screens and what they are called. */
/** Each has its messages in a file of its own. */
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

  it('says at once that it hears of no changes without a network, and is as before soon after', async () => {
    const { page, open } = visit
    await open('/app/triage')
    const isLive = page.locator('[data-live]')
    await isLive.waitFor({ state: 'attached' })
    visit.expectFault('net::ERR_INTERNET_DISCONNECTED')
    await page.context().setOffline(true)
    await isLive.waitFor({ state: 'detached', timeout: 5000 })
    await page.evaluate('document.querySelector(\'nav a[href="/app/board"]\').click()')
    await page.getByText('could not be loaded').or(page.getByText('cannot be reached')).first().waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    await page
      .locator('[data-chrome][role=status], .mantine-Alert-root')
      .waitFor({ state: 'detached', timeout: 10_000 })
  })

  it('leads whoever is signed in past the sign-in, also on the way back', async () => {
    const { page, installation } = visit
    for (const form of ['/sign-in?back=/app/claims', '/sign-up?back=/app/claims']) {
      await page.goto(`${installation.baseUrl}${form}`)
      await page.waitForURL('**/app/claims')
    }
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

  it('finds signals, claims, Solutions, nodes, Decisions, people and sources, by a part of a word and with a typo', async () => {
    const { page, open, person, checkAccess, screenshot } = visit
    const { id } = await person.call<{ id: string }>('create_workspace', { name: 'Searched' })
    await page.evaluate(`sessionStorage.setItem('assay-workspace', '${id}')`)
    const there = person.inWorkspace(id)
    await there.call('capture_signal', { text: 'Paying with Amexcard is refused at the checkout, an error.' })
    await there.call('add_map_node', { name: 'Amexcard payments' })
    await there.call('create_source', { kind: 'metric', name: 'Amexcard orders' })
    await eventually('the claim is there', async () => {
      const { items } = await there.call<{ items: readonly unknown[] }>('analyze_claims')
      return items.length > 0 || null
    })
    const solution = { title: 'Take Amexcard', claim_ids: ['CLM-1'], comment: 'Amexcard is asked for.' }
    await there.call('create_solution', solution)
    await open(PATH)
    await page.keyboard.press('Control+k')
    const command = page.getByRole('textbox', { name: 'Command' })
    for (const typed of ['amexc', 'amexcrad']) {
      await command.fill(typed)
      for (const kind of ['Signal', 'Claim', 'Solution', 'Node of the map', 'Decision']) {
        await page
          .getByRole('button', { name: new RegExp(`· ${kind}|^.*${kind}`) })
          .first()
          .waitFor()
      }
    }
    await command.fill('orders')
    await page.getByRole('button', { name: /Amexcard orders.*Source/ }).waitFor()
    await command.fill('product man')
    await page.getByRole('button', { name: /Member · / }).waitFor()
    await checkAccess()
    await command.fill('amexc')
    await page.getByRole('button', { name: /CLM-1/ }).waitFor()
    await screenshot('found')
    await page.getByRole('button', { name: /CLM-1/ }).click()
    await page.waitForURL('**/app/claims/CLM-1')
    await page.evaluate('sessionStorage.clear()')
  })

  it('runs what the screen has a button for, and begins a Solution and a signal from anywhere', async () => {
    const { page, open, go } = visit
    const command = page.getByRole('textbox', { name: 'Command' })
    const run = async (typed: string, name: string) => {
      await page.keyboard.press('Control+k')
      await command.fill(typed)
      await page.getByRole('button', { name, exact: true }).last().click()
    }
    await open('/app/settings/workspace')
    await page.getByRole('button', { name: 'Create workspace' }).waitFor()
    const screen = await page
      .locator('main')
      .getByRole('button')
      .evaluateAll(buttons => buttons.map(each => each.textContent))
    await page.keyboard.press('Control+k')
    await command.waitFor()
    for (const name of screen)
      await page
        .getByRole('dialog')
        .getByText(name ?? '', { exact: true })
        .first()
        .waitFor()
    await page.keyboard.press('Escape')
    await command.waitFor({ state: 'detached' })
    await go('/app/groups')
    await page.getByRole('button', { name: 'New group' }).waitFor()
    await run('new group', 'New group')
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    await page.keyboard.press('Escape')
    for (const [typed, title] of [
      ['new sol', 'New Solution'],
      ['write a', 'Write a signal'],
    ] as const) {
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await run(typed, title)
      await page.getByRole('dialog', { name: title }).waitFor()
      await page.keyboard.press('Escape')
    }
  })

  it('lists the keys of the screen at `?`, which rest while somebody writes', async () => {
    const { page, go, checkAccess, screenshot } = visit
    await go(PATH)
    await page.getByLabel('Label').fill('')
    await page.getByLabel('Label').press('?')
    assert.equal(await page.getByLabel('Label').inputValue(), '?')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard' })
    await help.getByText('Create a key for an agent').waitFor()
    const lineOf = (does: string) => help.getByRole('listitem').filter({ hasText: does })
    assert.equal(await lineOf('New Solution').textContent(), 'New SolutionShiftS')
    assert.equal(await lineOf('Go to Claims').textContent(), 'Go to ClaimsGC')
    await checkAccess()
    await screenshot('keys')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.waitForURL('**/app/claims')
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

  it('tries a screen again by itself whose file cannot be loaded, and goes on around it', async () => {
    const { page, open, expectFault, checkAccess } = visit
    expectFault('net::ERR_FAILED')
    await open('/app')
    let isAway = true
    // As where the service cannot be reached.
    for (const address of ['**/assets/connect-agents-*.js', '**/app'])
      await page.route(address, route => (isAway ? route.abort() : route.continue()))
    await page.getByRole('link', { name: 'Connect agents' }).click()
    const banner = page.getByRole('status').filter({ hasText: 'It is tried again by itself.' })
    await banner.waitFor()
    await checkAccess()
    await page.getByRole('link', { name: 'Claims' }).click()
    await page.getByRole('heading', { name: 'Claims' }).waitFor()
    await page.getByRole('link', { name: 'Connect agents' }).click()
    isAway = false
    await page.getByRole('heading', { name: 'Connect agents' }).waitFor()
    await banner.waitFor({ state: 'detached' })
    await page.unroute('**/assets/connect-agents-*.js')
    await page.unroute('**/app')
  })

  it('loads the page anew, once, where the file’s name is gone since the service was updated', async () => {
    const { page, open, expectFault, expectStatus } = visit
    expectStatus(404)
    expectFault('Failed to fetch dynamically imported module')
    let pages = 0
    page.on('load', () => {
      pages += 1
    })
    const missing = '**/assets/sources-*.js'
    await page.route(missing, route => route.fulfill({ status: 404 }))
    await open('/app')
    // What the page is asked for from now on names another file to begin with.
    await page.route('**/app', async route => {
      const isAsked = route.request().resourceType() === 'fetch'
      return isAsked
        ? route.fulfill({ body: '<script type="module" src="/app/assets/newer.js"></script>' })
        : route.continue()
    })
    await page.getByRole('link', { name: 'Sources' }).click()
    await page.getByRole('heading', { name: 'This screen failed' }).waitFor()
    assert.equal(pages, 2)
    await page.getByRole('link', { name: 'Connect agents' }).waitFor()
    await page.unroute(missing)
    await page.unroute('**/app')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { name: 'Sources' }).waitFor()
  })

  it('makes one Solution of one decision, however often it is sent while the next screen is on its way', async () => {
    const { page, open, hold, person } = visit
    await open('/app/board')
    await page.getByText('No Solution here').waitFor()
    const arrived = Promise.withResolvers<void>()
    await page.route('**/assets/solution-*.js', async route => {
      await arrived.promise
      await route.continue()
    })
    const sent: (string | undefined)[] = []
    page.on('request', request => {
      if (request.url().endsWith('/create_solution')) sent.push(request.headers()['x-idempotency-key'])
    })
    const release = await hold('create_solution')
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New Solution' })
    const create = dialog.getByRole('button', { name: 'Create Solution' })
    await dialog.getByText('Still needed: a title').waitFor()
    await dialog.getByLabel('Title').fill('Sent once')
    await dialog.getByLabel('Decision', { exact: true }).fill('One is enough.')
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('Control+Enter')
    await create.and(page.locator('[data-loading]')).click({ force: true, clickCount: 2 })
    await release()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Board' }).waitFor()
    arrived.resolve()
    await page.getByRole('heading', { name: 'Sent once' }).waitFor()
    // While a route stands, requests that `fail` answers are not told to a test.
    await page.unroute('**/assets/solution-*.js')
    const { count } = await person.call<{ count: number }>('lookup_backlog', {})
    assert.deepEqual([count, sent.length], [1, 1])
  })

  it('asks once more for what was refused under the key of before, and under another once it is something else', async () => {
    const { page, open, fail } = visit
    await open(PATH)
    const keys: (string | undefined)[] = []
    page.on('request', request => {
      if (request.url().endsWith('/create_key')) keys.push(request.headers()['x-idempotency-key'])
    })
    const remedy = await fail('create_key')
    const create = page.getByRole('button', { name: 'Create key' })
    await page.getByLabel('Label').fill('Again')
    for (const times of [1, 2]) {
      await create.click()
      await eventually('it is sent', () => keys.length === times)
      await create.and(page.locator(':not([data-loading])')).waitFor()
    }
    await page.getByLabel('Label').fill('Another')
    await remedy()
    await create.click()
    await page.getByRole('cell', { name: 'Another', exact: true }).waitFor()
    assert.equal(new Set(keys).size, 2)
    assert.equal(keys[0], keys[1])
  })

  it('went through all of it without a fault in the page', () => visit.assertNoFaults())
})
