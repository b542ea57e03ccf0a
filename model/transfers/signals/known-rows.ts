import type { Transaction } from '../../../infra/postgres/port.ts'
import { keyedSignalId, type SignalId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { Pseudonym } from '../../erasures/marks.ts'
import { textHash } from '../../signals/normalize.ts'
import type { Transfer } from '../transfers.ts'
import type { SignalReading } from './read-signal.ts'

type SignalRow = Extract<SignalReading, { readonly kind: 'signal' }>

const lowered = (value: string | undefined): string => (value ?? '').trim().toLowerCase()

/**
 * The id of a row's signal: the same for the same row in whatever file and on whatever line it stands. Where the file
 * has a column that names its rows, that and the source tell them apart; else the words, who said them, and when.
 */
const signalIdOfRow = (workspaceId: WorkspaceId, { body, rowId, occurredAt }: SignalRow): SignalId => {
  if (rowId !== null) return keyedSignalId(workspaceId, 'imported row', lowered(body.source), rowId)
  const writer = [lowered(body.actor_name), lowered(body.actor_email)].join('\n')
  return keyedSignalId(workspaceId, 'imported words', textHash(body.text), writer, String(occurredAt ?? ''))
}

/** Of a million texts, two have the same by chance once in forty million files. */
export const shortHash = (text: string): string =>
  BigInt.asIntN(64, BigInt(`0x${textHash(text).slice(0, 16)}`)).toString()

/**
 * What a row says, as keyed hashes: whoever reads them learns nothing of what scrub takes away. Null of a row that
 * nothing names, as its words are what it is known by.
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

/** A record of a file as the signal that it is. */
export interface ImportedRow {
  readonly line: number
  readonly id: SignalId
  readonly body: SignalRow['body']
  readonly words: string | null
  readonly others: string | null
  /**
   * `again`: an earlier line of the file is the same row. Of an earlier import: `known` where it says the same now,
   * else `changed`.
   */
  readonly is: 'new' | 'again' | 'known' | 'changed'
  /** Of one that has changed: whether its text has. */
  readonly isReworded: boolean
  /** That of its signal, where it has one. */
  readonly number: number | null
}

const KNOWN = `
  select signal_id as id, signals.number,
    coalesce(imported_rows.words <> given.words, false) as is_reworded,
    coalesce((imported_rows.words, imported_rows.others) <> (given.words, given.others), false) as is_changed
  from unnest($2::uuid[], $3::bigint[], $4::bigint[]) as given (id, words, others)
  join imported_rows on imported_rows.signal_id = given.id
  left join signals on signals.id = given.id
  where imported_rows.workspace_id = $1`

interface KnownRow {
  readonly id: SignalId
  readonly number: number | null
  readonly is_reworded: boolean
  readonly is_changed: boolean
}

/** The signals among the records of a file, and whether each is here. Done again, it answers the same. */
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
  join transfer_texts on transfer_id = $1 and transfer_texts.hash = given.hash
  where transfer_texts.line <> given.line
  order by given.line`

/** The lines of hashes that an earlier line of the file has. */
export const linesAgain = async (
  transaction: Transaction,
  { id, workspace_id }: Pick<Transfer, 'id' | 'workspace_id'>,
  hashed: readonly { readonly line: number; readonly hash: string }[],
): Promise<readonly number[]> => {
  const [hashes, lines] = [hashed.map(({ hash }) => hash), hashed.map(({ line }) => line)]
  await transaction.query(ADD, [workspace_id, id, hashes, lines])
  return (await transaction.query<{ line: number }>(REPEATED, [id, hashes, lines])).map(({ line }) => line)
}

// What an earlier version noted without its words gets them with the next import.
const NOTE = `
  insert into imported_rows (signal_id, workspace_id, transfer_id, words, others)
  select id, $1, $2, words, others from unnest($3::uuid[], $4::bigint[], $5::bigint[]) as given (id, words, others)
  on conflict (signal_id) do update set words = excluded.words, others = excluded.others
  where (imported_rows.words, imported_rows.others) is distinct from (excluded.words, excluded.others)`

/**
 * Notes what rows say once they are on their way, or are edited: what an import sends that ends before this is sent
 * again by the next.
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
