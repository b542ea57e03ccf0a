import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { nullWhereMissing } from '../../runtime/errors.ts'
import type { EmbeddedServer } from './server.ts'

const TEMPORARY = 'base/pgsql_tmp'
/** A table, an index or its map of free space, in one file or several: its number comes first. */
const RELATION = /^(\d+)(_(fsm|vm|init))?(\.\d+)?$/

const FOLDER = `select 'base/' || oid from pg_database where datname = current_database()`
const NUMBERS = 'select pg_relation_filenode(oid) from pg_class where pg_relation_filenode(oid) is not null'

const list = async (folder: string): Promise<readonly string[]> => (await nullWhereMissing(readdir(folder))) ?? []

/**
 * Removes files that belong to nothing: what a crash left of a table that was being made or written anew, and what a
 * statement had put aside. A server removes the second at its start, and the first never. No transaction is open while
 * the numbers are read, so a file that was there before and is of none of them is nobody's.
 */
export const removeAbandoned = async ({ run }: Pick<EmbeddedServer, 'run'>, directory: string): Promise<void> => {
  const [folder = ''] = await run(FOLDER)
  const relations = await list(join(directory, folder))
  const temporary = await list(join(directory, TEMPORARY))
  const numbers = new Set(await run(NUMBERS))
  for (const name of relations) {
    const [, number] = RELATION.exec(name) ?? []
    if (number !== undefined && !numbers.has(number)) await rm(join(directory, folder, name), { force: true })
  }
  for (const name of temporary) await rm(join(directory, TEMPORARY, name), { force: true, recursive: true })
}
