import type { Page } from 'playwright-core'

/** Ways to come between a page and the service. */
export interface Interference {
  /** Holds the answers of an operation back, until the function that it answers is called. */
  hold(operation: string): Promise<() => Promise<void>>
  /**
   * Has an operation fail, until the function that it answers is called; with the seconds after which a page asks again
   * by itself.
   */
  fail(
    operation: string,
    problem?: { readonly status?: number; readonly detail?: string; readonly retryAfter?: number },
  ): Promise<() => Promise<void>>
}

export const AWAY = 'The database cannot be reached.'

/**
 * Runs in the page, before its own scripts: what asks for the address waits for the event. Not by `page.route`, by
 * which Chromium under load at times never answered a request that had been held.
 */
const holding = (address: string, event: string): string => `{
  const ask = fetch
  const released = new Promise(resolve => addEventListener('${event}', resolve, { once: true }))
  fetch = async (asked, options) => {
    if (asked === '${address}') await released
    return ask(asked, options)
  }
}`

/** Of an operation; what begins with a slash is an address itself. */
const addressOf = (operation: string): string => (operation.startsWith('/') ? operation : `/api/app/${operation}`)

let holds = 0

export const interferenceWith = (page: Page, expectStatus: (status: number) => void): Interference => ({
  hold: async operation => {
    holds += 1
    const event = `release-${holds}`
    const script = holding(addressOf(operation), event)
    const inFurtherPages = await page.addInitScript(script)
    await page.evaluate(script)
    return async () => {
      await inFurtherPages.dispose()
      await page.evaluate(`dispatchEvent(new Event('${event}'))`)
    }
  },
  fail: async (operation, { status = 503, detail = AWAY, retryAfter } = {}) => {
    const code = status === 503 ? 'unavailable' : 'internal'
    const body = Buffer.from(JSON.stringify({ status, code, detail })).toString('base64')
    const responseHeaders = [
      { name: 'content-type', value: 'application/json' },
      ...(retryAfter === undefined ? [] : [{ name: 'retry-after', value: String(retryAfter) }]),
    ]
    expectStatus(status)
    // By itself: with `page.route` every file of the app would go through the test, and none come from the browser's
    // cache.
    const session = await page.context().newCDPSession(page)
    session.on('Fetch.requestPaused', ({ requestId }) => {
      session.send('Fetch.fulfillRequest', { requestId, responseCode: status, responseHeaders, body }).catch(() => {})
    })
    await session.send('Fetch.enable', { patterns: [{ urlPattern: `*${addressOf(operation)}` }] })
    return () => session.detach()
  },
})
