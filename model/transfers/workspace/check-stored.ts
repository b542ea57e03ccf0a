import type { Transaction } from '../../../infra/postgres/port.ts'
import type { Row } from './exported-rows.ts'
import { KeySet } from './key-set.ts'
import type { TableRules } from './rules.ts'

/** A row with the line that it stands on. */
export interface RowAtLine {
  readonly line: number
  readonly row: Row
}

/**
 * What the table would refuse, of rows that are well-formed: answers the line and why, null when nothing is wrong.
 * Writes nothing.
 */
export type StoredCheck = (
  transaction: Transaction,
  table: string,
  rows: readonly RowAtLine[],
) => Promise<{ readonly line: number; readonly why: string } | null>

/**
 * Asks the database for what only it can say: each table's own constraints, evaluated over rows that are in no table,
 * and a hash of all that must be unique, which are compared over the whole file.
 */
export const storedCheck = (rules: ReadonlyMap<string, TableRules>): StoredCheck => {
  const seen = new Map<string, KeySet>()
  return async (transaction, table, rows) => {
    const own = rules.get(table)
    if (own === undefined || rows.length === 0) return null
    const given = JSON.stringify(rows.map(({ row }) => ({ ...row, workspace_id: NO_WORKSPACE })))
    const answers = await transaction.query<Answer>(statementFor(own), [given])
    for (const [at, { failed, keys }] of answers.entries()) {
      const line = rows[at]?.line ?? 0
      const [constraint] = failed
      if (constraint !== undefined) return { line, why: describe(own, constraint) }
      for (const [index, key] of keys.entries()) {
        const unique = own.uniques[index]
        if (key === null || unique === undefined) continue
        const set = seen.get(unique.name) ?? new KeySet()
        seen.set(unique.name, set)
        if (!set.add(BigInt.asUintN(64, BigInt(key))))
          return {
            line,
            why: `another line of ${table} has the same ${unique.expressions.filter(isTelling).join(', ')}`,
          }
      }
    }
    return null
  }
}

/** Unique keys of a file are told apart within the file alone. */
const NO_WORKSPACE = '00000000-0000-7000-8000-000000000000'

interface Answer {
  readonly failed: readonly string[]
  readonly keys: readonly (string | null)[]
}

const isTelling = (expression: string): boolean => expression !== 'workspace_id'

const describe = ({ checks }: TableRules, name: string): string =>
  `it is not what the table may hold: ${checks.find(check => check.name === name)?.expression ?? name}`

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Names and expressions come from the catalogue, none from the file. */
const statementFor = ({ table, checks, uniques }: TableRules): string => {
  const failed = checks.map(({ name, expression }) => `case when not (${expression}) then ${literal(name)} end`)
  const keys = uniques.map(({ expressions, predicate }) => {
    const parts = expressions.join(', ')
    const counts = `num_nulls(${parts}) = 0${predicate === null ? '' : ` and (${predicate})`}`
    return `case when ${counts} then hashtextextended(row(${parts})::text, 0)::text end`
  })
  return `
    select array_remove(array[${failed.join(', ')}]::text[], null) as failed, array[${keys.join(', ')}]::text[] as keys
    from jsonb_populate_recordset(null::${table}, $1::jsonb) with ordinality as ${table}
    order by ordinality`
}
