import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { meterLoads, type PageLoad } from '../../test/support/page-load.ts'
import { createSignalSource, type Person } from '../../test/support/person.ts'
import { fillWithSample } from '../../test/support/sample-workspace.ts'
import { sendSignal } from '../../test/support/sender.ts'
import { englishIn } from './english-in.ts'
import { motionsOf, restlessOf } from './motion.ts'
import { DESKTOP, firstWorkspaceOf, PHONE, startVisit, type Visit } from './visit.ts'

/** With the page, the live connection and what is read. */
const MAX_REQUESTS = 18
/** Of the app’s own files, with the headers of their answers; of what is read, the reader decides. */
const MAX_APP_BYTES = 250 * 1024
/**
 * What the service says in another language is one file more, read where it says something at that moment: why a step
 * waits, for example, which comes and goes.
 */
const SERVICE_WORDS = /messages_\w+_service/
const ROOM_FOR_SERVICE_WORDS = { requests: 1, bytes: 24 * 1024 }
/** What is not read again by itself while a screen is there. */
const READ_ONCE = /\/(count_waiting|list_workspaces|lookup_claim|lookup_signal|list_signals|list_comments|list_board) /
/** Of the window, as Chromium weighs it: less than this nobody sees. */
const MAX_MOVED = 0.001

/** Where a screen needs something to show. */
const SHOWN: Readonly<Record<string, string>> = { signals: 'signals/SIG-71', solutions: 'solutions/SOL-5' }
const PATHS = [
  ...[...readFileSync(new URL('../src/screens.ts', import.meta.url), 'utf8').matchAll(/^ {4}path: '([^']+)'/gm)].map(
    ([, path = '']) => SHOWN[path] ?? path,
  ),
  '',
  'board?view=columns',
  'claims/CLM-15',
  'solutions/SOL-5/document',
]
/** In a workspace that has one long signal, and nothing else. */
const NEW = ['triage', 'board', 'board?view=columns', 'claims', 'proposals', 'roadmap', 'groups', 'settings/account']
const LONG = 'The export of a large board never ends, and says nothing of it. '.repeat(20)

/** Of a transition: what takes as long is waited for. */
const MAX_MOTION_MS = 150

/** Keeps what of a page moved by itself. */
const WATCH = `
  window.moved = []
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const what = sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? '').slice(0, 120))
      if (!hadRecentInput) window.moved.push({ value, what })
    }
  }).observe({ type: 'layout-shift', buffered: true })`

/**
 * What people and programs wrote of the sample data and of themselves, where the app has a message of the same words.
 */
const WRITTEN = new Set(
  'Call|Dark theme|Exports|First source|Print|Sample data|Sign-in|Support desk|Survey tool|Tag|at|by mail|company|is|node|refused|webhook'.split(
    '|',
  ),
)

/** How many rows of tabs take more than one line. */
const WRAPPED_TABS = `
  [...document.querySelectorAll('[role=tablist]')].filter(
    ({ children }) => new Set([...children].map(tab => tab.offsetTop)).size > 1,
  ).length`

interface Counted {
  readonly count: number
}

/** Links of the navigation that have no room for what they say. */
const CUT_OFF = `
  [...document.querySelectorAll('nav a')].filter(link => link.scrollWidth > link.clientWidth).map(link => link.textContent)`

interface Moved {
  readonly value: number
  readonly what: readonly string[]
}

describe('The first load of each screen, with the sample data', () => {
  let visit: Visit
  let shop: Person
  let begin: () => Promise<PageLoad>
  before(async () => {
    // An installation of its own: some screens show what others do there.
    visit = await startVisit({})
    const { id } = await visit.person.call<{ id: string }>('create_workspace', { name: 'Sample shop', sandbox: true })
    shop = visit.person.inWorkspace(id)
    await fillWithSample(shop.call)
    await visit.page.context().addInitScript(`sessionStorage.setItem('assay-workspace', '${id}')`)
    await visit.page.context().addInitScript(WATCH)
    // Of a browser that was here before; on a slow machine the page before is shown long enough to be read on.
    await visit.page.context().addInitScript(`localStorage.removeItem('assay-font')`)
    begin = await meterLoads(visit.page)
  })
  after(() => visit?.end())

  /** Loads a screen with nothing in the cache, until it has all that it shows; and what of it moved by itself. */
  const firstLoad = async (path: string) => {
    const { page, open } = visit
    const load = await begin()
    await open(`/app/${path}`)
    await eventually(`all of ${path} is read and drawn`, async () => {
      const skeletons = await page.locator('.mantine-Skeleton-root').filter({ visible: true }).count()
      // `/app/` goes on to Triage.
      return skeletons === 0 && load.pending.size === 0 && !page.url().endsWith('/app/')
    })
    return { load, moved: await page.evaluate<readonly Moved[]>('window.moved') }
  }
  const sumOf = (moved: readonly Moved[]): number => moved.reduce((total, { value }) => total + value, 0)

  /** What changes takes less than 150 ms, and no time where less motion is asked for. */
  const settles = async (where: string): Promise<void> => {
    const { page } = visit
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const quick = await motionsOf(page)
    assert.ok(quick.length > 0, `nothing on ${where} moves at all`)
    const slow = quick.filter(({ milliseconds }) => milliseconds >= MAX_MOTION_MS)
    assert.deepEqual(slow, [], where)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    assert.deepEqual([await motionsOf(page), await restlessOf(page)], [[], []], `${where}, with less motion`)
  }

  /** Loads a screen as somebody does who was never there, within the budget; answers what it took. */
  const loadWithinBudget = async (path: string, language: string): Promise<string> => {
    const { load, moved } = await firstLoad(path)
    const spoken = await visit.page.evaluate<string>('document.documentElement.lang')
    const sum = sumOf(moved)
    const { appBytes, dataBytes, asked } = load
    const kilobytes = `${(appBytes / 1024).toFixed(1)} KB and ${(dataBytes / 1024).toFixed(1)} KB read`
    assert.equal(spoken, language)
    const again = asked.filter((request, place) => READ_ONCE.test(request) && asked.indexOf(request) < place)
    assert.deepEqual(again, [], `${path} asks twice`)
    const room = asked.some(address => SERVICE_WORDS.test(address)) ? ROOM_FOR_SERVICE_WORDS : { requests: 0, bytes: 0 }
    assert.ok(asked.length <= MAX_REQUESTS + room.requests, `${path} took ${asked.length}: ${asked.join(' ')}`)
    assert.ok(appBytes < MAX_APP_BYTES + room.bytes, `${path} took ${kilobytes}: ${asked.join(' ')}`)
    // Less is no first load: something came from a cache.
    assert.ok(appBytes > MAX_APP_BYTES / 2, `${path} took ${kilobytes}`)
    assert.ok(sum < MAX_MOVED, `${path}: ${JSON.stringify(moved)}`)
    return `${path}: ${asked.length} requests, ${kilobytes}, moved ${sum.toFixed(4)}`
  }
  const BUDGET = `takes at most ${MAX_REQUESTS} requests, less than 250 KB, and moves nothing that is there`

  it(`${BUDGET}, at a phone in English`, async t => {
    const { page } = visit
    await page.setViewportSize(PHONE)
    // What is laid out alike moves alike: a part of the screens tells.
    for (const path of PATHS.filter((_, place) => place % 4 === 0)) t.diagnostic(await loadWithinBudget(path, 'en'))
  })

  it('has what comes and goes move for less than 150 ms, and not at all where less motion is asked for', async () => {
    const { page, open } = visit
    await page.setViewportSize(DESKTOP)
    await page.context().addInitScript(`localStorage.setItem('assay-language', 'en')`)
    // What comes and goes has its time written by a script.
    await open('/app/triage')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).waitFor()
    await settles('the command palette')
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Command' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Product manager' }).first().click()
    await page.getByRole('menu').waitFor()
    await settles('a menu')
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Write a signal' }).click()
    await page.getByRole('dialog').waitFor()
    await settles('a dialog')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await open('/app/settings/workspace')
    await page.getByLabel('Name of the workspace').fill('Shop')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.locator('.mantine-Notification-root').waitFor()
    await page.locator('.mantine-Button-loader').waitFor({ state: 'detached' })
    await settles('a notice')
  })

  // Each language beside English loads its messages beside the English ones: what keeps to the budget in German does
  // in English, too.
  it(`${BUDGET}, at a desk in German; says none of it in English, keeps its tabs in a line, moves shortly`, async t => {
    const { page } = visit
    assert.ok(PATHS.length > 25, `${PATHS.length}`)
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
      if (within.includes(path)) await firstLoad(path)
      else t.diagnostic(await loadWithinBudget(path, 'de'))
      // Words of the service come a moment after what they say.
      await eventually(`${path} is in German`, async () => {
        const english = await englishIn(page)
        assert.deepEqual(
          english.filter(text => !WRITTEN.has(text)),
          [],
        )
        return true
      })
      assert.deepEqual(
        await page.evaluate<readonly string[]>(CUT_OFF),
        [],
        `${path} cuts off what is in the navigation`,
      )
      await settles(path)
      await page.setViewportSize(PHONE)
      assert.equal(await page.evaluate<number>(WRAPPED_TABS), 0, `${path} has tabs in several lines on a phone`)
      await page.setViewportSize(DESKTOP)
    }
  })

  it('moves nothing that is there where a workspace is new and what comes is long, at a desk and under a finger', async () => {
    const { page, person } = visit
    await sendSignal(await createSignalSource(person), { text: LONG })
    await eventually('it is in Triage', async () => (await person.call<Counted>('list_signals')).count === 1 || null)
    const first = await firstWorkspaceOf(person)
    const begins = `sessionStorage.setItem('assay-workspace', '${first}'); localStorage.setItem('assay-language', 'en')`
    await page.context().addInitScript(begins)
    const session = await page.context().newCDPSession(page)
    for (const viewport of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport)
      // What a finger presses is higher.
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: viewport === PHONE })
      for (const path of NEW) {
        const { moved } = await firstLoad(path)
        assert.ok(sumOf(moved) < MAX_MOVED, `${path}, ${viewport.width} wide: ${JSON.stringify(moved)}`)
      }
      const isTouched = await page.evaluate<boolean>(`matchMedia('(pointer: coarse)').matches`)
      assert.equal(isTouched, viewport === PHONE)
    }
  })
})
