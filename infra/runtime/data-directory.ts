import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readFile, rename, rm, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type DataContents, holdsData, openContents } from './data-contents.ts'
import { AssayError, codeOf, isAssayError, storageError } from './errors.ts'
import { assertNotMoved } from './move-mark.ts'
import {
  INSTALLATION_KEY_BYTES,
  INSTALLATION_KEY_LENGTHS,
  type InstallationKey,
  keyAfter,
  withKeyBefore,
} from './secrets.ts'

const LOCK_FILE = 'lock'
/** The files of the directory's lock. They hold no data. */
export const LOCK_FILES: readonly string[] = [LOCK_FILE, `${LOCK_FILE}-journal`]
const KEY_FILE = 'installation.key'
/** The key that is being replaced. The file stays until nothing is sealed with that key. */
const KEY_BEFORE_FILE = 'installation.key.before'
/** The directory of a restore that has not been verified as a whole. */
export const RESTORING = 'restoring'

export interface DataDirectory {
  readonly path: string
  readonly contents: DataContents
  /** The installation key: the given one, or the one in the directory, which the first start creates. */
  loadKey(given: KeyGiven): Promise<InstallationKey>
  /** Writes the key into the directory unless a key is there. */
  keepKey(key: InstallationKey): Promise<void>
  /** The absolute path of a file in the directory. */
  file(name: string): string
  /** Frees the directory for the next process. The stores must be closed before. */
  release(): Promise<void>
}

/**
 * Locks the directory by a SQLite transaction that never ends. The operating system frees this lock however the process
 * dies; a file with a process id would have to be judged stale or valid after a kill.
 */
const takeLock = (path: string): DatabaseSync => {
  const file = join(path, LOCK_FILE)
  let lock: DatabaseSync | null = null
  try {
    lock = new DatabaseSync(file)
    lock.exec('pragma busy_timeout = 0; pragma journal_mode = delete; begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    if (!(error instanceof Error && /locked/i.test(error.message)))
      throw storageError(error, file, 'it is no lock. Nothing is kept in it: remove it and start again')
    throw new AssayError(
      'already_running',
      `Another Assay is running on the data directory ${path}. Stop that one first, or start this one with DATA_DIR set to a directory of its own.`,
      { cause: error },
    )
  }
}

/** Written whole or not at all: with half a key after a crash nothing sealed could be read. */
const createKey = (file: string): Promise<InstallationKey> => writeKey(file, randomBytes(INSTALLATION_KEY_BYTES))

const writeKey = async (file: string, key: InstallationKey): Promise<InstallationKey> => {
  const partial = `${file}.new`
  await rm(partial, { force: true })
  const handle = await open(partial, 'wx', 0o600)
  try {
    await handle.writeFile(`${Buffer.from(key).toString('base64url')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(partial, file)
  return key
}

interface KeyGiven {
  /** INSTALLATION_KEY; null when the key is kept in the directory. */
  readonly installationKey: InstallationKey | null
  /** PREVIOUS_INSTALLATION_KEY. */
  readonly previousInstallationKey?: InstallationKey | null
  /** True when a new key may be made although the data was sealed with a key that is missing. */
  readonly acceptNewKey: boolean
}

/** Null when there is no such file. Throws `damaged` when its content is no key. */
const readKey = async (file: string): Promise<InstallationKey | null> => {
  const text = await readFile(file, 'utf8').catch(error => {
    if (codeOf(error) === 'ENOENT') return null
    throw storageError(error, file)
  })
  if (text === null) return null
  const key = Buffer.from(text.trim(), 'base64url')
  if (INSTALLATION_KEY_LENGTHS.includes(key.length)) return key
  throw new AssayError(
    'damaged',
    `The installation key ${file} is damaged. Restore it from a backup: without it the secrets of the sources cannot be read.`,
  )
}

/**
 * The keys in the directory: the key in force, combined with the previous key while there are two. Null when there is
 * none.
 */
export const readKeys = async (path: string): Promise<InstallationKey | null> => {
  const key = await readKey(join(path, KEY_FILE))
  const before = await readKey(join(path, KEY_BEFORE_FILE))
  // Both files hold the same key after a replacement that stopped between its two writes: that key is still in force.
  return key === null || (before !== null && Buffer.from(before).equals(key)) ? key : withKeyBefore(key, before)
}

const loadKey = async (path: string, given: KeyGiven): Promise<InstallationKey> => {
  if (given.installationKey !== null) return withKeyBefore(given.installationKey, given.previousInstallationKey ?? null)
  const file = join(path, KEY_FILE)
  const key = await readKeys(path)
  if (key !== null) return key
  if (holdsData(path) && !given.acceptNewKey) {
    const message =
      `The installation key ${file} is missing, and there is data that was sealed with it. Restore it from a backup, or set INSTALLATION_KEY to it. ` +
      'If it is lost for good, start once with ACCEPT_NEW_INSTALLATION_KEY=true: every source then needs a new secret, and everyone signs in again.'
    throw new AssayError('damaged', message)
  }
  return createKey(file).catch(error => Promise.reject(storageError(error, file)))
}

/**
 * Replaces the key in the directory by a new one and keeps the old one as the previous key. The next start uses both.
 * Rejects with `conflict` while an earlier replacement is not finished.
 */
export const replaceKey = async (path: string): Promise<void> => {
  const before = join(path, KEY_BEFORE_FILE)
  const key = await readKey(join(path, KEY_FILE))
  if (key === null) throw new AssayError('invalid_configuration', `There is no installation key in ${path}.`)
  const kept = await readKey(before)
  if (kept !== null && !Buffer.from(kept).equals(key)) {
    const message =
      'The key is being replaced already. Restart Assay, and run `assay key rotate`, until `assay key status` says that nothing is left.'
    throw new AssayError('conflict', message)
  }
  await writeKey(before, key)
  await writeKey(join(path, KEY_FILE), keyAfter(key))
}

/** Removes the previous key. Call when nothing is sealed with that key any more. */
export const forgetKeyBefore = (path: string): Promise<void> => rm(join(path, KEY_BEFORE_FILE), { force: true })

/** Free disk space needed to start: with less, an engine would fail in its first write. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024

/** The error for a directory in which a restore did not finish. */
export const notFinished = (path: string): AssayError =>
  new AssayError(
    'damaged',
    `A restore into ${path} was not finished. Remove everything in it, and restore the backup again.`,
  )

/** Rejects with `damaged` when the disk has less than 64 MiB left. */
export const assertRoom = async (path: string): Promise<void> => {
  const { bavail, bsize } = await statfs(path)
  const free = bavail * bsize
  if (free >= LEAST_FREE_BYTES) return
  const [have, want] = [free, LEAST_FREE_BYTES].map(bytes => Math.floor(bytes / 1024 / 1024))
  throw new AssayError(
    'damaged',
    `${path} cannot be used: its disk has ${have} MB left, and ${want} MB are needed to start.`,
  )
}

/** The reason in words: Node's error names no cause when the parent directory is read-only. */
export const NO_DIRECTORY =
  'no directory can be made there, as what it is in can only be read. Set DATA_DIR to a directory of this user'

const prepare = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await chmod(path, 0o700)
  } catch (error) {
    throw storageError(error, path, NO_DIRECTORY)
  }
}

/**
 * Creates the directory if it is missing (readable by this user only), locks it and checks its contents. Rejects with
 * `already_running` when another process holds the lock, with `damaged` when the directory cannot be used, and with
 * `conflict` when the installation was moved elsewhere, except with `toMove`.
 */
export const openDataDirectory = async (
  directory: string,
  { toMove = false }: { readonly toMove?: boolean } = {},
): Promise<DataDirectory> => {
  const path = resolve(directory)
  await prepare(path)
  const lock = takeLock(path)
  try {
    if (!toMove) assertNotMoved(path)
    await assertRoom(path)
    if (existsSync(join(path, RESTORING))) throw notFinished(path)
    const contents = await openContents(path)
    return {
      path,
      contents,
      loadKey: given => loadKey(path, given),
      keepKey: async key => {
        const file = join(path, KEY_FILE)
        if (!existsSync(file)) await writeKey(file, key)
      },
      file: name => join(path, name),
      release: async () => {
        await contents.close()
        lock.close()
      },
    }
  } catch (error) {
    lock.close()
    throw isAssayError(error) ? error : storageError(error, pathOf(error) ?? path)
  }
}

/** The path in an error of Node's file system. */
const pathOf = (error: unknown): string | undefined =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined
