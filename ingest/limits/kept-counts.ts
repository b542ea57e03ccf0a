import { readFile, rename, writeFile } from 'node:fs/promises'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { OpenWindow, WindowCounts } from '../../infra/runtime/window-counts.ts'

/** Keeps what the documented limits have counted, so that a restart begins no window anew. */
export interface KeptCounts {
  /** Goes on with the windows of the program before, and keeps those of this one from now on. */
  keep(name: string, counts: WindowCounts, windowSeconds: number): void
  /** Writes all windows a last time. */
  stop(): Promise<void>
}

/** Keeps nothing: for an edge without a folder of its own. */
export const KEEPS_NOTHING: KeptCounts = { keep: () => {}, stop: async () => {} }

/** A window that is no longer than this many seconds is lost when the program is killed. */
const SHORT_SECONDS = 60
const SAVE_MS = 5000

type Saved = Readonly<Record<string, readonly OpenWindow[]>>

/**
 * Keeps the windows in a file: the long ones every few seconds, the short ones at a stop alone, since there may be one
 * for each of 100,000 endpoints. What is kept are ids and counts. A file that cannot be read counts from nothing.
 */
export const openKeptCounts = async (file: string, logger: Pick<Logger, 'warn'>): Promise<KeptCounts> => {
  const before = await read(file, logger)
  const kept: { readonly name: string; readonly counts: WindowCounts; readonly isShort: boolean }[] = []
  let written = ''
  let writing = Promise.resolve()

  const save = (which: (isShort: boolean) => boolean): void => {
    const windows = kept.filter(({ isShort }) => which(isShort)).map(({ name, counts }) => [name, counts.windows()])
    const counted = JSON.stringify(
      windows.map(([, open]) => (open as OpenWindow[]).map(({ key, times }) => [key, times])),
    )
    if (counted === written) return
    written = counted
    const content = JSON.stringify({ at: Date.now(), windows: Object.fromEntries(windows) })
    writing = writing
      .then(async () => {
        await writeFile(`${file}.new`, content)
        await rename(`${file}.new`, file)
      })
      .catch(error => logger.warn({ err: error }, 'what the limits have counted could not be kept'))
  }

  const timer = setInterval(() => save(isShort => !isShort), SAVE_MS).unref()
  return {
    keep: (name, counts, windowSeconds) => {
      counts.resume(before[name] ?? [])
      kept.push({ name, counts, isShort: windowSeconds <= SHORT_SECONDS })
    },
    stop: async () => {
      clearInterval(timer)
      save(() => true)
      await writing
    },
  }
}

const read = async (file: string, logger: Pick<Logger, 'warn'>): Promise<Saved> => {
  try {
    const { at, windows } = JSON.parse(await readFile(file, 'utf8')) as { at: number; windows: Saved }
    const since = Math.max(0, Date.now() - at)
    return Object.fromEntries(
      Object.entries(windows).map(([name, open]) => [name, open.map(each => ({ ...each, left: each.left - since }))]),
    )
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      logger.warn({ err: error }, 'what the limits had counted cannot be read; they count from nothing')
    return {}
  }
}
