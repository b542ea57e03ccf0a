import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { nullWhereMissing } from './errors.ts'

/** A file, a folder or a link, with its path. */
interface Entry {
  readonly entry: Dirent
  readonly path: string
}

/**
 * All entries below a directory, each folder before its contents. A folder that another process removes meanwhile
 * counts as empty. Rejects where the directory itself cannot be read.
 */
export const listEntries = async (directory: string): Promise<readonly Entry[]> => {
  const entries = (await readdir(directory, { withFileTypes: true })).map(entry => ({
    entry,
    path: join(directory, entry.name),
  }))
  const all: Entry[] = [...entries]
  for (const { path } of entries.filter(({ entry }) => entry.isDirectory()))
    all.push(...((await nullWhereMissing(listEntries(path))) ?? []))
  return all
}
