import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { textHash } from '../signals/normalize.ts'
import { TABLES_WITH_WORDS, type Words } from './tables.ts'

/** Placeholder of erased text, in the form of scrub's placeholders. */
export const ERASED = '[ERASED]'

interface Needles {
  /** Names and addresses as people write them. */
  readonly words: readonly string[]
}

/** Shorter names are parts of too many other words. */
export const LEAST_NAME = 3
const NO_NAMES: ReadonlySet<string> = new Set(['null', 'true', 'false'])

/** True when a word can be searched in every text, JSON included. */
export const canBeLookedFor = (word: string): boolean =>
  word.trim().length >= LEAST_NAME && /\p{L}/u.test(word) && !NO_NAMES.has(word.trim().toLowerCase())

/** A line end or tab in JSON that is searched as text; its letter belongs to no word. */
export const JSON_ESCAPE = '\\\\[bfnrt]'
/**
 * Separators of a name's parts. In JSON that is searched as text, a line end is `\
 * `.
 */
const GAP = `(?:[\\s\u00a0]|${JSON_ESCAPE})+`
/** Position behind an escape, where a name begins although a letter is before it. */
const BEHIND_ESCAPE = `(?<=${JSON_ESCAPE})`

const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|]/g, found => `\\${found}`)

/** All spellings, because regular expression engines fold letters beyond ASCII differently. */
const spellings = ({ words }: Needles): readonly string[] => [
  ...new Set(
    words.flatMap(word => {
      const one = word.trim().normalize('NFC')
      const inJson = JSON.stringify(one).slice(1, -1)
      return [one, one.normalize('NFD'), one.toLowerCase(), one.toUpperCase(), inJson].map(each =>
        escaped(each).replace(/\s+/gu, () => GAP),
      )
    }),
  ),
]

/** Pattern for PostgreSQL with the flags `gi`; null without words. */
export const postgresPattern = (needles: Needles): string | null =>
  needles.words.length === 0
    ? null
    : `(?:(?<![[:alnum:]])|${BEHIND_ESCAPE})(?:${spellings(needles).join('|')})(?![[:alnum:]])`

/**
 * Pattern for ClickHouse (RE2). RE2 has no lookaround, so the first and second groups are the neighbouring characters.
 */
export const clickHousePattern = (needles: Needles): string | null =>
  needles.words.length === 0 ? null : `(?i)(^|[^\\p{L}\\p{N}])(?:${spellings(needles).join('|')})($|[^\\p{L}\\p{N}])`

/** Pattern for JavaScript. */
export const scriptPattern = (needles: Needles): RegExp | null =>
  needles.words.length === 0
    ? null
    : new RegExp(`(?:(?<![\\p{L}\\p{N}])|${BEHIND_ESCAPE})(?:${spellings(needles).join('|')})(?![\\p{L}\\p{N}])`, 'giu')

export const columnsOf = ({ texts, json = [], lists = [] }: Words): readonly string[] => [
  ...Object.keys(texts),
  ...json,
  ...lists,
]

export const found = (words: Words): string =>
  columnsOf(words)
    .map(column => `${column}::text ~* $2`)
    .join(' or ')

const masked = (column: string): string => `regexp_replace(${column}::text, $2, '${ERASED}', 'gi')`

const settingsOf = ({ texts, json = [], lists = [] }: Words): string =>
  [
    ...Object.entries(texts).map(([column, most]) =>
      most === null ? `${column} = ${masked(column)}` : `${column} = left(${masked(column)}, ${most})`,
    ),
    ...json.map(column => `${column} = ${masked(column)}::jsonb`),
    ...lists.map(column => `${column} = ${masked(column)}::text[]`),
  ].join(', ')

/** Masks some rows of a table. Masked rows no longer match, so the table is done when none is found. */
const maskOf = (table: string, words: Words): string => `
  with found as (
    select ctid from ${table} where workspace_id = $1 and (${found(words)}) limit $3
  )
  update ${table} set ${settingsOf(words)} where ctid = any (array(select ctid from found)) returning 1`

export const maskWords = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  pattern: string,
  [table, words]: (typeof TABLES_WITH_WORDS)[number],
  most: number,
): Promise<number> => (await transaction.query(maskOf(table, words), [workspaceId, pattern, most])).length

/** Number of rows with the words in each table. Tables without any are left out. */
export const countWords = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  pattern: string,
): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  for (const [table, words] of TABLES_LOOKED_THROUGH) {
    const statement = `select count(*)::integer as rows from ${table} where workspace_id = $1 and (${found(words)})`
    const [row] = await transaction.query<{ rows: number }>(statement, [workspaceId, pattern])
    counts.set(table, row?.rows ?? 0)
  }
  return counts
}

/** Text columns of signals and repeats. The sender's columns are searched separately. */
export const SAID: Words = {
  texts: {
    text: null,
    event: null,
    source: null,
    source_url: null,
    cut_signature: null,
    cut_quoted: null,
    cut_footer: null,
  },
  json: ['metadata'],
}

export const TABLES_LOOKED_THROUGH: readonly (readonly [table: string, words: Words])[] = [
  ['signals', SAID],
  ['occurrences', SAID],
  ...TABLES_WITH_WORDS,
  ['groups', { texts: { name: null } }],
  ['map_nodes', { texts: { name: null } }],
]

interface Said {
  readonly id: SignalId
  readonly number: number
  readonly text: string
  readonly event: string | null
  readonly source: string | null
  readonly source_url: string | null
  readonly metadata: string
  readonly cut_signature: string | null
  readonly cut_quoted: string | null
  readonly cut_footer: string | null
}

const FIND = `
  select id, number, text, event, source, source_url, metadata::text as metadata, cut_signature, cut_quoted, cut_footer
  from signals
  where workspace_id = $1 and number > $2
    and (text ~* $3 or event ~* $3 or source ~* $3 or source_url ~* $3 or metadata::text ~* $3 or cut_signature ~* $3
      or cut_quoted ~* $3 or cut_footer ~* $3)
  order by number limit $4`

/** The next signals of other senders that contain the words. */
export const findSignalsWithWords = (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  after: string | null,
  pattern: string,
  most: number,
): Promise<Said[]> => transaction.query<Said>(FIND, [workspaceId, after ?? '0', pattern, most])

/** The texts with the words masked. */
export const withoutWords = (said: Said, pattern: RegExp): Said => ({
  ...said,
  text: said.text.replace(pattern, ERASED),
  event: said.event?.replace(pattern, ERASED) ?? null,
  source: said.source?.replace(pattern, ERASED) ?? null,
  source_url: said.source_url?.replace(pattern, ERASED) ?? null,
  metadata: said.metadata.replace(pattern, ERASED),
  cut_signature: said.cut_signature?.replace(pattern, ERASED) ?? null,
  cut_quoted: said.cut_quoted?.replace(pattern, ERASED) ?? null,
  cut_footer: said.cut_footer?.replace(pattern, ERASED) ?? null,
})

const WRITE = `
  update signals set text = clean.text, text_hash = decode(clean.text_hash, 'hex'), event = clean.event,
    source = clean.source, source_url = clean.source_url, metadata = clean.metadata::jsonb,
    cut_signature = clean.cut_signature, cut_quoted = clean.cut_quoted, cut_footer = clean.cut_footer
  from json_to_recordset($2::json) as clean (
    id uuid, text text, text_hash text, event text, source text, source_url text, metadata text,
    cut_signature text, cut_quoted text, cut_footer text)
  where signals.workspace_id = $1 and signals.id = clean.id`

export const storeMaskedSignals = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  said: readonly Said[],
): Promise<void> => {
  const rows = said.map(one => ({ ...one, text_hash: textHash(one.text) }))
  await transaction.query(WRITE, [workspaceId, JSON.stringify(rows)])
}
