import { relative, sep } from 'node:path'
import { listEntries } from '../runtime/list-entries.ts'
import { type ByteSearch, countInFile } from './byte-search.ts'

/** Occurrences of each string in the files of a folder. */
type Counts = readonly number[]

const added = (counts: Counts | undefined, more: Counts): Counts =>
  more.map((count, index) => count + (counts?.[index] ?? 0))

/** The key for files in the directory itself. */
const OTHERS = 'other files'

/**
 * Occurrences of each string in the files below a directory, by top folder, without files named in `except`. A file
 * that is renamed or written during the search may be missed: nobody may write the strings meanwhile. Rejects where a
 * file cannot be read.
 */
export const searchFiles = async (
  directory: string,
  search: ByteSearch,
  except: readonly string[] = [],
): Promise<ReadonlyMap<string, Counts>> => {
  const found = new Map<string, Counts>()
  for (const { entry, path } of await listEntries(directory)) {
    if (!entry.isFile() || except.includes(entry.name)) continue
    const [first = '', ...below] = relative(directory, path).split(sep)
    const folder = below.length === 0 ? OTHERS : first
    const counts = await countInFile(search, path)
    if (counts !== null) found.set(folder, added(found.get(folder), counts))
  }
  return found
}
