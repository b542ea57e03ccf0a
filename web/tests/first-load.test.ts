import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import type { Person } from '../../test/support/person.ts'
import { englishIn } from './english-in.ts'
import { DESKTOP, PHONE, startVisit, type Visit } from './visit.ts'

/** With the page, the live connection and what is read. */
const MAX_REQUESTS = 18
/** Of the window, as Chromium weighs it: less than this nobody sees. */
const MAX_MOVED = 0.001

/** Where a screen needs something to show. */
const SHOWN: Readonly<Record<string, string>> = { signals: 'signals/SIG-71', solutions: 'solutions/SOL-5' }
const PATHS = [
  ...[...readFileSync(new URL('../src/screens.ts', import.meta.url), 'utf8').matchAll(/^ {4}path: '([^']+)'/gm)].map(
    ([, path = '']) => SHOWN[path] ?? path,
  ),
  'claims/CLM-15',
  'solutions/SOL-5/document',
]

/** Keeps what of a page moved by itself. */
const WATCH = `
  window.moved = []
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const what = sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? '').slice(0, 120))
      if (!hadRecentInput) window.moved.push({ value, what })
    }
  }).observe({ type: 'layout-shift', buffered: true })`

/** What people and programs wrote of the sample data and of themselves, where the app has a message of the same words. */
const WRITTEN = new Set(
  'Call|Dark theme|Exports|First source|Print|Sample data|Sign-in|Support desk|Survey tool|at|by mail|company|is|node'.split('|'),
)

/** How many rows of tabs take more than one line. */
const WRAPPED_TABS = `
  [...document.querySelectorAll('[role=tablist]')].filter(
    ({ children }) => new Set([...children].map(tab => tab.offsetTop)).size > 1,
  ).length`

interface Moved {
  readonly value: number
  readonly what: readonly string[]
}

describe('The first load of each screen, with the sample data', () => {
  let visit: Visit
  let shop: Person
  before(async () => {
    visit = await startVisit()
    const { id } = await visit.person.call<{ id: string }>('create_workspace', { name: 'Sample shop', sandbox: true })
    shop = visit.person.inWorkspace(id)
    await eventually('the sample data are there', async () => (await shop.call('reset_sandbox')) !== undefined)
    await eventually('nothing of them is under way', async () => {
      const { received, in_progress } = await shop.call<{ received: number; in_progress: number }>('read_ledger')
      return received > 0 && in_progress === 0
    })
    await visit.page.context().addInitScript(`sessionStorage.setItem('assay-workspace', '${id}')`)
    await visit.page.context().addInitScript(WATCH)
  })
  after(() => visit?.end())

  const LOOKS = {
    desk: { viewport: DESKTOP, paths: PATHS },
    // What is laid out alike moves alike: a part of the screens tells.
    phone: { viewport: PHONE, paths: PATHS.filter((_, place) => place % 3 === 0) },
  }
  for (const [look, { viewport, paths }] of Object.entries(LOOKS)) {
    it(`takes at most ${MAX_REQUESTS} requests and moves nothing that is there, at a ${look}`, async t => {
      const { page, open } = visit
      assert.ok(PATHS.length > 25, `${PATHS.length}`)
      await page.setViewportSize(viewport)
      for (const path of paths) {
        const [asked, pending]: [string[], Set<unknown>] = [[], new Set()]
        const begun = (request: { url(): string }) => {
          asked.push(request.url())
          if (!request.url().endsWith('/events')) pending.add(request)
        }
        const ended = (request: unknown) => void pending.delete(request)
        page.on('request', begun).on('requestfinished', ended).on('requestfailed', ended)
        await open(`/app/${path}`)
        const requests = await eventually(`all of ${path} is read and drawn`, async () => {
          const skeletons = await page.locator('.mantine-Skeleton-root').filter({ visible: true }).count()
          return skeletons === 0 && pending.size === 0 && asked.length
        })
        const moved = await page.evaluate<readonly Moved[]>('window.moved')
        page.off('request', begun).off('requestfinished', ended).off('requestfailed', ended)
        const sum = moved.reduce((total, { value }) => total + value, 0)
        t.diagnostic(`${path}: ${requests} requests, moved ${sum.toFixed(4)}`)
        assert.ok(requests <= MAX_REQUESTS, `${path} took ${requests}: ${asked.join(' ')}`)
        assert.ok(sum < MAX_MOVED, `${path}: ${JSON.stringify(moved)}`)
      }
    })
  }

  it('says none of it in English where German is chosen, and keeps its tabs in a line', async () => {
    const { page, open } = visit
    type Named = { readonly items: readonly { readonly id: string; readonly kind?: string }[] }
    const { items: reviews } = await shop.call<Named>('read_reviews')
    const { items: sources } = await shop.call<Named>('list_sources')
    const connection = sources.find(({ kind }) => kind === 'connection')
    assert.ok(reviews[0] && connection)
    const within = [
      'changes?range=30&from=2020-01-01T00:00:00.000Z',
      'decisions/DEC-7',
      'pipeline/dead-letters',
      'pipeline/jobs',
      `reviews/${reviews[0].id}`,
      `settings/sources/${connection.id}`,
    ]
    await page.context().addInitScript(`localStorage.setItem('assay-language', 'de')`)
    await page.setViewportSize(DESKTOP)
    for (const path of [...PATHS, ...within]) {
      await open(`/app/${path}`)
      await eventually(`all of ${path} is read`, async () => {
        assert.equal(await page.locator('.mantine-Skeleton-root').filter({ visible: true }).count(), 0)
        return true
      })
      // Words of the service come a moment after what they say.
      await eventually(`${path} is in German`, async () => {
        const english = await englishIn(page)
        assert.deepEqual(
          english.filter(text => !WRITTEN.has(text)),
          [],
        )
        return true
      })
      await page.setViewportSize(PHONE)
      assert.equal(await page.evaluate<number>(WRAPPED_TABS), 0, `${path} has tabs in several lines on a phone`)
      await page.setViewportSize(DESKTOP)
    }
  })
})
