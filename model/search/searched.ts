import type { Transaction } from '../../infra/postgres/port.ts'
import { keysOf } from '../collections.ts'
import { happenedAt } from '../signals/happened.ts'

/** Kinds that the search finds. */
export const SEARCHED = ['signal', 'claim', 'solution', 'node', 'decision', 'living_doc', 'note'] as const
export type SearchedType = (typeof SEARCHED)[number]

interface SearchedRows {
  readonly table: string
  /** Columns of a match: its number if it has one, its title and its text. */
  readonly match: string
  /** Condition of rows that a search shows. */
  readonly shown: string
}

/** Tables of each kind. */
export const SEARCHED_ROWS: Readonly<Record<SearchedType, SearchedRows>> = {
  signal: {
    table: 'signals',
    match: `number, left(text, 80) as title, text, actor_name, coalesce(source, channel) as source, ${happenedAt()} as occurred_at`,
    shown: 'true',
  },
  claim: {
    table: 'claims',
    match: `number, title, statement as text, (
      select case when count(*) = 1 then min(number) end
      from (
        select signals.number from claim_evidence join signals on signals.id = signal_id
        where claim_id = claims.id limit 2
      ) as evidence
    ) as only_signal`,
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
  // The number is the Solution's.
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

/** A condition on a row of a kind, over one parameter with the values as texts. */
type Condition = (values: string) => string

const isOneOf =
  (column: string): Condition =>
  values =>
    `coalesce(${column}::text, '') = any (${values})`

const WITH_CLAIM = (table: string, object: string): Condition => {
  const rows = `select from ${table} where ${table}.${object} = id_of.id and claim_id::text = any`
  return values => `exists (${rows} (${values}))`
}

/** Condition: one of the columns has a value, in the signal or in a repeat, whose words count as the signal's. */
const isSaidWith =
  (...columns: readonly string[]): Condition =>
  values => {
    const repeated = columns.map(column => `occurrences.${column}::text = any (${values})`).join(' or ')
    const own = columns.map(column => isOneOf(column)(values)).join(' or ')
    return `(${own} or exists (select from occurrences where signal_id = id_of.id and (${repeated})))`
  }

/** Filters of a search: for each field the conditions of the kinds that have it. */
const CONDITIONS = {
  state: { signal: isOneOf('state'), claim: isOneOf('state'), solution: isOneOf('state') },
  classification: { signal: isOneOf('classification') },
  kind: { claim: isOneOf('kind') },
  // The sender's own word, or the source's id.
  source: { signal: isSaidWith('source', 'source_id') },
  channel: { signal: isOneOf('channel') },
  signal_origin: { signal: isOneOf('signal_origin') },
  actor: { signal: isSaidWith('actor_name') },
  node: { signal: isOneOf('node_id'), node: isOneOf('id') },
  claim: {
    signal: WITH_CLAIM('claim_evidence', 'signal_id'),
    solution: WITH_CLAIM('solution_claims', 'solution_id'),
    claim: isOneOf('id'),
  },
  owner: { signal: isOneOf('owner_id'), claim: isOneOf('owner_id'), solution: isOneOf('owner_id') },
  group: {
    solution: values =>
      `exists (select from group_solutions where solution_id = id_of.id and group_id::text = any (${values}))`,
  },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<SearchedType, Condition>>>>>
export type SearchField = keyof typeof CONDITIONS

/** Lists have a field of their own for owners. */
export const SEARCH_FIELDS = keysOf(CONDITIONS).filter(field => field !== 'owner')

/** A filter of a search. All filters must hold. */
interface SearchFilter {
  readonly field: SearchField
  readonly op: 'in' | 'not_in'
  readonly values: readonly string[]
}
export type SearchFilters = readonly SearchFilter[]

const conditionOf = (field: SearchField, type: SearchedType): Condition | undefined =>
  (CONDITIONS[field] as Partial<Record<SearchedType, Condition>>)[type]

/** Kinds that have a field. */
export const typesWith = (field: SearchField): readonly SearchedType[] =>
  SEARCHED.filter(type => conditionOf(field, type) !== undefined)

const canPass = (type: SearchedType, filters: SearchFilters): boolean =>
  filters.every(({ field }) => conditionOf(field, type) !== undefined)

/** Kinds whose rows can pass the filters. */
export const passable = (types: readonly SearchedType[], filters: SearchFilters): readonly SearchedType[] =>
  types.filter(type => canPass(type, filters))

/** The rows among `ids` that pass every filter, in their order. */
export const passingRows = async (
  transaction: Transaction,
  { type, table }: { readonly type: SearchedType; readonly table: string },
  ids: readonly string[],
  filters: SearchFilters,
): Promise<readonly string[]> => {
  if (filters.length === 0 || ids.length === 0) return ids
  const values: unknown[] = [ids]
  const conditions = filters.flatMap(({ field, op, values: given }) => {
    const condition = conditionOf(field, type)
    if (condition === undefined) return []
    values.push(given)
    return [`${op === 'in' ? '' : 'not '}${condition(`$${values.length}::text[]`)}`]
  })
  const rows = await transaction.query<{ id: string }>(
    `select id from ${table} id_of where id = any ($1::uuid[]) and ${['true', ...conditions].join(' and ')}`,
    values,
  )
  const found = new Set(rows.map(({ id }) => id))
  return ids.filter(id => found.has(id))
}
