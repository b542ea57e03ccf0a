import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AssayError } from './errors.ts'
import { INSTALLATION_KEY_BYTES, type InstallationKey } from './secrets.ts'

const LOCK_FILE = 'lock'
const KEY_FILE = 'installation.key'

export interface DataDirectory {
  /** Absolute. */
  readonly path: string
  readonly installationKey: InstallationKey
  /** The absolute path of something inside. */
  file(name: string): string
  release(): void
}

/**
 * A lock that the system drops with the process, however it dies: SQLite's on a file, held by a transaction that never ends.
 * A file with a process id in it would have to be judged stale or not after a kill.
 */
const takeLock = (path: string): DatabaseSync => {
  const lock = new DatabaseSync(join(path, LOCK_FILE))
  try {
    lock.exec('pragma busy_timeout = 0; pragma journal_mode = delete; begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && /locked/i.test(error.message))) throw error
    throw new AssayError(
      'already_running',
      `Another Assay is running on the data directory ${path}. Stop that one first, or start this one with DATA_DIR set to a directory of its own.`,
      { cause: error },
    )
  }
}

/** Written whole or not at all: half a key after a crash would lock everybody out of what is sealed. */
const createKey = async (file: string): Promise<Buffer> => {
  const key = randomBytes(INSTALLATION_KEY_BYTES)
  const partial = `${file}.new`
  await rm(partial, { force: true })
  const handle = await open(partial, 'wx', 0o600)
  try {
    await handle.writeFile(`${key.toString('base64url')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(partial, file)
  return key
}

const loadKey = async (file: string): Promise<Buffer> => {
  const text = await readFile(file, 'utf8').catch(error => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return createKey(file)
  const key = Buffer.from(text.trim(), 'base64url')
  if (key.length === INSTALLATION_KEY_BYTES) return key
  throw new AssayError(
    'invalid_configuration',
    `The installation key ${file} is damaged. Restore it from a backup: without it the secrets of the sources cannot be read.`,
  )
}

const prepare = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await chmod(path, 0o700)
  } catch (error) {
    throw new AssayError(
      'invalid_configuration',
      `The data directory ${path} cannot be made or is not this user's. Set DATA_DIR to one that is.`,
      {
        cause: error,
      },
    )
  }
}

/**
 * Makes the directory if it is missing (for this user only), locks it, and loads or makes the installation's key.
 * Rejects with `already_running` when another process has it.
 */
export const openDataDirectory = async (directory: string): Promise<DataDirectory> => {
  const path = resolve(directory)
  await prepare(path)
  const lock = takeLock(path)
  try {
    const installationKey = await loadKey(join(path, KEY_FILE))
    return { path, installationKey, file: name => join(path, name), release: () => lock.close() }
  } catch (error) {
    lock.close()
    throw error
  }
}
