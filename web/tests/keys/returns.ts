import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import type { Request } from 'playwright-core'
import { eventually } from '../../../infra/runtime/testing.ts'
import { settleNext } from '../every-screen.ts'
import type { Visit } from '../visit.ts'

/** Nothing that is pressed changes what the next press is on: the app hears that it could not be done. */
const REFUSE_WRITES = `{
  const ask = fetch
  window.print = () => {}
  fetch = async (asked, options) => {
    const isWrite = new Headers(options?.headers).has('x-idempotency-key') ||
      (String(asked).includes('/api/auth/') && options?.method === 'POST')
    if (!isWrite) return ask(asked, options)
    const detail = { status: 409, code: 'conflict', detail: 'Nothing is changed here.' }
    return new Response(JSON.stringify(detail), { status: 409, headers: { 'content-type': 'application/json' } })
  }
}`

/** Of a screen that opens with a dialog, what is in it. */
const BUTTONS = `[...(document.querySelector('[role=dialog]') ?? document.querySelector('main'))
  .querySelectorAll('button:not(:disabled), [role=treeitem]')].filter(each =>
  each.checkVisibility({ visibilityProperty: true }) && each.closest('[inert]') === null && each.tabIndex >= 0 && !('handle' in each.dataset))`
const NAME = `each => (each.ariaLabel ?? each.textContent ?? '').trim().slice(0, 60)`
/** Everything that a press may open above the page. */
const OPENED = '[role=dialog], [role=menu], [role=listbox]:popover-open, .mantine-Popover-dropdown'

/** The buttons of the page by their names, those with one name by their order. */
const namesOf = (page: Visit['page']): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`${BUTTONS}.map(${NAME})`)

const IDLE = 'new Promise(done => requestIdleCallback(() => setTimeout(done), { timeout: 500 }))'

/** Answers a wait for what a press has begun: files that come with a dialog, reads, and the drawing of them. */
const watchRequests = (page: Visit['page']): (() => Promise<unknown>) => {
  const pending = new Set<Request>()
  page.on('request', request => {
    // The stream of live changes never ends.
    if (!request.url().endsWith('/api/app/events')) pending.add(request)
  })
  const end = (request: Request) => void pending.delete(request)
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return () =>
    eventually('what a press has begun has ended', async () => {
      await page.evaluate(IDLE)
      if (pending.size > 0) return false
      // What has come may ask for more once it is drawn: a dialog for what it lists.
      await page.evaluate(IDLE)
      return pending.size === 0
    })
}

interface Left {
  readonly opened: boolean
  readonly at: string
}

const isLost = ({ opened, at }: Left, name: string): boolean => at === '' || (opened && at !== name)

/** Presses Enter on a button, closes what that opens, and answers where the focus is then. */
const pressAndLeave = async (
  { page }: Visit,
  settled: () => Promise<unknown>,
  name: string,
  nth: number,
): Promise<Left | null> => {
  const before = page.url()
  const opened = page.locator(OPENED).filter({ visible: true })
  const isBeginning = (await opened.count()) > 0
  const isThere = await page.evaluate<boolean>(`{
    const found = ${BUTTONS}.filter(each => (${NAME})(each) === ${JSON.stringify(name)})[${nth}]
    found?.focus()
    found !== undefined && document.activeElement === found
  }`)
  if (!isThere) return null
  await page.keyboard.press('Enter')
  await settled()
  if (page.url().split('?')[0] !== before.split('?')[0]) return null
  const isOpen = (await opened.count()) > Number(isBeginning)
  const isClosed = await eventually(
    'what was opened is closed',
    async () => {
      if ((await opened.count()) <= Number(isBeginning)) return true
      await page.keyboard.press('Escape')
      // Another Escape would close what is below.
      await page.waitForTimeout(250)
      return (await opened.count()) <= Number(isBeginning)
    },
    5000,
  ).catch(() => false)
  if (!isClosed) return { opened: isOpen, at: `still open: ${await opened.first().ariaSnapshot()}` }
  const at = () =>
    page.evaluate<string>(`document.activeElement === document.body
    ? '' : (${NAME})(document.activeElement) || document.activeElement.tagName`)
  await eventually('the focus is somewhere', async () => (await at()) !== '', 3000).catch(() => {})
  return { opened: isOpen, at: await at() }
}

export const describeReturns = (visit: () => Visit, paths: () => readonly string[]): void => {
  it('gives the focus back to what opened a dialog or a menu, and never to the page’s body', async (test: TestContext) => {
    const { page } = visit()
    await page.addInitScript(REFUSE_WRITES)
    const settled = watchRequests(page)
    const lost: string[] = []
    let pressed = 0
    let openings = 0
    for (const path of paths()) {
      await settleNext(visit(), path)
      const seen = new Map<string, number>()
      for (const name of await namesOf(page)) {
        const nth = seen.get(name) ?? 0
        seen.set(name, nth + 1)
        // Rows repeat the same buttons.
        if (nth > 1) continue
        let left = await pressAndLeave(visit(), settled, name, nth)
        if (left !== null && isLost(left, name)) {
          // What the press before opened may have come late: on the page as it opens, this press is alone.
          await settleNext(visit(), path)
          left = await pressAndLeave(visit(), settled, name, nth)
        }
        if (left === null) {
          await settleNext(visit(), path)
          continue
        }
        pressed += 1
        if (left.opened) openings += 1
        if (isLost(left, name)) lost.push(`${path}: “${name}” → “${left.at}”`)
      }
    }
    test.diagnostic(`${pressed} buttons pressed on ${paths().length} screens, of which ${openings} opened something`)
    assert.deepEqual(lost, [])
  })
}
