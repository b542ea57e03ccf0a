import { Compile } from 'typebox/compile'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { EXPORT_VERSION, ExportHeader } from '../../../schemas/transfers/workspace-export.ts'
import { EXPORTED_TABLES } from './tables.ts'

/** Rules of an exported column. */
interface ColumnRule {
  readonly name: string
  /** PostgreSQL's name of the type: `uuid`, `text[]`. */
  readonly type: string
  /** True when it may be null. */
  readonly nullable: boolean
  /** True when an export may omit it: it has a default, or becomes null. */
  readonly optional: boolean
}

/** Columns that refer to a row of a table, by the columns that identify it. */
export interface ReferenceRule {
  readonly columns: readonly string[]
  readonly table: string
  readonly named: readonly string[]
}

/** A unique key: `expressions` where `predicate` holds. */
interface UniqueRule {
  readonly name: string
  readonly expressions: readonly string[]
  readonly predicate: string | null
}

interface CheckRule {
  readonly name: string
  readonly expression: string
}

/** The database's rules for rows of one exported table. */
export interface TableRules {
  readonly table: string
  readonly columns: readonly ColumnRule[]
  readonly references: readonly ReferenceRule[]
  readonly checks: readonly CheckRule[]
  readonly uniques: readonly UniqueRule[]
}

const RELATIONS = `pg_class.relnamespace = 'public'::regnamespace and pg_class.relname = any ($1)`

const COLUMNS = `
  select relname as table, attname as name, format_type(atttypid, null) as type, not attnotnull as nullable,
    not attnotnull or atthasdef as optional
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where ${RELATIONS} and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
  order by relname, attnum`

const names = (relation: string, numbers: string): string => `
  array(select attname::text from unnest(${numbers}) with ordinality as part (number, place)
    join pg_attribute on attrelid = ${relation} and attnum = part.number order by place)`

// Columns that the database computes, such as a claim's survival, are in no file; the other columns of such a reference
// are checked.
const namesOfReference = (side: 'own' | 'other'): string => `
  array(select ${side}.attname::text from unnest(conkey, confkey) with ordinality as part (own, other, place)
    join pg_attribute as own on own.attrelid = conrelid and own.attnum = part.own and own.attgenerated = ''
    join pg_attribute as other on other.attrelid = confrelid and other.attnum = part.other order by place)`

const REFERENCES = `
  select pg_class.relname as table, named.relname as named_table,
    ${namesOfReference('own')} as columns, ${namesOfReference('other')} as named
  from pg_constraint join pg_class on pg_class.oid = conrelid join pg_class as named on named.oid = confrelid
  where ${RELATIONS} and contype = 'f'`

const CHECKS = `
  select relname as table, conname as name, pg_get_expr(conbin, conrelid) as expression, ${names('conrelid', 'conkey')} as columns
  from pg_constraint join pg_class on pg_class.oid = conrelid
  where ${RELATIONS} and contype = 'c'`

const UNIQUES = `
  select pg_class.relname as table, own.relname as name, pg_get_expr(indpred, indrelid) as predicate,
    array(select pg_get_indexdef(indexrelid, place, true) from generate_series(1, indnkeyatts::integer) as place) as expressions,
    ${names('indrelid', 'indkey::int2[]')} as columns
  from pg_index join pg_class on pg_class.oid = indrelid join pg_class as own on own.oid = indexrelid
  where ${RELATIONS} and indisunique`

const OWN = 'workspace_id'

interface OfTable {
  readonly table: string
}

/**
 * Rules of every exported table, from this installation's database, so that additions to a table are checked without
 * further code.
 */
export const readRules = async (transaction: Transaction): Promise<ReadonlyMap<string, TableRules>> => {
  const tables = EXPORTED_TABLES.map(({ table }) => table)
  const read = <Row extends object>(statement: string) => transaction.query<Row & OfTable>(statement, [tables])
  const columns = await read<ColumnRule>(COLUMNS)
  const references = await read<{ named_table: string; columns: string[]; named: string[] }>(REFERENCES)
  const checks = await read<CheckRule & { columns: string[] }>(CHECKS)
  const uniques = await read<UniqueRule & { columns: string[] }>(UNIQUES)
  return new Map(
    EXPORTED_TABLES.map(({ table, excludedRows = {} }) => {
      const own = <Row extends OfTable>(rows: readonly Row[]): Row[] => rows.filter(row => row.table === table)
      const kept = own(columns).filter(({ name }) => !(name in excludedRows))
      // Generated columns are in no file, so no rule mentions them.
      const isExported = (name: string): boolean => kept.some(column => column.name === name)
      const allColumns = <Row extends { readonly columns: readonly string[] }>(rows: readonly Row[]): Row[] =>
        rows.filter(row => row.columns.every(isExported))
      const outer = ({ named_table }: { named_table: string }): boolean => tables.includes(named_table)
      return [
        table,
        {
          table,
          columns: kept.filter(({ name }) => name !== OWN),
          references: allColumns(own(references).filter(outer)).flatMap(({ columns, named_table, named }) => {
            const pairs = columns.flatMap((column, at) => (column === OWN ? [] : [[column, named[at] ?? ''] as const]))
            return pairs.length === 0
              ? []
              : [{ columns: pairs.map(([c]) => c), table: named_table, named: pairs.map(([, n]) => n) }]
          }),
          checks: allColumns(own(checks)),
          uniques: allColumns(own(uniques)),
        },
      ]
    }),
  )
}

const header = Compile(ExportHeader)

/** Most rows of an export, so that a check remembers some hundred MB at most. */
export const MAX_EXPORT_ROWS = 5_000_000

/** Error for an export that is cut, changed, or no export. */
export const refused = (why: string): AssayError =>
  new AssayError('invalid_input', `This file is no whole export of Assay. ${why} Nothing was imported.`)

/** Error for an export with data that this version does not know. */
export const newerVersion = (what: string): AssayError =>
  new AssayError('unsupported', `This export is of a newer version of Assay. ${what} Upgrade this installation first.`)

/**
 * The first line of an export, with this installation's tables and columns. Throws `invalid_input` and `unsupported`.
 */
export const readHeader = (line: string, rules: ReadonlyMap<string, TableRules>): ExportHeader => {
  const read = headerIn(line)
  const order = [...rules.keys()]
  let last = -1
  let rows = 0
  for (const { table, columns, rows: own } of read.tables) {
    const known = rules.get(table)
    if (known === undefined) throw newerVersion(`It holds the table ${table.slice(0, 60)}.`)
    const tableIndex = order.indexOf(table)
    if (tableIndex <= last) throw refused(`Its first line names ${table} twice, or behind a table that follows it.`)
    last = tableIndex
    rows += own
    if (table === 'workspaces' && own > 1) throw refused('Its first line has more than one workspace.')
    checkColumns(known, columns)
  }
  if (rows > MAX_EXPORT_ROWS)
    throw new AssayError('too_large', `The export has ${rows} rows; at most ${MAX_EXPORT_ROWS} are taken.`)
  return read
}

const checkColumns = ({ table, columns: known }: TableRules, columns: readonly string[]): void => {
  const names = known.map(({ name }) => name)
  const unknown = columns.find(column => !names.includes(column))
  if (unknown !== undefined) throw newerVersion(`It holds the column ${unknown.slice(0, 60)} of ${table}.`)
  if (new Set(columns).size < columns.length) throw refused(`Its first line names a column of ${table} twice.`)
  const missing = known.find(({ name, optional }) => !optional && !columns.includes(name))
  if (missing !== undefined) throw refused(`Its first line lacks the column ${missing.name} of ${table}.`)
}

const headerIn = (line: string): ExportHeader => {
  const read = parsed(line)
  const version = (read as { readonly assay_export?: unknown } | null)?.assay_export
  if (typeof version === 'number' && version > EXPORT_VERSION)
    throw newerVersion(`Its format is version ${version}; version ${EXPORT_VERSION} is known here.`)
  if (header.Check(read) && version === EXPORT_VERSION) return read
  throw refused('Its first line is not that of an export.')
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
