import { readFile, rename, writeFile } from 'node:fs/promises'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { OpenWindow, WindowCounts } from '../../infra/runtime/window-counts.ts'

/** Keeps the counts of the documented limits over a restart, so that no window starts again. */
export interface KeptCounts {
  /** Continues the windows of the process before, and keeps those of `counts` from now on. */
  keep(name: string, counts: WindowCounts, windowSeconds: number): void
  /** Writes all windows a last time. */
  stop(): Promise<void>
}

/** For an edge without a directory of its own. */
export const KEEPS_NOTHING: KeptCounts = { keep: () => {}, stop: async () => {} }

/** Windows up to this length are lost when the process is killed. */
const SHORT_SECONDS = 60
const SAVE_MS = 5000

type Saved = Readonly<Record<string, readonly OpenWindow[]>>

/**
 * Keeps windows in a file: long windows every 5 s, short ones only at a stop, since there may be one for each of
 * 100,000 endpoints. The file has ids and counts. An unreadable file counts as empty.
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
