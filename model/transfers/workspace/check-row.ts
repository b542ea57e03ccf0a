import { createHash } from 'node:crypto'
import { kindOf } from './field-kinds.ts'
import { KeySet } from './key-set.ts'
import type { Row } from './masked-row.ts'
import type { ReferenceRule, TableRules } from './rules.ts'

/** The most rows between those that stand above each other: schemas/postgres/0008_map.sql and 0013_claims.sql. */
const MAX_LEVELS: Readonly<Record<string, number>> = { map_nodes: 100, claims: 1001 }

/** Checks rows in the order of their lines: answers what is wrong with one, null when nothing is. */
export type RowCheck = (table: string, columns: readonly string[], row: Row) => string | null

const keyOf = (row: Row, columns: readonly string[]): bigint =>
  createHash('sha1')
    .update(JSON.stringify(columns.map(column => row[column])))
    .digest()
    .readBigUInt64LE()

const setName = (table: string, columns: readonly string[]): string => `${table} ${columns.join(' ')}`

/**
 * The columns of each row, what is in them, and that what they name stands above them in the file. So nothing is named that is another workspace's,
 * and no row is above itself, by whatever way. Rows that others name are remembered by 8 bytes of a hash.
 */
export const rowCheck = (rules: ReadonlyMap<string, TableRules>): RowCheck => {
  const known = new Map<string, KeySet>()
  const tables = [...rules.values()]
  for (const { table, named } of tables.flatMap(({ references }) => references))
    known.set(setName(table, named), new KeySet())
  const waysToName = (table: string): readonly (readonly string[])[] =>
    [...known.keys()].filter(name => name.startsWith(`${table} `)).map(name => name.split(' ').slice(1))
  const named = new Map(tables.map(({ table }) => [table, waysToName(table)]))

  const levelAbove = (row: Row, { columns, table, named }: ReferenceRule): number | null => {
    if (columns.some(column => row[column] === null || row[column] === undefined)) return 0
    return known.get(setName(table, named))?.levelOf(keyOf(row, columns)) ?? null
  }

  return (table, columns, row) => {
    const own = rules.get(table)
    if (own === undefined) return `there is no table ${table}`
    const wrong = wrongColumns(own, columns, row)
    if (wrong !== null) return wrong
    let level = 1
    for (const reference of own.references) {
      const above = levelAbove(row, reference)
      if (above === null)
        return `${reference.columns.join(', ')} must name a row of ${reference.table} on a line above it`
      if (reference.table === table) level = Math.max(level, above + 1)
    }
    const most = MAX_LEVELS[table] ?? 1
    if (level > most) return `it lies deeper than the ${most} levels that ${table} may have`
    for (const way of named.get(table) ?? []) known.get(setName(table, way))?.add(keyOf(row, way), level)
    return null
  }
}

const wrongColumns = (rules: TableRules, columns: readonly string[], row: Row): string | null => {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return 'the row must be an object'
  const missing = columns.find(column => !Object.hasOwn(row, column))
  if (missing !== undefined) return `it lacks ${missing}, which the first line names`
  const stranger = Object.keys(row).find(name => !columns.includes(name))
  if (stranger !== undefined)
    return `it has ${JSON.stringify(stranger.slice(0, 60))}, which the first line does not name`
  for (const { name, type, nullable } of rules.columns) {
    const value = row[name]
    if (value === undefined) continue
    const { allowed, holds } = kindOf(type)
    if (value === null ? !nullable : !holds(value)) return `${name} must be ${allowed}${nullable ? ', or null' : ''}`
  }
  return null
}
