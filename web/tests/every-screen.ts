import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { eventually } from '../../infra/runtime/testing.ts'
import { withoutWorkspace } from '../../schemas/http/workspace-address.ts'
import { fillWithSample } from '../../test/support/sample-workspace.ts'
import type { Visit } from './visit.ts'

/** Screens that are there once for each of what they show, and the parts of others that have an address. */
const FURTHER = [
  'claims/CLM-15',
  'signals/SIG-71',
  'solutions/SOL-5',
  'solutions/SOL-5/document',
  'solutions/SOL-5/decisions',
  'decisions/DEC-1',
  'pipeline/dead-letters',
  'pipeline/jobs',
  'pipeline/signal?id=SIG-71',
  'pipeline/ledger',
  'proposals?show=merged',
  'proposals?show=refused',
  'map?places=likely',
  'board?view=columns',
]
/** Screens whose own address shows nothing: `FURTHER` has one of what they show. */
const NOTHING_THERE = new Set(['signals', 'solutions'])

const LIST = readFileSync(new URL('../src/screens.ts', import.meta.url), 'utf8')
/** Every screen that `screens.ts` lists. */
const listed = (): readonly string[] => [...LIST.matchAll(/^ {4}path: '([^']+)'/gm)].map(([, path = '']) => path)
/** Those of them that have pages of their own: each has one that is looked at. */
const withPages = (): readonly string[] =>
  [...LIST.matchAll(/^ {4}path: '([^']+)',\n {4}hasPages: true/gm)].map(([, path = '']) => path)

/** The sample data have no such word: what has no space wraps all the same. */
const UNBROKEN = 'Grenzausgleichsmechanismusverordnung'.repeat(6).slice(0, 200)

/** Goes to a workspace with the sample data, and answers the address of every screen in it. */
export const arrangeEveryScreen = async ({ person, page, open }: Visit): Promise<readonly string[]> => {
  const { id } = await person.call<{ id: string }>('create_workspace', { name: 'Sample', sandbox: true })
  const there = person.inWorkspace(id)
  await fillWithSample(there.call)
  await there.call('create_key', { label: 'Planning agent' })
  await there.call('create_solution', { title: UNBROKEN, claim_ids: ['CLM-15'], comment: UNBROKEN })
  await there.call('update_claim', { claim_id: 'CLM-26', title: UNBROKEN })
  // One claim that two are about: what is offered at each of them is told apart.
  for (const title of ['Serve larger shops', 'Serve smaller shops'])
    await there.call('change_strategy', { action: 'add', layer: 'bet', title, claim_ids: ['CLM-15'], comment: title })
  await page.addInitScript(`sessionStorage.setItem('assay-workspace', '${id}')`)
  await open('/app')
  // Themes are found after the sample data are stored.
  const firstOf = (operation: string): Promise<string> =>
    eventually(`${operation} has one`, async () => {
      const { items } = await there.call<{ items: readonly { readonly id: string }[] }>(operation, { limit: 1 })
      return items[0]?.id ?? null
    })
  const ids = {
    'settings/sources': await firstOf('list_sources'),
    reviews: await firstOf('read_reviews'),
    themes: await firstOf('list_themes'),
    groups: await firstOf('lookup_group'),
  }
  const single = Object.entries(ids).map(([path, each]) => `${path}/${each}`)
  const pages = [...FURTHER, ...single]
  assert.deepEqual(
    withPages().filter(path => !pages.some(each => each.startsWith(`${path}/`))),
    [],
    'Add a page of it to FURTHER.',
  )
  return ['', ...listed().filter(path => !NOTHING_THERE.has(path)), ...pages].map(path =>
    path === '' ? '/app' : `/app/${path}`,
  )
}

/** What the page shows; nothing while it says that it reads. */
const SHOWN = `document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root') === null
  ? document.querySelector('main').innerText + document.querySelectorAll('a, button').length : ''`

/** What keeps the focus comes with the first use of the page. */
const ASSISTED = `document.getElementById('shown-page') !== null`

/** The part of an address that names the screen. */
const screenOf = (path: string): string => withoutWorkspace(path).split(/[/?]/)[2] ?? ''

/** What is shown goes with its screen; until then it is that of the screen before. */
const MARK_LEFT = `document.querySelectorAll('[data-page]').forEach(each => { each.dataset.left = '' })`
const IS_NEXT = `document.querySelector('[data-page]:not([data-left]) h1') !== null`

/** Waits until the screen has read what it shows, and is used. */
const hasSettled = async (page: Visit['page'], path: string): Promise<void> => {
  let before = ''
  await eventually(`${path} has read all of it`, async () => {
    const now = await page.evaluate<string>(SHOWN)
    const isSettled = now !== '' && now === before
    before = now
    return isSettled
  })
  await page.mouse.move(0, 0)
  await page.mouse.move(1, 1)
  await eventually('what comes with the first use is there', () => page.evaluate<boolean>(ASSISTED))
}

/** Opens a screen and waits until it has read what it shows, and is used. */
export const settle = async ({ page, open }: Pick<Visit, 'page' | 'open'>, path: string): Promise<void> => {
  await open(path)
  await hasSettled(page, path)
}

/**
 * The same, but goes there as by a link where another screen is shown: for who looks at every screen, one after the
 * other. What was done to the page itself stays.
 */
export const settleNext = async (visit: Pick<Visit, 'page' | 'open' | 'go'>, path: string): Promise<void> => {
  const { page, go } = visit
  const shown = screenOf(new URL(page.url()).pathname)
  const next = screenOf(path)
  // The start leads on to another screen.
  if (shown === '' || next === '' || shown === next) return settle(visit, path)
  await page.evaluate(MARK_LEFT)
  await go(path)
  await eventually(`${path} is shown`, () => page.evaluate<boolean>(IS_NEXT))
  await hasSettled(page, path)
}
