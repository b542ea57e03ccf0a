import { createHash } from 'node:crypto'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { OfErasure } from './erasures.ts'
import { everyTitleOf } from './reworded-claims.ts'
import { TABLES_WITH_WORDS, type Words } from './tables.ts'
import { columnsOf, ERASED } from './words.ts'

const SENTENCES = new Intl.Segmenter(undefined, { granularity: 'sentence' })
/** Many people say the same shorter sentence. */
const LEAST_CHARACTERS = 25
/** Characters of a text that are read: quotes are mostly from the beginning. */
const READ_CHARACTERS = 10_000
/** Signs around a quote inside of a sentence. */
const INNER = /["“”„«»]|:\s/u
const AROUND = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu

/** The first eight bytes of a sentence's hash, in PostgreSQL's format; null for a sentence that is too short. */
const hashOf = (sentence: string): string | null => {
  const said = sentence.replace(/\s+/gu, ' ').toLowerCase()
  if (said.length < LEAST_CHARACTERS) return null
  return createHash('sha256').update(said).digest().readBigInt64BE().toString()
}

interface Sentence {
  readonly text: string
  readonly hash: string
}

/** Sentences of a text, without the signs of quotes and lists. */
const sentencesOf = (text: string): readonly Sentence[] =>
  text
    .split(/\n+/u)
    .flatMap(line => [line, ...line.split(INNER)])
    .flatMap(part => Array.from(SENTENCES.segment(part), ({ segment }) => segment.replace(AROUND, '')))
    .flatMap(sentence => {
      const hash = hashOf(sentence)
      return hash === null ? [] : [{ text: sentence, hash }]
    })

const STORE = `
  insert into erasure_quotes (workspace_id, erasure_id, hash) select $1, $2, hash from unnest($3::bigint[]) as hash
  on conflict do nothing`

/** Stores hashes of these texts' sentences until the erasure is done. */
export const rememberSentences = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  erasureId: string,
  texts: readonly string[],
): Promise<void> => {
  const said = texts.flatMap(text => [text.slice(0, READ_CHARACTERS), ...everyTitleOf(text)])
  const hashes = new Set(said.flatMap(text => sentencesOf(text).map(({ hash }) => hash)))
  if (hashes.size > 0) await transaction.query(STORE, [workspaceId, erasureId, [...hashes]])
}

/** Tables with words in which no sentences are searched, with the reason. */
export const WITHOUT_QUOTES: Readonly<Record<string, string>> = {
  actor_weights: 'What senders call themselves.',
  handoff_proposals: 'What a code host calls its branches.',
  jobs: 'What a job does, in our words.',
  transfers: 'What a file is called, and how it was read.',
  test_signals: 'Tests, which are not in what is erased.',
  outbox: 'It goes to the log within seconds.',
}

/**
 * Tables with people's texts that may quote: all tables with words, without those above. A title may be a whole
 * sentence, or the beginning of one as in a claim; saved JSON has such titles inside.
 */
export const TABLES_THAT_QUOTE = TABLES_WITH_WORDS.filter(([table]) => !Object.hasOwn(WITHOUT_QUOTES, table))

interface Reading {
  /** Column of the reading order; several rows may share a value. */
  readonly by: string
  readonly type: 'bigint' | 'uuid'
  readonly where: string
}

const BY_ID: Reading = { by: 'id', type: 'uuid', where: 'true' }
/** How tables are read that have no `id` of type UUID. */
const READINGS: Readonly<Record<string, Reading>> = {
  changed_rows: { ...BY_ID, type: 'bigint' },
  decision_objects: { ...BY_ID, type: 'bigint' },
  imported_edits: { by: 'signal_id', type: 'uuid', where: 'true' },
  // Evidence of `cluster` has a reason of our own.
  claim_evidence: { by: 'signal_id', type: 'uuid', where: `attached_by <> 'cluster'` },
}

/** Columns with their types, for reading the rewritten row. */
const typedColumns = ({ texts, json = [], lists = [] }: Words): string =>
  [
    ...Object.keys(texts).map(column => `${column} text`),
    ...json.map(column => `${column} jsonb`),
    ...lists.map(column => `${column} text[]`),
  ].join(', ')

const ANY = 'select from erasure_quotes where erasure_id = $1 limit 1'
const KNOWN = 'select hash::text as hash from erasure_quotes where erasure_id = $1 and hash = any ($2::bigint[])'

export const hasQuotes = async (transaction: Transaction, erasureId: string): Promise<boolean> =>
  (await transaction.query(ANY, [erasureId])).length > 0

interface Row {
  readonly at: string
  /** Physical position of the row (`ctid`), which the transaction's lock keeps valid. */
  readonly place: string
  readonly values: Readonly<Record<string, unknown>>
}

/** All strings of a JSON value. */
const stringsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsOf)
}

const withStrings = (value: unknown, rewrite: (text: string) => string): unknown => {
  if (typeof value === 'string') return rewrite(value)
  if (Array.isArray(value)) return value.map(each => withStrings(each, rewrite))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withStrings(each, rewrite)]))
}

/**
 * Masks erased sentences where people quote them, in the next rows of a table behind `after`. Answers the number of
 * changed rows, and the last row read; null at the end.
 */
export const maskQuotes = async (
  transaction: Transaction,
  { workspaceId, erasureId }: OfErasure,
  [table, words]: (typeof TABLES_THAT_QUOTE)[number],
  after: string | null,
  most: number,
): Promise<{ readonly changed: number; readonly last: string | null }> => {
  const columns = columnsOf(words)
  const { by, type, where } = READINGS[table] ?? BY_ID
  const rows = await transaction.query<Row>(
    `select ${by}::text as at, ctid::text as place, jsonb_build_object(${columns.map(column => `'${column}', ${column}`)}) as values
     from ${table} where workspace_id = $1 and ${where} and ($2::${type} is null or ${by} > $2::${type})
     order by ${table}.${by} fetch first $3 rows with ties for update`,
    [workspaceId, after, most],
  )
  const hashes = rows.flatMap(({ values }) =>
    stringsOf(values).flatMap(text => sentencesOf(text).map(({ hash }) => hash)),
  )
  const known = new Set(
    hashes.length === 0
      ? []
      : (await transaction.query<{ hash: string }>(KNOWN, [erasureId, hashes])).map(({ hash }) => hash),
  )
  const rewrite = (text: string): string =>
    sentencesOf(text)
      .filter(({ hash }) => known.has(hash))
      .reduce((rest, sentence) => rest.replace(sentence.text, () => ERASED), text)
  const read = known.size === 0 ? [] : rows
  const changed = read.flatMap(({ place, values }) => {
    const clean = withStrings(values, rewrite)
    return JSON.stringify(clean) === JSON.stringify(values) ? [] : [{ place, values: clean }]
  })
  if (changed.length > 0) {
    await transaction.query(
      `update ${table} set ${columns.map(column => `${column} = clean.${column}`).join(', ')}
       from jsonb_to_recordset($2::jsonb) as changed (place tid, values jsonb),
         jsonb_to_record(changed.values) as clean (${typedColumns(words)})
       where workspace_id = $1 and ${table}.ctid = changed.place`,
      [workspaceId, JSON.stringify(changed)],
    )
  }
  return { changed: changed.length, last: rows.length < most ? null : (rows.at(-1)?.at ?? null) }
}
