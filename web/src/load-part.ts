import { useSyncExternalStore } from 'react'
import { createWatchers } from './watchers.ts'

const SOONEST_MS = 500
const LATEST_MS = 15_000
/** A file that the service answers, and that cannot be loaded nevertheless, is not asked for more often in one page. */
const MAX_TRIES = 3
const RELOADED_FOR = 'assay-reloaded-for'

let waiting = 0
const { tell, watch } = createWatchers()
const countWaiting = (by: number): void => {
  waiting += by
  tell()
}

/** Whether a part of the app is missing because the service cannot be reached. */
export const useIsCutOff = (): boolean => useSyncExternalStore(watch, () => waiting > 0)

/** A part of the app: a screen, or what one shows later. */
type Load<Part> = () => Promise<Part>

/**
 * Its file cannot be loaded or read, as browsers and the bundler say it; anything else is an error of the part’s own.
 */
const isMissingFile = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script|unable to preload/i.test(error.message)

const ENTRY = /src="((?:[^"/]*\/)*assets\/[^"/]+\.js)"/

/** What has not answered by then is as good as away. */
const ANSWER_MS = 10_000

/** The file that the app begins with, as the service has it now; null when it does not answer. */
const entryNow = async (): Promise<string | null> => {
  try {
    const page = await fetch('/app', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) })
    return page.ok ? (ENTRY.exec(await page.text())?.[1] ?? null) : null
  } catch {
    return null
  }
}

const entryHere = (): string | null => document.querySelector('script[type=module][src]')?.getAttribute('src') ?? null

/** Ends after a while, or as soon as the browser has a network again. */
const pause = (ms: number): Promise<void> =>
  new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
  })

/**
 * Loads the page anew, once for a version of the app: its files have other names than those that this page knows.
 * Answers whether it does.
 */
const reloadOnce = (entry: string): boolean => {
  if (sessionStorage.getItem(RELOADED_FOR) === entry) return false
  sessionStorage.setItem(RELOADED_FOR, entry)
  location.reload()
  return true
}

const retry = async <Part>(load: Load<Part>, first: unknown): Promise<Part> => {
  let error = first
  let tries = 1
  for (let wait = SOONEST_MS; isMissingFile(error); wait = Math.min(wait * 2, LATEST_MS)) {
    const entry = await entryNow()
    if (entry !== null && (entry !== entryHere() || tries >= MAX_TRIES)) {
      // Nothing is shown until the page is there anew.
      if (reloadOnce(entry)) return new Promise<Part>(() => {})
      break
    }
    await pause(wait)
    tries += entry === null ? 0 : 1
    try {
      return await load()
    } catch (again) {
      error = again
    }
  }
  throw error
}

/** Loads a part of the app, and tries again by itself for as long as the service cannot be reached. */
export const loadPart =
  <Part>(load: Load<Part>): Load<Part> =>
  async () => {
    try {
      return await load()
    } catch (error) {
      if (!isMissingFile(error)) throw error
      countWaiting(1)
      return await retry(load, error).finally(() => countWaiting(-1))
    }
  }
