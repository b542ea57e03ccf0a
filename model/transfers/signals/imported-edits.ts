import type { Transaction } from '../../../infra/postgres/port.ts'
import type { SignalId, TransferId } from '../../../schemas/domain/ids.ts'
import type { Content } from '../../../schemas/events/signal.ts'
import { CONTENT_VERSION } from '../../signals/content-version.ts'
import type { Transfer } from '../transfers.ts'

/** The fields of a signal or a repeat that an import changes. */
export type RowContent = Pick<
  Content,
  'text' | 'event' | 'source' | 'source_url' | 'actor_name' | 'actor_email' | 'actor_key' | 'metadata'
>

interface Titles {
  /** Titles that its text had given claims, by claim. */
  readonly titles?: Readonly<Record<string, string>>
}

/** An edited signal or repeat before the edit. */
export interface EditedRow {
  readonly id: SignalId
  readonly was: RowContent & Titles
  /** Version of its content. */
  readonly version: string
}

export type EditedPlace = 'signals' | 'occurrences'

// A repeated slice finds rows that it has edited itself: the content before the first edit stays stored.
const NOTE = (place: EditedPlace): string => `
  insert into imported_edits (workspace_id, transfer_id, signal_id, was, words, others, before, after)
  select $1, $2, given.id, given.was, words, others, given.version, ${CONTENT_VERSION}
  from jsonb_to_recordset($3::jsonb) as given (id uuid, was jsonb, version text)
  join ${place} on ${place}.id = given.id
  join imported_rows on imported_rows.signal_id = given.id
  on conflict (transfer_id, signal_id) do update set after = excluded.after`

/**
 * Stores the contents of rows before an import edited them, in the transaction of the edits. Another sender's words are
 * not stored, because an erasure finds texts by the row's present sender.
 */
export const noteEdits = async (
  transaction: Transaction,
  { id, workspace_id }: Pick<Transfer, 'id' | 'workspace_id'>,
  place: EditedPlace,
  edited: readonly EditedRow[],
): Promise<void> => {
  const rows = edited.map(({ was, ...rest }) => ({ ...rest, was: { ...was, metadata: JSON.parse(was.metadata) } }))
  if (rows.length > 0) await transaction.query(NOTE(place), [workspace_id, id, JSON.stringify(rows)])
}

interface KeptEdit {
  readonly signal_id: SignalId
  readonly was: Omit<RowContent, 'metadata'> & Titles & { readonly metadata: unknown }
  /** True when the edited row is still as the edit left it. */
  readonly stands: boolean
}

const STANDS = `
  exists (select from signals where id = signal_id and ${CONTENT_VERSION} = imported_edits.after)
  or exists (select from occurrences where occurrences.id = imported_edits.signal_id and ${CONTENT_VERSION} = imported_edits.after)`

const FIND = `
  select signal_id, was, (${STANDS}) as stands from imported_edits
  where transfer_id = $1 and ($2::uuid is null or signal_id > $2) order by signal_id limit $3`

/** The next edits of an import behind a signal. */
export const findEdits = async (
  transaction: Transaction,
  transferId: TransferId,
  after: string | null,
  most: number,
): Promise<readonly KeptEdit[]> => transaction.query<KeptEdit>(FIND, [transferId, after, most])

const COUNT = `
  select count(*) filter (where stands)::integer as edits, count(*) filter (where not stands)::integer as edits_kept
  from (select (${STANDS}) as stands from imported_edits where transfer_id = $1
    and not exists (select from imported_rows where imported_rows.signal_id = imported_edits.signal_id
      and imported_rows.transfer_id = imported_edits.transfer_id)) as kept`

/**
 * Number of an import's edits that would be taken back with it, and of those that stay because something has changed
 * the signal.
 */
export const countEdits = async (
  transaction: Transaction,
  transferId: string,
): Promise<{ readonly edits: number; readonly edits_kept: number }> => {
  const [row] = await transaction.query<{ edits: number; edits_kept: number }>(COUNT, [transferId])
  if (row === undefined) throw new Error('The statement answers a row.')
  return row
}

const LEFT = `
  select exists (select from imported_rows where workspace_id = (select workspace_id from transfers where id = $1) and transfer_id = $1)
    or exists (select from imported_edits where transfer_id = $1 and (${STANDS})) as found`

/** True when rows or edits of an import are left. */
export const leftSomething = async (transaction: Transaction, transferId: string): Promise<boolean> =>
  (await transaction.query<{ found: boolean }>(LEFT, [transferId]))[0]?.found === true

const PUT_BACK = `
  with back as (
    delete from imported_edits where transfer_id = $1 and signal_id = any ($2::uuid[]) returning *
  )
  update imported_rows set words = back.words, others = back.others
  from back where imported_rows.signal_id = back.signal_id`

/** Deletes edits that were taken back, and restores the hashes of their rows, with which the next import compares. */
export const forgetEdits = async (
  transaction: Transaction,
  transferId: TransferId,
  ids: readonly SignalId[],
): Promise<void> => {
  if (ids.length > 0) await transaction.query(PUT_BACK, [transferId, ids])
}

const HAND_ON = `
  with taken_back as (
    delete from imported_edits where transfer_id = $1 and signal_id = any ($2::uuid[]) returning *
  )
  update imported_edits as later
  set was = taken_back.was, words = taken_back.words, others = taken_back.others, before = taken_back.before
  from taken_back
  where later.signal_id = taken_back.signal_id and later.transfer_id <> $1 and later.before = taken_back.after`

/**
 * Deletes edits that stay. When a later import edited the signal again, its stored content becomes the one before both
 * edits.
 */
export const handOnEdits = async (
  transaction: Transaction,
  transferId: TransferId,
  ids: readonly SignalId[],
): Promise<void> => {
  if (ids.length > 0) await transaction.query(HAND_ON, [transferId, ids])
}
