import type { Transaction } from '../../../infra/postgres/port.ts'
import { textHash } from '../../../model/signals/normalize.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { type Replaced, redact } from '../../steps/scrub/redact.ts'
import { redactJson } from '../../steps/scrub/scrub.ts'

/** Columns of a table that hold what was made from signals' texts, or what a sender wrote beside them. */
export interface DerivedTexts {
  readonly table: string
  /** The columns that identify a row of a workspace, with their types, in the order in which the rows are read. */
  readonly key: readonly (readonly [column: string, type: 'uuid' | 'integer' | 'bigint' | 'text'])[]
  readonly texts: readonly string[]
  /** Columns of JSON. */
  readonly json?: readonly string[]
  /** Which rows: what people wrote is theirs. */
  readonly where?: string
  /** The longest text that a column takes, in characters, where that has an end. */
  readonly longest?: Readonly<Record<string, number>>
  /** How many rows a slice takes, where they are long. */
  readonly rows?: number
  /** Of columns that hold rows of another table: its columns that are looked through, and nothing beside them. */
  readonly within?: Columns
}

type Columns = Pick<DerivedTexts, 'texts' | 'json' | 'longest'>

/** What a judge says of signals may quote them. */
const OWN_TEXTS: readonly DerivedTexts[] = [
  {
    table: 'occurrences',
    key: [
      ['signal_id', 'uuid'],
      ['id', 'uuid'],
    ],
    texts: ['text', 'event', 'source', 'source_url', 'actor_name', 'actor_email'],
    json: ['metadata'],
    rows: 50,
  },
  {
    table: 'actor_weights',
    key: [
      ['target_id', 'uuid'],
      ['actor', 'text'],
    ],
    texts: ['actor_name', 'source'],
  },
  { table: 'claims', key: [['number', 'integer']], texts: ['title', 'statement'], longest: { title: 300 } },
  {
    table: 'claim_evidence',
    key: [
      // A merge moves evidence to another claim, and never past the signal that it is at.
      ['signal_id', 'uuid'],
      ['claim_id', 'uuid'],
    ],
    texts: ['reason'],
    json: ['lost_candidates'],
    where: `attached_by <> 'member'`,
  },
  {
    table: 'merge_proposals',
    key: [['id', 'uuid']],
    texts: ['reason', 'decided_reason'],
    where: 'decision_id is null',
  },
  {
    table: 'merges',
    key: [['id', 'uuid']],
    texts: ['reason'],
    json: ['lost_candidates'],
    where: `merged_by = 'judge'`,
  },
  {
    table: 'handoff_proposals',
    key: [
      ['solution_id', 'uuid'],
      ['repository', 'text'],
      ['number', 'integer'],
    ],
    texts: ['title', 'url', 'branch'],
  },
]

const SIGNALS: Pick<DerivedTexts, 'table'> & Columns = {
  table: 'signals',
  texts: ['text', 'event', 'source', 'source_url', 'actor_name', 'actor_email'],
  json: ['metadata'],
}

/**
 * What changes keep of the same columns, so that no undo brings back what was removed. Whoever wrote it: of an update
 * only the columns that differ are kept, and they do not say.
 */
const KEPT_TEXTS = [SIGNALS, ...OWN_TEXTS].map(
  ({ table, ...within }): DerivedTexts => ({
    table: 'changed_rows',
    key: [['id', 'bigint']],
    texts: [],
    json: ['before', 'after'],
    where: `table_name = '${table}'`,
    rows: 50,
    within,
  }),
)

export const DERIVED_TEXTS: readonly DerivedTexts[] = [...OWN_TEXTS, ...KEPT_TEXTS]

export interface DerivedRow {
  readonly key: readonly string[]
  readonly values: Readonly<Record<string, unknown>>
}

/** The statements of a table, made of its columns' names alone. */
const statementsOf = ({ table, key, texts, json = [], where = 'true' }: DerivedTexts) => {
  const names = key.map(([column]) => column)
  const values = [...texts, ...json]
  const places = key.map(([, type], index) => `($2::text[])[${index + 1}]::${type}`)
  const wanted = `workspace_id = $1 and ${where} and ($2::text[] is null or (${names}) > (${places}))`
  return {
    read: `
      select array[${names.map(name => `${name}::text`)}] as key,
        jsonb_build_object(${values.map(name => `'${name}', ${name}`)}) as values
      from ${table} where ${wanted} order by ${names} limit $3 for update`,
    count: `select count(*)::int as count from ${table} where ${wanted}`,
    write: `
      update ${table} set ${values.map(name => `${name} = clean.${name}`)}
      from json_to_recordset($2::json) as clean
        (${[...key.map(([name, type]) => `${name} ${type}`), ...texts.map(name => `${name} text`), ...json.map(name => `${name} jsonb`)]})
      where ${table}.workspace_id = $1 and ${names.map(name => `${table}.${name} = clean.${name}`).join(' and ')}`,
  }
}

const STATEMENTS = new Map(DERIVED_TEXTS.map(derived => [derived, statementsOf(derived)]))

const statements = (derived: DerivedTexts) => {
  const found = STATEMENTS.get(derived)
  if (found === undefined) throw new Error(`No statements were made for ${derived.table}.`)
  return found
}

export const countDerived = async (transaction: Transaction, derived: DerivedTexts, workspaceId: WorkspaceId) => {
  const [row] = await transaction.query<{ count: number }>(statements(derived).count, [workspaceId, null])
  return row?.count ?? 0
}

/** The next rows behind a key, at most so many, held until the transaction ends. */
export const readDerived = (
  transaction: Transaction,
  derived: DerivedTexts,
  workspaceId: WorkspaceId,
  after: readonly string[] | null,
  most: number,
): Promise<readonly DerivedRow[]> => transaction.query<DerivedRow>(statements(derived).read, [workspaceId, after, most])

export const writeDerived = async (
  transaction: Transaction,
  derived: DerivedTexts,
  workspaceId: WorkspaceId,
  rows: readonly DerivedRow[],
): Promise<void> => {
  const { key } = derived
  const written = rows.map(row => ({
    ...Object.fromEntries(key.map(([name], index) => [name, row.key[index]])),
    ...row.values,
  }))
  await transaction.query(statements(derived).write, [workspaceId, JSON.stringify(written)])
}

/** The row without personal data; null when nothing is found in it. What was replaced is counted in `replaced`. */
export const cleanRow = (
  { key, values }: DerivedRow,
  { within, ...columns }: DerivedTexts,
  replaced: Replaced,
): DerivedRow | null => {
  const found: Replaced = new Map()
  const clean =
    within === undefined
      ? cleanColumns(values, columns, found)
      : Object.fromEntries(Object.entries(values).map(([column, row]) => [column, cleanKept(row, within, found)]))
  if (found.size === 0) return null
  for (const [kind, count] of found) replaced.set(kind, (replaced.get(kind) ?? 0) + count)
  return { key, values: clean }
}

type Values = DerivedRow['values']

const cleanColumns = (values: Values, { texts, json = [], longest = {} }: Columns, found: Replaced): Values =>
  Object.fromEntries(
    Object.entries(values).map(([column, value]) => {
      if (json.includes(column)) return [column, redactJson(value, found)]
      if (!texts.includes(column) || typeof value !== 'string') return [column, value]
      return [column, redact(value, found).slice(0, longest[column])]
    }),
  )

/** A row as a change keeps it; null for one that was not there. */
const cleanKept = (row: unknown, columns: Columns, found: Replaced): Values | null => {
  if (typeof row !== 'object' || row === null) return null
  const values = cleanColumns({ ...row }, columns, found)
  const isRewritten = 'text_hash' in values && 'text' in row && values.text !== row.text
  return isRewritten ? { ...values, text_hash: `\\x${textHash(String(values.text))}` } : values
}
