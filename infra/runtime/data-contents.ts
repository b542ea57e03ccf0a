import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
} from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { crc32 } from 'node:zlib'
import { AssayError, storageError } from './errors.ts'

/** By path below the data directory: its size in bytes and, where the budget reached, the CRC-32 of what is in it. */
type Files = Readonly<Record<string, readonly [size: number, crc: number | null]>>

/**
 * As much as is read of a data directory at a stop and a start: 0.1 s of the processor. The smallest files come first,
 * as the engines themselves check what is in the large ones (docs/operations/recover.md says what nobody checks).
 */
const CHECKED_BYTES = 64 * 1024 * 1024

const paths = (directory: string, stores: readonly string[]): string[] =>
  stores.flatMap(store =>
    readdirSync(join(directory, store), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() || entry.isSymbolicLink())
      .map(entry => join(relative(directory, entry.parentPath), entry.name)),
  )

const contentOf = (path: string): Buffer =>
  lstatSync(path).isSymbolicLink() ? Buffer.from(readlinkSync(path)) : readFileSync(path)

/** What the stores' directories hold. */
export const listFiles = (directory: string, stores: readonly string[], budget = CHECKED_BYTES): Files => {
  const sizes = paths(directory, stores).map(path => ({ path, size: lstatSync(join(directory, path)).size }))
  let left = budget
  return Object.fromEntries(
    sizes
      .toSorted((a, b) => a.size - b.size)
      .map(({ path, size }) => {
        left -= size
        return [path, [size, left < 0 ? null : crc32(contentOf(join(directory, path)))]] as const
      }),
  )
}

/** Throws `damaged` when a file of the stores cannot be read and written by this user. */
const assertAccessible = (directory: string, stores: readonly string[]): void => {
  for (const path of paths(directory, stores)) {
    const file = join(directory, path)
    if (lstatSync(file).isSymbolicLink()) continue
    try {
      accessSync(file, constants.R_OK | constants.W_OK)
    } catch (error) {
      throw storageError(error, file)
    }
  }
}

const differenceOf = (directory: string, path: string, [size, crc]: Files[string]): string | null => {
  try {
    const found = lstatSync(join(directory, path)).size
    if (found !== size) return `${path} has ${found} bytes instead of ${size}`
    if (crc !== null && crc32(contentOf(join(directory, path))) !== crc) return `${path} has changed`
    return null
  } catch {
    return `${path} is missing or cannot be read`
  }
}

/** How many files are named of those that differ. */
const NAMED = 3

/** Throws `damaged`, naming what differs, unless every file is as it was. What came besides is nobody's business. */
const assertUnchanged = (directory: string, files: Files, note: string): void => {
  const differences = Object.entries(files).flatMap(([path, file]) => differenceOf(directory, path, file) ?? [])
  if (differences.length === 0) return
  const more = differences.length > NAMED ? `; and ${differences.length - NAMED} more` : ''
  throw new AssayError(
    'damaged',
    `The data in ${directory} is not as it was when it was last closed: ${differences.slice(0, NAMED).join('; ')}${more}. ` +
      `Restore the whole directory from a backup. If you changed these files on purpose, remove ${join(directory, note)} and start again.`,
  )
}

/** The embedded stores, each a directory, with what it has from its first moment on. */
const STORES = { log: 'log/log.sqlite', postgres: 'postgres/PG_VERSION', clickhouse: 'clickhouse/metadata' } as const

type EmbeddedStore = keyof typeof STORES

const STORE_NAMES = Object.keys(STORES) as EmbeddedStore[]
const NOTE = 'contents.json'

/**
 * What the directory is known to hold. `closed`: every file as it was when the stores were closed; null while one is
 * open, or after a kill.
 */
interface Note {
  readonly stores: readonly EmbeddedStore[]
  readonly closed: Files | null
}

export interface DataContents {
  /**
   * Throws `invalid_configuration` where the directory holds data of this store: what is in it would be left behind by
   * the engine that the variable names.
   */
  assertNone(store: EmbeddedStore, variable: string): void
  /** A store of this directory is about to be opened: until `closed` somebody may write to its files. */
  opening(store: EmbeddedStore): void
  /** It was opened, and so made if it was not there before. */
  opened(store: EmbeddedStore): Promise<void>
  /** A store was closed in good order: nobody writes to its files any more. */
  closed(store: EmbeddedStore): void
  /** Notes what every file is like, unless a store could not be opened or closed. */
  close(): Promise<void>
}

const isNote = (value: unknown): value is Note =>
  typeof value === 'object' &&
  value !== null &&
  'stores' in value &&
  Array.isArray(value.stores) &&
  value.stores.every(store => STORE_NAMES.includes(store)) &&
  'closed' in value &&
  typeof value.closed === 'object'

/** A note that is not there or cannot be understood says nothing: only what it helps to notice is lost with it. */
const readNote = (file: string): Note => {
  try {
    const note: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isNote(note)) return note
  } catch {}
  return { stores: [], closed: null }
}

const assertThere = (directory: string, store: EmbeddedStore): void => {
  const main = join(directory, STORES[store])
  const size = statSync(main, { throwIfNoEntry: false })?.size ?? 0
  if (size > 0) return
  const message =
    `${main} is missing or empty, and ${directory} has held data of this store before. Restore the whole directory from a backup. ` +
    `To go on without that data, remove ${join(directory, NOTE)} and ${join(directory, store)}, and start again.`
  throw new AssayError('damaged', message)
}

/** Whether any embedded store was ever made there. */
export const holdsData = (directory: string): boolean =>
  STORE_NAMES.some(store => existsSync(join(directory, STORES[store])))

/**
 * Looks whether the stores' files are all there and, after a stop in good order, as they were left: an engine notices
 * most damage, and some only when it comes to the damaged place, or never. Rejects with `damaged`, naming the file and
 * what to do.
 */
export const openContents = async (directory: string): Promise<DataContents> => {
  const file = join(directory, NOTE)
  const note = readNote(file)
  const open = new Set<EmbeddedStore>()
  let stores = note.stores

  const replace = async (closed: Files | null): Promise<void> => {
    try {
      await writeFile(`${file}.new`, JSON.stringify({ stores, closed } satisfies Note))
      await rename(`${file}.new`, file)
    } catch (error) {
      throw storageError(error, directory)
    }
  }
  let writing: Promise<void> = Promise.resolve()
  // One after the other: stores are opened at the same time.
  const write = (closed: Files | null): Promise<void> => {
    writing = writing.then(() => replace(closed))
    return writing
  }

  for (const store of stores) assertThere(directory, store)
  const present = STORE_NAMES.filter(store => existsSync(join(directory, store)))
  assertAccessible(directory, present)
  if (note.closed !== null) assertUnchanged(directory, note.closed, NOTE)
  await write(null)

  return {
    assertNone(store, variable) {
      if (!existsSync(join(directory, STORES[store]))) return
      const message =
        `${variable} is set, and the data directory ${directory} holds ${store === 'log' ? 'a log' : 'data'} of its own, which would be left behind. ` +
        `Unset ${variable}, move everything with \`assay move --to\`, or set DATA_DIR to an empty directory to begin anew.`
      throw new AssayError('invalid_configuration', message)
    },
    opening: store => void open.add(store),
    async opened(store) {
      if (stores.includes(store)) return
      stores = [...stores, store]
      await write(null)
    },
    closed: store => void open.delete(store),
    async close() {
      if (open.size === 0) await write(listFiles(directory, stores))
    },
  }
}
