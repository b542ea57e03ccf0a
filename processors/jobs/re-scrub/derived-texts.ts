import type { Transaction } from '../../../infra/postgres/port.ts'
import { versionOf } from '../../../model/signals/content-version.ts'
import { textHash } from '../../../model/signals/normalize.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { type Replaced, redact } from '../../steps/scrub/redact.ts'
import { redactJson } from '../../steps/scrub/scrub.ts'

/** Columns of a table with texts that were derived from signals, or that a sender wrote beside them. */
export interface DerivedTexts {
  readonly table: string
  /** Columns that identify a row of a workspace, with their types, in reading order. */
  readonly key: readonly (readonly [column: string, type: 'uuid' | 'integer' | 'bigint' | 'text'])[]
  readonly texts: readonly string[]
  /** Columns of JSON. */
  readonly json?: readonly string[]
  /** Filter of the rows: texts that people wrote are left out. */
  readonly where?: string
  /** Length limits of columns, in characters. */
  readonly longest?: Readonly<Record<string, number>>
  /** Rows of a slice, for tables with long rows. */
  readonly rows?: number
  /** For columns that hold rows of another table: the columns to clean in those rows. */
  readonly within?: Columns
}

type Columns = Pick<DerivedTexts, 'texts' | 'json' | 'longest'>

const TEXTS_OF_A_SIGNAL = [
  'text',
  'event',
  'source',
  'source_url',
  'actor_name',
  'actor_email',
  'cut_signature',
  'cut_quoted',
  'cut_footer',
]

/** A judge's reason may quote signals. */
const OWN_TEXTS: readonly DerivedTexts[] = [
  {
    table: 'occurrences',
    key: [
      ['signal_id', 'uuid'],
      ['id', 'uuid'],
    ],
    texts: TEXTS_OF_A_SIGNAL,
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
      // A merge moves evidence to another claim. It never changes the signal, which comes first in the key.
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
  { table: 'themes', key: [['number', 'integer']], texts: ['name'], longest: { name: 200 } },
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
  texts: TEXTS_OF_A_SIGNAL,
  json: ['metadata'],
}

/**
 * Copies of these columns in changes, so that no undo restores removed data. All authors' rows are cleaned: an update
 * keeps only columns that differ, without their author.
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

/** Copies of edited rows in imports. */
const EDITED_TEXTS: DerivedTexts = {
  table: 'imported_edits',
  key: [
    ['transfer_id', 'uuid'],
    ['signal_id', 'uuid'],
  ],
  texts: [],
  json: ['was'],
  rows: 50,
  within: { texts: TEXTS_OF_A_SIGNAL, json: ['metadata', 'titles'] },
}

export const DERIVED_TEXTS: readonly DerivedTexts[] = [...OWN_TEXTS, ...KEPT_TEXTS, EDITED_TEXTS]

export interface DerivedRow {
  readonly key: readonly string[]
  readonly values: Readonly<Record<string, unknown>>
  readonly version: string
}

/** Statements of a table. Only column names go into them. */
const statementsOf = ({ table, key, texts, json = [], where = 'true' }: DerivedTexts) => {
  const names = key.map(([column]) => column)
  const values = [...texts, ...json]
  const places = key.map(([, type], index) => `($2::text[])[${index + 1}]::${type}`)
  const typedKey = key.map(([name, type]) => `${name} ${type}`)
  const sameKey = (other: string) => names.map(name => `${table}.${name} = ${other}.${name}`).join(' and ')
  const written = `jsonb_build_object(${values.map(name => `'${name}', ${table}.${name}`)})`
  const version = versionOf(written)
  const wanted = `workspace_id = $1 and ${where} and ($2::text[] is null or (${names}) > (${places}))`
  return {
    // A page ends where its texts get long, but has at least one row.
    read: `
      with page as materialized (
        select array[${names.map(name => `${name}::text`)}] as key, ${version} as version, ${written} as values,
          row_number() over (order by ${names}) as place
        from ${table} where ${wanted} order by ${names} limit $3
      ), measured as (
        select *, sum(length(values::text)) over (order by place) as characters from page
      )
      select key, version, values from measured where characters <= $4 or place = 1 order by place`,
    hold: `
      select seen.place from ${table}
      join json_to_recordset($2::json) as seen (${[...typedKey, 'version text', 'place integer']}) on ${sameKey('seen')}
      where ${table}.workspace_id = $1 and ${version} = seen.version
      order by ${names.map(name => `${table}.${name}`)} for update of ${table}`,
    count: `select count(*)::int as count from ${table} where ${wanted}`,
    write: `
      update ${table} set ${values.map(name => `${name} = clean.${name}`)}
      from json_to_recordset($2::json) as clean
        (${[...typedKey, ...texts.map(name => `${name} text`), ...json.map(name => `${name} jsonb`)]})
      where ${table}.workspace_id = $1 and ${sameKey('clean')}`,
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

/** The next rows behind a key, limited by their number and by the length of their texts. */
export const readDerived = (
  transaction: Transaction,
  derived: DerivedTexts,
  workspaceId: WorkspaceId,
  after: readonly string[] | null,
  most: { readonly rows: number; readonly characters: number },
): Promise<readonly DerivedRow[]> =>
  transaction.query<DerivedRow>(statements(derived).read, [workspaceId, after, most.rows, most.characters])

/** Stores the rows that nobody has changed since they were read, and answers them. */
export const writeDerived = async (
  transaction: Transaction,
  derived: DerivedTexts,
  workspaceId: WorkspaceId,
  rows: readonly DerivedRow[],
): Promise<readonly DerivedRow[]> => {
  if (rows.length === 0) return []
  const keyOf = ({ key }: DerivedRow) => Object.fromEntries(derived.key.map(([name], index) => [name, key[index]]))
  const { hold, write } = statements(derived)
  const seen = rows.map((row, place) => ({ ...keyOf(row), version: row.version, place }))
  const held = await transaction.query<{ place: number }>(hold, [workspaceId, JSON.stringify(seen)])
  const unchanged = held.flatMap(({ place }) => rows[place] ?? [])
  const written = unchanged.map(row => ({ ...keyOf(row), ...row.values }))
  if (written.length > 0) await transaction.query(write, [workspaceId, JSON.stringify(written)])
  return unchanged
}

/** The row without personal data; null when nothing was found. Adds the replacements to `replaced`. */
export const cleanRow = (
  { values, ...row }: DerivedRow,
  { within, ...columns }: DerivedTexts,
  replaced: Replaced,
): DerivedRow | null => {
  const found: Replaced = new Map()
  const clean =
    within === undefined
      ? cleanColumns(values, columns, found)
      : Object.fromEntries(Object.entries(values).map(([column, kept]) => [column, cleanKept(kept, within, found)]))
  if (found.size === 0) return null
  for (const [kind, count] of found) replaced.set(kind, (replaced.get(kind) ?? 0) + count)
  return { ...row, values: clean }
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

/** A row in a change without personal data; null when there was no row. */
const cleanKept = (row: unknown, columns: Columns, found: Replaced): Values | null => {
  if (typeof row !== 'object' || row === null) return null
  const values = cleanColumns({ ...row }, columns, found)
  const isRewritten = 'text_hash' in values && 'text' in row && values.text !== row.text
  return isRewritten ? { ...values, text_hash: `\\x${textHash(String(values.text))}` } : values
}
