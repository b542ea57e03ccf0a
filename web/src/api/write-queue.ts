/** The window, or a replacement in a test, which reports that the page is left. */
type Page = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

/** Makes the browser ask before the page is left, until the answered function is called. */
export const holdPage = (page: Page = window): (() => void) => {
  const ask = (event: Event) => event.preventDefault()
  page.addEventListener('beforeunload', ask)
  return () => page.removeEventListener('beforeunload', ask)
}

/**
 * Sends writes one after the other, in the person's order. While a write is unsent the browser asks before the page is
 * left. When it is left anyway, waiting writes that need no earlier answer go out at once. Each write must be safe to
 * repeat (`callOnce`): a page that comes back sends it again.
 */
export const createWriteQueue = (page: () => Page = () => window) => {
  let last: Promise<unknown> = Promise.resolve()
  /** In the person's order; true when the write needs no earlier answer. */
  const unsent = new Map<() => unknown, boolean>()
  let release: (() => void) | null = null

  const sendAll = () => {
    for (const [write, isFree] of unsent) if (isFree) void Promise.resolve(write()).catch(() => {})
  }
  const begin = () => {
    if (release !== null) return
    const letGo = holdPage(page())
    page().addEventListener('pagehide', sendAll)
    release = () => {
      letGo()
      page().removeEventListener('pagehide', sendAll)
    }
  }
  const end = (write: () => unknown) => {
    unsent.delete(write)
    if (unsent.size > 0) return
    release?.()
    release = null
  }

  /**
   * Answers the write's result in its turn; handlers of the result run before the next write. `isFree`: needs no
   * earlier answer.
   */
  return <Answer>(write: () => Promise<Answer>, { isFree }: { readonly isFree: boolean }): Promise<Answer> => {
    unsent.set(write, isFree)
    begin()
    const turn = last.then(write).finally(() => end(write))
    last = turn.catch(() => {})
    return turn
  }
}
