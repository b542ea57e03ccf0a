/** What tells that a page is left: the window, or what stands for it in a test. */
type Page = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

/** Has the browser ask before the page is left, until the function that it answers is called. */
export const holdPage = (page: Page = window): (() => void) => {
  const ask = (event: Event) => event.preventDefault()
  page.addEventListener('beforeunload', ask)
  return () => page.removeEventListener('beforeunload', ask)
}

/**
 * Writes that are sent one after the other, in the order in which a person asked for them. While one is unsent the
 * browser asks before the page is left; left all the same, those that wait go out at once, as far as they need no
 * answer of one before. Each must be a write that happens once however often it is sent (`callOnce`): a page that comes
 * back sends it again.
 */
export const createTurns = (page: () => Page = () => window) => {
  let last: Promise<unknown> = Promise.resolve()
  /**
   * In the order in which they were asked for, each with whether it may go out before the one before it has an answer.
   */
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
   * Answers what the write does, in its turn: what follows on it is done before the next one is sent. `isFree`: it
   * needs nothing of those before it.
   */
  return <Answer>(write: () => Promise<Answer>, { isFree }: { readonly isFree: boolean }): Promise<Answer> => {
    unsent.set(write, isFree)
    begin()
    const turn = last.then(write).finally(() => end(write))
    last = turn.catch(() => {})
    return turn
  }
}
