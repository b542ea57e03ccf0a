import { accessSync, constants, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { crc32 } from 'node:zlib'
import { AssayError } from './errors.ts'
import { storageError } from './storage-errors.ts'

/** By path below the data directory: its size in bytes and, where the budget reached, the CRC-32 of what is in it. */
export type Files = Readonly<Record<string, readonly [size: number, crc: number | null]>>

/**
 * As much as is read of a data directory at a stop and a start: 0.1 s of the processor. The smallest files come first, as the engines
 * themselves check what is in the large ones (docs/operations.md says what nobody checks).
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
export const assertAccessible = (directory: string, stores: readonly string[]): void => {
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
export const assertUnchanged = (directory: string, files: Files, note: string): void => {
  const differences = Object.entries(files).flatMap(([path, file]) => differenceOf(directory, path, file) ?? [])
  if (differences.length === 0) return
  const more = differences.length > NAMED ? `; and ${differences.length - NAMED} more` : ''
  throw new AssayError(
    'damaged',
    `The data in ${directory} is not as it was when it was last closed: ${differences.slice(0, NAMED).join('; ')}${more}. ` +
      `Restore the whole directory from a backup. If you changed these files on purpose, remove ${join(directory, note)} and start again.`,
  )
}
