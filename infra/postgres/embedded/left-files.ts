import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { EmbeddedServer } from './server.ts'

/** A segment of a relation, of its free space map or visibility map: `16384`, `16384_vm`, `16384.1`. */
const RELATION_FILE = /^(\d+)(?:_(?:fsm|vm|init))?(?:\.\d+)?$/

const PATH = `select pg_relation_filepath('pg_class')`
const NUMBERS = 'select pg_relation_filenode(oid) from pg_class where pg_relation_filenode(oid) is not null'

/**
 * Removes files of relations that a kill left in the middle of a rewrite or an index build. PostgreSQL does not know
 * them and never removes them, so that erased data would stay in them. Empty files are PostgreSQL's own, which the next
 * checkpoint removes. Returns the number of removed files. Rejects where a file cannot be removed.
 */
export const removeLeftFiles = async (directory: string, { run }: Pick<EmbeddedServer, 'run'>): Promise<number> => {
  const path = (await run(PATH))[0]
  if (path === undefined) throw new Error('PostgreSQL does not say where its files are')
  const folder = join(directory, dirname(path))
  // Listed before the query: a file made meanwhile is not in the list, and a file of a transaction is known.
  const names = await readdir(folder)
  const known = new Set(await run(NUMBERS))
  if (!known.has(basename(path))) throw new Error('PostgreSQL does not say which files it knows')
  let removed = 0
  for (const name of names) {
    const number = RELATION_FILE.exec(name)?.[1]
    if (number === undefined || known.has(number)) continue
    const file = join(folder, name)
    const size = await stat(file).then(
      found => found.size,
      () => 0,
    )
    if (size === 0) continue
    await rm(file)
    removed += 1
  }
  return removed
}
