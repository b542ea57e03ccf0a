import type { Transaction } from '../../../infra/postgres/port.ts'
import type { Row } from './exported-rows.ts'
import type { TableRules } from './rules.ts'

/** Adjacent rows of one table in an export, for the database. */
export interface RowsToStore {
  readonly table: string
  readonly lines: readonly number[]
  /** JSON array of rows by `storedRow`. */
  readonly json: string
}

/** A row as JSON for `jsonb_populate_recordset`. */
export const storedRow = (row: Row): string => JSON.stringify({ ...row, workspace_id: NO_WORKSPACE })

/**
 * Checks well-formed rows. Answers the line and the reason when the table would refuse one; null otherwise. Writes
 * nothing.
 */
type StoredCheck = (
  transaction: Transaction,
  rows: RowsToStore,
) => Promise<{ readonly line: number; readonly why: string } | null>

/**
 * Checks what only the database knows: each table's constraints, evaluated over rows that are in no table, and hashes
 * of unique keys, compared over the whole file.
 */
export const storedCheck = (rules: ReadonlyMap<string, TableRules>): StoredCheck => {
  const seen = new Map<string, KeySet>()
  return async (transaction, { table, lines, json }) => {
    const own = rules.get(table)
    if (own === undefined) return null
    const answers = await transaction.query<Answer>(statementFor(own), [json])
    for (const [at, { failed, keys }] of answers.entries()) {
      const line = lines[at] ?? 0
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

/** Unique keys are compared within the file alone, so any workspace id will do. */
const NO_WORKSPACE = '00000000-0000-7000-8000-000000000000'

interface Answer {
  readonly failed: readonly string[]
  readonly keys: readonly (string | null)[]
}

const isTelling = (expression: string): boolean => expression !== 'workspace_id'

const describe = ({ checks }: TableRules, name: string): string =>
  `it is not what the table may hold: ${checks.find(check => check.name === name)?.expression ?? name}`

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Names and expressions come from the catalogue, never from the file. */
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

const EMPTY = 0n
const FIRST_SIZE = 1024
const FULL = 0.7

/** 64-bit keys, each with a small number. A key takes 10 to 20 bytes of memory; a Map takes a hundred. */
export class KeySet {
  #keys = new BigUint64Array(FIRST_SIZE)
  #levels = new Uint16Array(FIRST_SIZE)
  #size = 0

  /** False when the key exists; its number stays. */
  add(key: bigint, level = 0): boolean {
    const at = this.#placeOf(key)
    if (this.#keys[at] !== EMPTY) return false
    this.#keys[at] = solid(key)
    this.#levels[at] = level
    this.#size += 1
    if (this.#size > this.#keys.length * FULL) this.#grow()
    return true
  }

  /** The number of a key; null without the key. */
  levelOf(key: bigint): number | null {
    const at = this.#placeOf(key)
    return this.#keys[at] === EMPTY ? null : (this.#levels[at] ?? 0)
  }

  #placeOf(key: bigint): number {
    const wanted = solid(key)
    const mask = this.#keys.length - 1
    let at = Number(BigInt.asUintN(32, wanted)) & mask
    while (this.#keys[at] !== EMPTY && this.#keys[at] !== wanted) at = (at + 1) & mask
    return at
  }

  #grow(): void {
    const [keys, levels] = [this.#keys, this.#levels]
    this.#keys = new BigUint64Array(keys.length * 2)
    this.#levels = new Uint16Array(keys.length * 2)
    for (const [from, key] of keys.entries()) {
      if (key === EMPTY) continue
      const at = this.#placeOf(key)
      this.#keys[at] = key
      this.#levels[at] = levels[from] ?? 0
    }
  }
}

/** 0 marks an empty slot. */
const solid = (key: bigint): bigint => (key === EMPTY ? 1n : key)
