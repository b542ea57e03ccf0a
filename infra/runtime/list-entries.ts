import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './errors.ts'

/**
 * All that is below a directory, each folder before what is in it. Others may write there meanwhile: a folder that is
 * gone when it is to be read has nothing in it. Rejects where the directory itself cannot be read.
 */
export const listEntries = async (directory: string): Promise<readonly Dirent[]> => {
  const entries = await readdir(directory, { withFileTypes: true })
  const all: Dirent[] = [...entries]
  for (const { name } of entries.filter(entry => entry.isDirectory()))
    all.push(...(await listEntries(join(directory, name)).catch(nothingWhereGone)))
  return all
}

const nothingWhereGone = (error: unknown): readonly Dirent[] => {
  if (codeOf(error) === 'ENOENT') return []
  throw error
}
