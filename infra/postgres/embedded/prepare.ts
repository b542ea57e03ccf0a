import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openEngine } from './engine.ts'

const flush = async (path: string): Promise<void> => {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Everything below a directory, and the directory itself, on the disk. */
const flushAll = async (directory: string): Promise<void> => {
  const entries = await readdir(directory, { recursive: true })
  for (const entry of entries) await flush(join(directory, entry))
  await flush(directory)
}

/** Whether a database was made there, and to its end. */
export const isPrepared = (directory: string): boolean => existsSync(join(directory, 'PG_VERSION'))

/**
 * Makes the data directory of a new installation, which must not be prepared: beside its place, then renamed into it.
 * Creating takes seconds and copies some thousand files, so a process killed meanwhile would otherwise leave a
 * directory that looks like a database and is none.
 */
export const prepareDirectory = async (directory: string): Promise<void> => {
  const parent = dirname(directory)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const unfinished = `${directory}.new`
  await rm(unfinished, { recursive: true, force: true })
  const engine = await openEngine({ directory: unfinished })
  await engine.close()
  await flushAll(unfinished)
  await rename(unfinished, directory)
  await flush(parent)
}
