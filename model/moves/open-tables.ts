import type { OwnerQuery } from '../../infra/postgres/owner.ts'
import { type MovedTable, quoted } from './tables.ts'

/**
 * Rows come in as they are: what a trigger would count or note again is in other rows that come too, and a row may come before the
 * one that it refers to. An owner may do all of this, so that no superuser is asked for.
 */
const REFERENCES = `
  select relname as table_name, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
  from pg_constraint join pg_class on pg_class.oid = conrelid
  where contype = 'f' and relnamespace = current_schema()::regnamespace order by relname, conname`

interface Reference {
  readonly table_name: string
  readonly name: string
  readonly definition: string
}

/** Takes away what is in the way; answers the statements that put it back. */
export const openTables = async (query: OwnerQuery, tables: readonly MovedTable[]): Promise<readonly string[]> => {
  const references = await query<Reference>(REFERENCES)
  for (const { table_name, name } of references)
    await query(`alter table ${quoted(table_name)} drop constraint ${quoted(name)}`)
  for (const { name, forced } of tables) {
    await query(`alter table ${quoted(name)} disable trigger user`)
    if (forced) await query(`alter table ${quoted(name)} no force row level security`)
  }
  return [
    ...references.map(
      ({ table_name, name, definition }) =>
        `alter table ${quoted(table_name)} add constraint ${quoted(name)} ${definition}`,
    ),
    ...tables.map(({ name }) => `alter table ${quoted(name)} enable trigger user`),
    ...tables.filter(({ forced }) => forced).map(({ name }) => `alter table ${quoted(name)} force row level security`),
  ]
}

const COUNTERS = `
  select sequencename as name, last_value::text as last_value from pg_sequences
  where schemaname = current_schema() and last_value is not null`

/** Has the target's counters go on behind the source's. */
export const moveCounters = async (from: OwnerQuery, to: OwnerQuery): Promise<void> => {
  for (const { name, last_value } of await from<{ name: string; last_value: string }>(COUNTERS))
    await to('select setval($1::text::regclass, $2)', [quoted(name), last_value])
}
