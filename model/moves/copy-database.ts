import type { OwnedDatabase, OwnerQuery } from '../../infra/postgres/pool.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { counted } from '../../schemas/domain/for-people.ts'
import { endMove, NO_PROGRESS, type NotedMove, noteMove, noteProgress, readMove } from './progress.ts'
import { type MovedTable, quoted, readPage, readTables, sumTable, writePage } from './tables.ts'

/**
 * Rows are copied unchanged. Triggers are switched off, because their results are rows that are copied, too; foreign
 * keys are dropped, because a row may come before the row that it refers to. The owner may do this without being a
 * superuser.
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

/** Drops what blocks the copy. Answers the statements that restore it. */
const openTables = async (query: OwnerQuery, tables: readonly MovedTable[]): Promise<readonly string[]> => {
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

/** Sets the target's sequences to the source's positions. */
const moveCounters = async (from: OwnerQuery, to: OwnerQuery): Promise<void> => {
  for (const { name, last_value } of await from<{ name: string; last_value: string }>(COUNTERS))
    await to('select setval($1::text::regclass, $2)', [quoted(name), last_value])
}

/** Reports progress to the waiting person. */
export type Report = (sentence: string) => void

const refuseRows = async (query: OwnerQuery, tables: readonly MovedTable[]): Promise<void> => {
  for (const { name } of tables) {
    const [row] = await query<{ filled: boolean }>(`select exists (select from ${quoted(name)}) as filled`)
    if (row?.filled === true)
      throw new AssayError(
        'conflict',
        `The database to move into is not empty: its table ${name} has rows. Create a new one, which no program has worked on.`,
      )
  }
}

/** Prepares an empty database, or continues the same move. Rejects with `conflict` for any other database. */
export const beginFilling = async (
  to: OwnedDatabase,
  tables: readonly MovedTable[],
  id: string,
): Promise<NotedMove> => {
  const noted = await readMove(to.query)
  if (noted !== null && noted.id === id) return noted
  if (noted?.state === 'filling')
    throw new AssayError(
      'conflict',
      'The database to move into holds a part of another move, or of one whose source was started again since. Create a new database, and new topics.',
    )
  return to.transaction(async query => {
    const restore = await openTables(query, tables)
    await refuseRows(query, tables)
    const begun: NotedMove = { id, state: 'filling', progress: { ...NO_PROGRESS, restore } }
    await noteMove(query, begun)
    return begun
  })
}

/** Locks the source while `work` runs: nobody else reads or writes it, and nothing in it changes. */
export const withSourceLocked = async <T>(
  from: OwnedDatabase,
  work: (query: OwnerQuery, tables: readonly MovedTable[]) => Promise<T>,
): Promise<T> => {
  const tables = await readTables(from.query)
  await from.query('begin isolation level repeatable read')
  try {
    for (const { name, forced } of tables)
      await from.query(
        forced ? `alter table ${quoted(name)} no force row level security` : `lock table ${quoted(name)} in share mode`,
      )
    return await work(from.query, tables)
  } finally {
    await from.query('rollback').catch(() => {})
  }
}

interface CopyOptions {
  readonly from: OwnerQuery
  readonly to: OwnedDatabase
  readonly tables: readonly MovedTable[]
  readonly begun: NotedMove
  readonly report: Report
}

const copyTable = async ({ from, to, begun }: CopyOptions, table: MovedTable): Promise<void> => {
  const known = begun.progress.tables[table.name]
  if (known?.all === true) return
  let last = known?.last ?? null
  for (;;) {
    const page = await readPage(from, table, last)
    if (page === null) break
    await to.transaction(async query => {
      await writePage(query, table, page)
      await noteProgress(query, ['tables', table.name], { last: page.last })
    })
    last = page.last
  }
  await noteProgress(to.query, ['tables', table.name], { last: last ?? [], all: true })
}

const shapeOf = ({ columns, key }: MovedTable): string => JSON.stringify([columns, key])

/** Copies missing rows, then compares every table. Rejects with `conflict` and the names of tables that differ. */
export const copyRows = async (options: CopyOptions): Promise<void> => {
  const { from, to, tables, report } = options
  const there = new Map((await readTables(to.query)).map(table => [table.name, shapeOf(table)]))
  const other = tables.find(table => there.get(table.name) !== shapeOf(table))
  if (other !== undefined || there.size !== tables.length)
    throw new AssayError(
      'conflict',
      `The two databases do not have the same tables${other === undefined ? '' : `: ${other.name} differs`}. Bring both to this version with \`assay migrate\`.`,
    )
  for (const table of tables) await copyTable(options, table)
  await moveCounters(from, to.query)
  const differing: string[] = []
  let rows = 0
  for (const table of tables) {
    const [here, copied] = await Promise.all([sumTable(from, table), sumTable(to.query, table)])
    rows += Number(copied.rows)
    if (here.rows !== copied.rows || here.sum !== copied.sum)
      differing.push(`${table.name} (${here.rows} rows there, ${copied.rows} here)`)
  }
  if (differing.length > 0)
    throw new AssayError('conflict', `The copy is not the same as its source: ${differing.join(', ')}.`)
  report(`database: ${counted(rows, 'row')} in ${counted(tables.length, 'table')}, each the same by count and checksum`)
}

/** Restores what `beginFilling` dropped, which checks every reference, and records the end. */
export const finishFilling = async (to: OwnedDatabase, finish: (query: OwnerQuery) => Promise<void>): Promise<void> => {
  const noted = await readMove(to.query)
  if (noted === null || noted.state === 'arrived') return
  await to.transaction(async query => {
    await finish(query)
    for (const statement of noted.progress.restore) await query(statement)
    await endMove(query, 'arrived')
  })
}
