import type { Transaction } from '../../../infra/postgres/port.ts'
import { EXPORTED_TABLES } from './tables.ts'

/** A column of the format: what a row may and must have there. */
interface ColumnRule {
  readonly name: string
  /** As PostgreSQL calls it: `uuid`, `text[]`. */
  readonly type: string
  /** It may be null. */
  readonly nullable: boolean
  /** It may be left out of an export: it has a default, or is null then. */
  readonly optional: boolean
}

/** Columns that name a row of a table, by the columns that it is known by. */
export interface ReferenceRule {
  readonly columns: readonly string[]
  readonly table: string
  readonly named: readonly string[]
}

/** What must not be twice: `expressions` where `predicate` holds. */
interface UniqueRule {
  readonly name: string
  readonly expressions: readonly string[]
  readonly predicate: string | null
}

interface CheckRule {
  readonly name: string
  readonly expression: string
}

/** What the database asks of the rows of one table of an export. */
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

const REFERENCES = `
  select pg_class.relname as table, named.relname as named_table,
    ${names('conrelid', 'conkey')} as columns, ${names('confrelid', 'confkey')} as named
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
 * The rules of every table of an export, as the database of this installation has them: what is added to a table is
 * checked by itself.
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
      // What the database numbers or makes itself is in no file, and so in no rule for one.
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
