import type { Transaction } from '../../../infra/postgres/port.ts'
import { keyedSignalId, type SignalId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { Pseudonym } from '../../erasures/tombstones.ts'
import { textHash } from '../../signals/normalize.ts'
import type { Transfer } from '../transfers.ts'
import type { SignalReading } from './read-signal.ts'

type SignalRow = Extract<SignalReading, { readonly kind: 'signal' }>

const lowered = (value: string | undefined): string => (value ?? '').trim().toLowerCase()

/**
 * Id of a row's signal: equal for the same row in any file and on any line. A column with row ids identifies rows
 * together with the source; without one the text, the sender and the time do.
 */
const signalIdOfRow = (workspaceId: WorkspaceId, { body, rowId, occurredAt }: SignalRow): SignalId => {
  if (rowId !== null) return keyedSignalId(workspaceId, 'imported row', lowered(body.source), rowId)
  const writer = [lowered(body.actor_name), lowered(body.actor_email)].join('\n')
  return keyedSignalId(workspaceId, 'imported words', textHash(body.text), writer, String(occurredAt ?? ''))
}

/** 64 bits of a hash: among a million texts two have the same once in forty million files. */
export const shortHash = (text: string): string =>
  BigInt.asIntN(64, BigInt(`0x${textHash(text).slice(0, 16)}`)).toString()

/**
 * A row's content as keyed hashes, which show nothing of what scrub removes. Null for a row without an id, which its
 * content identifies.
 */
const contentOfRow = ({ body, rowId }: SignalRow, pseudonym: Pseudonym) => {
  if (rowId === null) return { words: null, others: null }
  const { event, source, source_url, actor_name, actor_email } = body
  const metadata = Object.entries(body.metadata ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const others = [event, source, source_url, actor_name, actor_email, metadata]
  return {
    words: shortHash(pseudonym(`imported words ${body.text}`)),
    others: shortHash(pseudonym(`imported others ${JSON.stringify(others)}`)),
  }
}

/** A record of a file as a signal. */
export interface ImportedRow {
  readonly line: number
  readonly id: SignalId
  readonly body: SignalRow['body']
  readonly words: string | null
  readonly others: string | null
  /**
   * `again`: an earlier line of the file is the same row. For rows of an earlier import: `known` when the content is
   * equal, else `changed`.
   */
  readonly is: 'new' | 'again' | 'known' | 'changed'
  /** True when the text of a changed row differs. */
  readonly isReworded: boolean
  /** Number of its signal; null without one. */
  readonly number: number | null
}

// Each row is looked up by itself: in a join the planner may read the whole table for each row while its statistics
// call the table small, and a file has thousands of rows.
const KNOWN = `
  select given.id, named.number,
    coalesce(kept.words <> given.words, false) as is_reworded,
    coalesce((kept.words, kept.others) <> (given.words, given.others), false) as is_changed
  from unnest($2::uuid[], $3::bigint[], $4::bigint[]) as given (id, words, others)
  cross join lateral (
    select workspace_id, words, others from imported_rows where imported_rows.signal_id = given.id offset 0) as kept
  left join lateral (select number from signals where signals.id = given.id offset 0) as named on true
  where kept.workspace_id = $1`

interface KnownRow {
  readonly id: SignalId
  readonly number: number | null
  readonly is_reworded: boolean
  readonly is_changed: boolean
}

/** The signals among a file's records, with their state. A repetition answers the same. */
export const findRows = async (
  transaction: Transaction,
  transfer: Pick<Transfer, 'id' | 'workspace_id'>,
  records: readonly { readonly line: number; readonly reading: SignalReading }[],
  pseudonym: Pseudonym,
): Promise<readonly ImportedRow[]> => {
  const workspaceId = transfer.workspace_id
  const rows = records.flatMap(({ line, reading }) => {
    if (reading.kind !== 'signal') return []
    return [{ line, id: signalIdOfRow(workspaceId, reading), body: reading.body, ...contentOfRow(reading, pseudonym) }]
  })
  const hashed = rows.map(({ line, id }) => ({ line, hash: shortHash(`row ${id}`) }))
  const again = new Set(await linesAgain(transaction, transfer, hashed))
  const found = await transaction.query<KnownRow>(KNOWN, [
    workspaceId,
    rows.map(({ id }) => id),
    rows.map(({ words }) => words),
    rows.map(({ others }) => others),
  ])
  const knownOf = new Map(found.map(row => [row.id, row]))
  return rows.map(row => {
    const known = knownOf.get(row.id)
    const is = again.has(row.line) ? 'again' : known === undefined ? 'new' : known.is_changed ? 'changed' : 'known'
    return { ...row, is, isReworded: known?.is_reworded === true, number: known?.number ?? null }
  })
}

const ADD = `
  insert into transfer_texts (workspace_id, transfer_id, hash, line)
  select $1, $2, hash, min(line) from unnest($3::bigint[], $4::integer[]) as given (hash, line) group by hash
  on conflict (transfer_id, hash) do nothing`

const REPEATED = `
  select given.line from unnest($2::bigint[], $3::integer[]) as given (hash, line)
  cross join lateral (
    select line from transfer_texts where transfer_id = $1 and transfer_texts.hash = given.hash offset 0) as first
  where first.line <> given.line
  order by given.line`

/** Lines whose hash an earlier line of the file has. */
export const linesAgain = async (
  transaction: Transaction,
  { id, workspace_id }: Pick<Transfer, 'id' | 'workspace_id'>,
  hashed: readonly { readonly line: number; readonly hash: string }[],
): Promise<readonly number[]> => {
  const [hashes, lines] = [hashed.map(({ hash }) => hash), hashed.map(({ line }) => line)]
  await transaction.query(ADD, [workspace_id, id, hashes, lines])
  return (await transaction.query<{ line: number }>(REPEATED, [id, hashes, lines])).map(({ line }) => line)
}

// Rows that an earlier version stored without hashes get them at the next import.
const NOTE = `
  insert into imported_rows (signal_id, workspace_id, transfer_id, words, others)
  select id, $1, $2, words, others from unnest($3::uuid[], $4::bigint[], $5::bigint[]) as given (id, words, others)
  on conflict (signal_id) do update set words = excluded.words, others = excluded.others
  where (imported_rows.words, imported_rows.others) is distinct from (excluded.words, excluded.others)`

/**
 * Stores the rows' hashes after the rows were sent or edited: rows of an import that ends before this are sent again by
 * the next import.
 */
export const noteRows = async (
  transaction: Transaction,
  transfer: Pick<Transfer, 'id' | 'workspace_id'>,
  rows: readonly Pick<ImportedRow, 'id' | 'words' | 'others'>[],
): Promise<void> => {
  await transaction.query(NOTE, [
    transfer.workspace_id,
    transfer.id,
    rows.map(({ id }) => id),
    rows.map(({ words }) => words),
    rows.map(({ others }) => others),
  ])
}
