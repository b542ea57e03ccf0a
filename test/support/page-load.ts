import type { Page } from 'playwright-core'

/** What a page has taken since it was last asked for with nothing in the cache. */
export interface PageLoad {
  /** Transferred, compressed and with the headers of the answers: of the app’s own files, and of what it read. */
  appBytes: number
  dataBytes: number
  /** The addresses that were asked for, each with what was posted there. */
  readonly asked: string[]
  /** Those without an answer yet, but for the live connection, which stays open. */
  readonly pending: ReadonlySet<string>
  /** When anything last began or ended, as of `performance.now()`. */
  lastAt: number
}

/**
 * So long after its first live connection is open, in seconds, the page reads again what it read meanwhile: what is
 * asked for from then on is none of its load, which on a slow machine has not ended by then.
 */
const READ_AGAIN_S = 3

/** Counts what the page takes from the network; the function that it answers begins anew, with nothing in the cache. */
export const meterLoads = async (page: Page): Promise<() => Promise<PageLoad>> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const begun = () => ({ appBytes: 0, dataBytes: 0, asked: [], pending: new Set<string>(), lastAt: performance.now() })
  let load: PageLoad & { readonly pending: Set<string> } = begun()
  /** Those of this load, by what they count for. */
  const kinds = new Map<string, 'appBytes' | 'dataBytes'>()
  let loading: string | null = null
  /** Of the browser’s clock, in seconds. */
  let liveSince = Number.POSITIVE_INFINITY
  session.on('Network.requestWillBeSent', ({ requestId, loaderId, request: { url, postData }, type, timestamp }) => {
    if (url.startsWith('data:')) return
    if (type === 'Document') {
      loading = loaderId
      liveSince = Number.POSITIVE_INFINITY
      kinds.clear()
      load.pending.clear()
      load.asked.length = 0
      Object.assign(load, { appBytes: 0, dataBytes: 0 })
    }
    // The page before may ask on until the next one is there: what it has under way ends with it, and is not told.
    if (loaderId !== loading || timestamp >= liveSince + READ_AGAIN_S) return
    load.asked.push(postData === undefined ? url : `${url} ${postData}`)
    load.lastAt = performance.now()
    const { pathname } = new URL(url)
    kinds.set(requestId, pathname.startsWith('/api/') ? 'dataBytes' : 'appBytes')
    if (!pathname.endsWith('/events')) load.pending.add(requestId)
  })
  session.on('Network.responseReceived', ({ response: { url }, loaderId, timestamp }) => {
    if (loaderId === loading && new URL(url).pathname.endsWith('/events')) liveSince = Math.min(liveSince, timestamp)
  })
  session.on('Network.loadingFailed', ({ requestId }) => void load.pending.delete(requestId))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId)
    if (kind === undefined) return
    load[kind] += encodedDataLength
    load.pending.delete(requestId)
    load.lastAt = performance.now()
  })
  return async () => {
    await session.send('Network.clearBrowserCache')
    load = begun()
    return load
  }
}
