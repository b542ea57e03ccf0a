import type { Transaction } from '../../infra/postgres/port.ts'
import { keysOf } from '../keys-of.ts'

/** The kinds that the search finds. */
export const SEARCHED = ['signal', 'claim', 'solution', 'node', 'decision', 'living_doc', 'note'] as const
export type Searched = (typeof SEARCHED)[number]

interface SearchedRows {
  readonly table: string
  /** Columns of a match: its number, if it has one, its title and its text. */
  readonly match: string
  /** Rows that a search shows. */
  readonly shown: string
}

/** Where each kind is read. */
export const SEARCHED_ROWS: Readonly<Record<Searched, SearchedRows>> = {
  signal: {
    table: 'signals',
    match: 'number, left(text, 80) as title, text',
    shown: 'true',
  },
  claim: {
    table: 'claims',
    match: 'number, title, statement as text',
    shown: 'merged_into is null',
  },
  solution: {
    table: 'solutions',
    match: 'number, title, summary as text',
    shown: 'true',
  },
  node: {
    table: 'map_nodes',
    match: 'null::integer as number, name as title, description as text',
    shown: 'true',
  },
  decision: {
    table: 'decisions',
    match: 'number, left(statement, 80) as title, statement as text',
    shown: 'true',
  },
  // The number is its Solution's.
  living_doc: {
    table: 'living_documents',
    match: `(select number from solutions where solutions.id = solution_id) as number,
      (select title from solutions where solutions.id = solution_id) as title, markdown as text`,
    shown: 'newest',
  },
  note: {
    table: 'knowledge_notes',
    match: `null::integer as number, left(text, 80) as title, text`,
    shown: 'true',
  },
}

/** What a search can be narrowed by: the column of each type that has it. */
const COLUMNS = {
  state: { signal: 'state', claim: 'state', solution: 'state' },
  classification: { signal: 'classification' },
  kind: { claim: 'kind' },
  source: { signal: 'source' },
  channel: { signal: 'channel' },
  signal_origin: { signal: 'signal_origin' },
  node: { signal: 'node_id::text' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<Searched, string>>>>>
type SearchField = keyof typeof COLUMNS

export const SEARCH_FIELDS = keysOf(COLUMNS)

/** All of them must hold. */
export type SearchFilters = readonly {
  readonly field: SearchField
  readonly op: 'in' | 'not_in'
  readonly values: readonly string[]
}[]

const columnOf = (field: SearchField, type: Searched): string | undefined =>
  (COLUMNS[field] as Partial<Record<Searched, string>>)[type]

/** Whether rows of the type can pass at all. */
export const canPass = (type: Searched, filters: SearchFilters): boolean =>
  filters.every(({ field }) => columnOf(field, type) !== undefined)

/** Those of `ids`, rows of the table, that pass every filter, in their order. */
export const passingRows = async (
  transaction: Transaction,
  { type, table }: { readonly type: Searched; readonly table: string },
  ids: readonly string[],
  filters: SearchFilters,
): Promise<readonly string[]> => {
  if (filters.length === 0 || ids.length === 0) return ids
  const values: unknown[] = [ids]
  const conditions = filters.map(({ field, op, values: given }) => {
    values.push(given)
    // Every field asked for is one of the type: `canPass`. A missing value is none of those named.
    const column = `coalesce(${columnOf(field, type)}, '')`
    return `${op === 'in' ? '' : 'not '}${column} = any ($${values.length}::text[])`
  })
  const rows = await transaction.query<{ id: string }>(
    `select id from ${table} where id = any ($1::uuid[]) and ${conditions.join(' and ')}`,
    values,
  )
  const found = new Set(rows.map(({ id }) => id))
  return ids.filter(id => found.has(id))
}
