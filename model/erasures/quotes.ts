import { createHash } from 'node:crypto'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { titlesOf } from '../claims/titles.ts'
import type { OfErasure } from './erasures.ts'
import { TABLES_WITH_WORDS, type Words } from './tables.ts'
import { columnsOf, ERASED } from './words.ts'

const SENTENCES = new Intl.Segmenter(undefined, { granularity: 'sentence' })
/** A shorter sentence is said by many, and is nobody's. */
const LEAST_CHARACTERS = 25
/** Of a longer text what people quote is near its beginning. */
const READ_CHARACTERS = 10_000
/** What stands around a quote within a sentence. */
const INNER = /["“”„«»]|:\s/u
const AROUND = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu

/** The first eight bytes of a sentence's hash as PostgreSQL keeps them; null where it is too short to be anybody's. */
const hashOf = (sentence: string): string | null => {
  const said = sentence.replace(/\s+/gu, ' ').toLowerCase()
  if (said.length < LEAST_CHARACTERS) return null
  return createHash('sha256').update(said).digest().readBigInt64BE().toString()
}

interface Sentence {
  readonly text: string
  readonly hash: string
}

/** The sentences of a text, without what quotes and lists put around them. */
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

/** Remembers what these texts say, until the erasure is done. */
export const rememberSentences = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  erasureId: string,
  texts: readonly string[],
): Promise<void> => {
  const said = texts.flatMap(text => [text.slice(0, READ_CHARACTERS), ...titlesOf(text)])
  const hashes = new Set(said.flatMap(text => sentencesOf(text).map(({ hash }) => hash)))
  if (hashes.size > 0) await transaction.query(STORE, [workspaceId, erasureId, [...hashes]])
}

/** Where nobody quotes, or where nothing is by an id: why no sentences are looked for in a table with words. */
export const WITHOUT_QUOTES: Readonly<Record<string, string>> = {
  actor_weights: 'What senders call themselves.',
  handoff_proposals: 'What a code host calls its branches.',
  jobs: 'What a job does, in our words.',
  transfers: 'What a file is called, and how it was read.',
  test_signals: 'Tests, which are not in what is erased.',
  outbox: 'It goes to the log within seconds.',
}

/**
 * Texts of people that may quote: all that words are looked for in, but for these. A title may be a whole sentence, or
 * the beginning of one as a claim has it; what was saved as JSON has such titles within.
 */
export const TABLES_THAT_QUOTE = TABLES_WITH_WORDS.filter(([table]) => !Object.hasOwn(WITHOUT_QUOTES, table))

interface Reading {
  /** Several rows may share it. */
  readonly by: string
  readonly type: 'bigint' | 'uuid'
  readonly where: string
}

const BY_ID: Reading = { by: 'id', type: 'uuid', where: 'true' }
/** How a table is read, where that is not by its `id`, a UUID. */
const READINGS: Readonly<Record<string, Reading>> = {
  changed_rows: { ...BY_ID, type: 'bigint' },
  decision_objects: { ...BY_ID, type: 'bigint' },
  // A signal for which the pipeline started the claim has a sentence of ours as the reason.
  claim_evidence: { by: 'signal_id', type: 'uuid', where: `attached_by <> 'cluster'` },
}

/** Each column with its type, as the rewritten row is read. */
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
  /** Where it is in the table: the transaction holds it there. */
  readonly place: string
  readonly values: Readonly<Record<string, unknown>>
}

/** The strings of a value of JSON, wherever they are in it. */
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
 * Masks the sentences that the erasure took away where people quote them, in the next rows of a table behind `after`.
 * Answers how many rows were changed, and the last that was read; null at the end.
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
