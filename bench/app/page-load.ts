import type { Page } from 'playwright-core'
import { launchBrowser, signInBrowser } from '../../test/support/browser.ts'
import type { Person } from '../../test/support/person.ts'

const VIEWPORT = { width: 1280, height: 860 }
const PATIENCE_MS = 60_000
/** A page that has asked for nothing for so long has all that it shows. */
const QUIET_MS = 700

/** What Chrome's developer tools call slow 4G: in milliseconds, and bytes a second. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 }

/** What a page of nobody's doing moved, and tasks of 50 ms and more, from the page itself. */
const WATCH = `
  window.layout_shift = 0
  window.long_tasks = []
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.layout_shift += value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) window.long_tasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })`

/** Runs `work` with a page of a signed-in person, in a browser of its own that has nothing in its cache. */
export const withFreshPage = async <T>(person: Person, work: (page: Page) => Promise<T>): Promise<T> => {
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({ viewport: VIEWPORT })
    context.setDefaultTimeout(PATIENCE_MS)
    await signInBrowser(context, person)
    await context.addInitScript(WATCH)
    return await work(await context.newPage())
  } finally {
    await browser.close()
  }
}

export interface PageLoad {
  /** Transferred, compressed: of the app’s own files, and of what it read. */
  readonly appBytes: number
  readonly dataBytes: number
  readonly requests: number
  readonly layoutShift: number
}

/** Opens an address with nothing in the cache, and says what that took until the page had all that it shows. */
export const loadPage = async (page: Page, address: string): Promise<PageLoad> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  let [appBytes, dataBytes, requests, last] = [0, 0, 0, performance.now()]
  const reads = new Set<string>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    requests += 1
    if (new URL(request.url).pathname.startsWith('/api/')) reads.add(requestId)
    last = performance.now()
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (reads.has(requestId)) dataBytes += encodedDataLength
    else appBytes += encodedDataLength
    last = performance.now()
  })
  await page.goto(address)
  await page.locator('h1').first().waitFor()
  while (performance.now() - last < QUIET_MS) await page.waitForTimeout(QUIET_MS / 4)
  const layoutShift = await page.evaluate<number>('window.layout_shift')
  await session.detach()
  return { appBytes, dataBytes, requests, layoutShift }
}

/** Makes the page's network as slow as a phone's where the mast is far. */
export const slowDown = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  await session.send('Network.emulateNetworkConditions', SLOW_4G)
}

/** The longest task while `work` was done, in milliseconds; 0: none took 50 ms. */
export const longestTask = async (page: Page, work: () => Promise<void>): Promise<number> => {
  await page.evaluate('window.long_tasks = []')
  await work()
  return page.evaluate<number>('Math.max(0, ...window.long_tasks)')
}
