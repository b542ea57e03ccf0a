import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { AWAY } from '../interference.ts'
import type { Visit } from '../visit.ts'

const PATH = '/app/settings/connect-agents'

/** The app without the network, the service or one of its files, and what is sent again then. */
export const describeInterruptions = (visit: () => Visit): void => {
  describe('through interruptions', () => {
    it('says at once that it hears of no changes without a network, and is as before soon after', async () => {
      const { page, open } = visit()
      await open('/app/triage')
      const isLive = page.locator('[data-live]')
      await isLive.waitFor({ state: 'attached' })
      visit().expectFault('net::ERR_INTERNET_DISCONNECTED')
      await page.context().setOffline(true)
      await isLive.waitFor({ state: 'detached', timeout: 5000 })
      await page.evaluate('document.querySelector(\'nav a[href$="/app/board"]\').click()')
      await page.getByText('could not be loaded').or(page.getByText('cannot be reached')).first().waitFor()
      await page.context().setOffline(false)
      await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
      // Both may still be there for a moment: the sentence above every screen, and what could not be read.
      const complaints = page.locator('[data-chrome][role=status], .mantine-Alert-root')
      await eventually('nothing is said any more', async () => (await complaints.count()) === 0, 10_000)
    })

    it('says above every screen what is away, until it is back', async () => {
      const { page, open, fail } = visit()
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
      const { page, open } = visit()
      await open(PATH)
      const tell = (event: 'offline' | 'online') => page.evaluate(`dispatchEvent(new Event('${event}'))`)
      await tell('offline')
      await page.getByRole('link', { name: 'Claims' }).click()
      await page.getByText('No claim matches').waitFor()
      await page.getByRole('link', { name: 'Connect agents' }).click()
      await page.getByLabel('Label').fill('Offline')
      await page.getByRole('button', { name: 'Create key' }).click()
      await page
        .getByText(/^service_mcp_[0-9a-f]{32}$/)
        .first()
        .waitFor()
      await tell('online')
    })

    it('tries a screen again by itself whose file cannot be loaded, and goes on around it', async () => {
      const { page, open, expectFault, checkAccess } = visit()
      expectFault('net::ERR_FAILED')
      await open('/app')
      let isAway = true
      // As where the service cannot be reached.
      for (const address of ['**/assets/connect-agents-*.js', '**/app'])
        await page.route(address, route => (isAway ? route.abort() : route.continue()))
      await page.getByRole('link', { name: 'Connect agents' }).click()
      const banner = page.getByRole('status').filter({ hasText: 'The app tries again by itself.' })
      await banner.waitFor()
      await checkAccess()
      await page.getByRole('link', { name: 'Claims' }).click()
      await page.getByRole('heading', { name: 'Claims' }).waitFor()
      await page.getByRole('link', { name: 'Connect agents' }).click()
      isAway = false
      await page.getByRole('heading', { name: 'Connect agents' }).waitFor()
      await banner.waitFor({ state: 'detached' })
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })

    it('loads the page anew, once, where the file’s name is gone since the service was updated', async () => {
      const { page, open, expectFault, expectStatus } = visit()
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
      await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor()
      assert.equal(pages, 2)
      await page.getByRole('link', { name: 'Connect agents' }).waitFor()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.getByRole('button', { name: 'Reload' }).click()
      await page.getByRole('heading', { name: 'Sources' }).waitFor()
    })

    it('makes one Solution of one decision, however often it is sent while the next screen is on its way', async () => {
      const { page, open, hold, person } = visit()
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
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      const { count } = await person.call<{ count: number }>('lookup_backlog', {})
      assert.deepEqual([count, sent.length], [1, 1])
    })

    it('asks once more for what was refused under the key of before, whatever is written, and under another once it is done', async () => {
      const { page, open, fail } = visit()
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
      // The first might have been done: until an answer says so, the draft is one thing.
      assert.deepEqual(keys, [keys[0], keys[0], keys[0]])
      await page.getByLabel('Label').fill('The next')
      await create.click()
      await page.getByRole('cell', { name: 'The next', exact: true }).waitFor()
      assert.equal(keys.length, 4)
      assert.notEqual(keys[3], keys[0])
    })
  })
}
