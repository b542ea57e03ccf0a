import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, SourceId, TenantId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { ActorRole, Channel, SignalOrigin } from '../../schemas/domain/vocabulary.ts'
import { bareSignal, type Content, type Cuts, type SignalRecord } from '../../schemas/events/signal.ts'
import { textHash } from '../signals/normalize.ts'

// Each way through the pipeline has a new replay number, because a replay makes new events.
const TAKE_OUT = `
  insert into taken_out_repeats as known (id, workspace_id, original_id, replay, taken_out_at)
  select id, workspace_id, signal_id,
    1 + coalesce((select max(replay) from dead_letters where dead_letters.signal_id = occurrences.id), 0), $2
  from occurrences where id = $1
  on conflict (id) do update set original_id = excluded.original_id, in_force = true,
    replay = greatest(known.replay + 1, excluded.replay), taken_out_at = excluded.taken_out_at, sent_at = null`

/**
 * Takes a repeat out: dedup and insert no longer skip it. It counts with its original until it has a row of its own.
 * Needs the lock of the workspace's signals, and a job that sends it.
 */
export const takeOut = async (transaction: Transaction, id: SignalId, at: Date): Promise<void> => {
  await transaction.query(TAKE_OUT, [id, at])
}

const PUT_BACK = `update taken_out_repeats set in_force = false where id = $1`

/** Undoes that a repeat was taken out. A repeat that is still in the pipeline is skipped again. Needs the same lock. */
export const putBack = async (transaction: Transaction, id: SignalId): Promise<void> => {
  await transaction.query(PUT_BACK, [id])
}

/**
 * A set of ids: signals that were taken out and are repeats again. They have rows, but are listed with their originals
 * alone.
 */
export const REPEATS_AGAIN =
  '(select taken_out_repeats.id from taken_out_repeats join occurrences using (id) where not in_force)'

const REMOVE = `delete from occurrences where id = any ($1::uuid[]) and reason <> 'member'`

/** Removes the occurrences of signals whose rows the caller inserts in this transaction. Needs the same lock. */
export const removeTakenOut = async (transaction: Transaction, ids: readonly SignalId[]): Promise<void> => {
  if (ids.length > 0) await transaction.query(REMOVE, [ids])
}

// A repeat that is sent twice is stored once. A repeat that has a row already, as in an imported workspace, is left
// out.
const TO_SEND = `
  select taken_out_repeats.id, replay, occurrences.workspace_id, tenant_id, source_id, channel, text, event, source, source_url, actor_name,
    actor_email, actor_key, signal_origin, actor_role, metadata,
    cut_signature, cut_quoted, cut_footer, cut_omitted, occurred_at, received_at
  from taken_out_repeats
    join occurrences using (id)
    join workspaces on workspaces.id = occurrences.workspace_id
  where taken_out_repeats.workspace_id = $1 and in_force and sent_at is null and text is not null
  order by taken_out_repeats.id
  limit $2`

interface TakenOutRow
  extends Pick<
      Content,
      | 'text'
      | 'event'
      | 'source'
      | 'source_url'
      | 'actor_name'
      | 'actor_email'
      | 'actor_key'
      | 'signal_origin'
      | 'actor_role'
    >,
    Cuts {
  readonly id: SignalId
  readonly replay: number
  readonly workspace_id: WorkspaceId
  readonly tenant_id: TenantId
  readonly source_id: SourceId | null
  readonly channel: Channel
  readonly signal_origin: SignalOrigin
  readonly actor_role: ActorRole
  readonly metadata: unknown
  readonly occurred_at: Date
  readonly received_at: Date
}

/** A repeat that was taken out, as a scrubbed record. */
export interface TakenOut {
  readonly signal: SignalRecord & { readonly content: Content }
  /** Replay number of the record. */
  readonly replay: number
}

/** The next repeats to send. */
export const nextTakenOut = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  most: number,
): Promise<readonly TakenOut[]> =>
  (await transaction.query<TakenOutRow>(TO_SEND, [workspaceId, most])).map(row => ({
    signal: signalOf(row),
    replay: row.replay,
  }))

const signalOf = ({ id, replay: _, metadata, occurred_at, received_at, ...row }: TakenOutRow) => {
  const { workspace_id, tenant_id, source_id, channel, ...said } = row
  return {
    ...bareSignal({
      signal_id: id,
      tenant_id,
      workspace_id,
      source_id,
      channel,
      received_at: received_at.getTime(),
    }),
    content: {
      ...said,
      text_hash: textHash(said.text),
      occurred_at: occurred_at.getTime(),
      metadata: JSON.stringify(metadata ?? {}),
    },
    scrubbed: { version: 'stored', replaced: {} },
  }
}

const SENT = `update taken_out_repeats set sent_at = $2 where id = any ($1::uuid[]) and sent_at is null`

export const markSent = async (transaction: Transaction, ids: readonly SignalId[], at: Date): Promise<void> => {
  await transaction.query(SENT, [ids, at])
}
