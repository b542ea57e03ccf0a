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

/** Flushes everything below a directory, and the directory itself, to the disk. */
const flushAll = async (directory: string): Promise<void> => {
  const entries = await readdir(directory, { recursive: true })
  for (const entry of entries) await flush(join(directory, entry))
  await flush(directory)
}

/** True when a database was created completely. */
export const isPrepared = (directory: string): boolean => existsSync(join(directory, 'PG_VERSION'))

/**
 * Creates the data directory of a new installation beside its final path, then renames it. Must not be called for a
 * prepared directory. Creation takes seconds and copies some thousand files: a kill would otherwise leave an incomplete
 * directory that looks like a database.
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
