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

/**
 * By path below the data directory: size in bytes, and the CRC-32 of the content where the budget allowed reading the
 * file.
 */
type Files = Readonly<Record<string, readonly [size: number, crc: number | null]>>

/**
 * Bytes of a data directory that are read at a stop and at a start: 0.1 s of CPU. The smallest files come first, since
 * the engines check the large files themselves (docs/operations/recover.md names what nothing checks).
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

/** Size and checksum of every file of the stores. Files beyond `budget` bytes, the largest, have no checksum. */
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

/** Number of differing files that the error names. */
const NAMED = 3

/** Throws `damaged`, naming what differs, unless every noted file is unchanged. Additional files are ignored. */
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

/** The embedded stores: the file that each has from its creation on, by the store's directory. */
const STORES = { log: 'log/log.sqlite', postgres: 'postgres/PG_VERSION', clickhouse: 'clickhouse/metadata' } as const

type EmbeddedStore = keyof typeof STORES

const STORE_NAMES = Object.keys(STORES) as EmbeddedStore[]
const NOTE = 'contents.json'

/**
 * The content of the note file. `closed` lists every file as it was when the stores were closed; null while a store is
 * open and after a kill.
 */
interface Note {
  readonly stores: readonly EmbeddedStore[]
  readonly closed: Files | null
}

export interface DataContents {
  /**
   * Throws `invalid_configuration` where the directory holds data of this store. The engine that `variable` names would
   * start empty and leave that data behind.
   */
  assertNone(store: EmbeddedStore, variable: string): void
  /** A store is about to be opened: its files may change until `closed`. */
  opening(store: EmbeddedStore): void
  /** The store was opened, and created where it did not exist. From now on its absence is `damaged`. */
  opened(store: EmbeddedStore): Promise<void>
  /** The store was closed cleanly: its files do not change any more. */
  closed(store: EmbeddedStore): void
  /** Notes every file's size and checksum, unless a store is still open or was not closed cleanly. */
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

/** A missing or unreadable note counts as an empty one: only the checks that need the note are lost. */
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

/** True once an embedded store was created in the directory. */
export const holdsData = (directory: string): boolean =>
  STORE_NAMES.some(store => existsSync(join(directory, STORES[store])))

/**
 * Checks that the stores' files are all there and, after a clean stop, unchanged. An engine notices most damage itself,
 * but some only when it reads the damaged page. Rejects with `damaged`, naming the file and what to do.
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
  // Stores are opened concurrently; their notes are written one after another.
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
