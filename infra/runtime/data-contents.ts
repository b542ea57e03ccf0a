import { existsSync, readFileSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assertAccessible, assertUnchanged, type Files, listFiles } from './data-files.ts'
import { AssayError } from './errors.ts'
import { storageError } from './storage-errors.ts'

/** The embedded stores, each a directory, with what it has from its first moment on. */
const STORES = { log: 'log/log.sqlite', postgres: 'postgres/PG_VERSION', clickhouse: 'clickhouse/metadata' } as const

type EmbeddedStore = keyof typeof STORES

const STORE_NAMES = Object.keys(STORES) as EmbeddedStore[]
const NOTE = 'contents.json'

/** What the directory is known to hold. `closed`: every file as it was when the stores were closed; null while one is open, or after a kill. */
interface Note {
  readonly stores: readonly EmbeddedStore[]
  readonly closed: Files | null
}

export interface DataContents {
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
 * Looks whether the stores' files are all there and, after a stop in good order, as they were left: an engine notices most damage, and
 * some only when it comes to the damaged place, or never. Rejects with `damaged`, naming the file and what to do.
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
