import { relative, sep } from 'node:path'
import { listEntries } from '../runtime/list-entries.ts'
import { type ByteSearch, countInFile } from './byte-search.ts'

/** How often each string stands in the files of a folder. */
type Counts = readonly number[]

const added = (counts: Counts | undefined, more: Counts): Counts =>
  more.map((count, index) => count + (counts?.[index] ?? 0))

/** Where the files are that stand in the directory itself. */
const OTHERS = 'other files'

/**
 * How often each string stands in the files below a directory, by its folders, but for files of the names in `except`.
 * What is renamed or written while it is read may be missed, so nobody must write the strings meanwhile. Rejects where
 * a file cannot be read.
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
