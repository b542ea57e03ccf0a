import type { Transaction } from '../../infra/postgres/port.ts'
import { withinRemainingCpu } from '../../infra/runtime/cpu-budget.ts'
import type { SignalId } from '../../schemas/domain/ids.ts'
import type { Content, SignalRecord } from '../../schemas/events/signal.ts'
import type { DuplicateReason } from './stored-states.ts'

// A signal that a person marked as a repeat counts with its original, and so do its own repeats.
const INSERT_OCCURRENCES = `
  insert into occurrences (
    id, workspace_id, signal_id, reason, similarity, source_id, channel, text, event, source, source_url, actor_name,
    actor_email, actor_key, signal_origin, actor_role, metadata,
    cut_signature, cut_quoted, cut_footer, cut_omitted, occurred_at, received_at)
  select
    added.id, added.workspace_id,
    coalesce(
      (select said.signal_id from occurrences as said where said.id = added.signal_id and said.workspace_id = added.workspace_id),
      added.signal_id),
    added.reason, added.similarity, added.source_id, added.channel, added.text, added.event, added.source, added.source_url,
    added.actor_name, added.actor_email, added.actor_key, added.signal_origin, added.actor_role, added.metadata::jsonb,
    added.cut_signature, added.cut_quoted, added.cut_footer, added.cut_omitted, added.occurred_at, added.received_at
  from json_to_recordset($1::json) as added (
    id uuid, workspace_id uuid, signal_id uuid, reason text, similarity real, source_id uuid, channel text, text text,
    event text, source text, source_url text, actor_name text, actor_email text, actor_key text, signal_origin text,
    actor_role text, metadata text,
    cut_signature text, cut_quoted text, cut_footer text, cut_omitted integer, occurred_at timestamptz, received_at timestamptz)
  where not exists (select from signals where signals.id = added.id)
  on conflict (id) do nothing`

const READ_OCCURRENCES = `select id, signal_id, reason from occurrences where id = any ($1::uuid[])`

export interface Occurrence {
  readonly signal: Pick<SignalRecord, 'signal_id' | 'workspace_id' | 'source_id' | 'channel' | 'received_at'> & {
    readonly content: Content
  }
  readonly of: SignalId
  readonly reason: DuplicateReason
  readonly similarity: number
}

/**
 * Stores repeats with their texts under their own ids. Answers the original of each id; a repeat that was stored before
 * keeps its earlier original. An id that is stored as a signal is left out. Needs the lock of the workspaces.
 */
export const recordOccurrences = async (
  transaction: Transaction,
  occurrences: readonly Occurrence[],
): Promise<ReadonlyMap<SignalId, { readonly of: SignalId; readonly reason: DuplicateReason }>> => {
  if (occurrences.length === 0) return new Map()
  const [, rows] = await Promise.all([
    transaction.query(INSERT_OCCURRENCES, [withinRemainingCpu(() => JSON.stringify(occurrences.map(toRow)))]),
    transaction.query<{ id: SignalId; signal_id: SignalId; reason: DuplicateReason }>(READ_OCCURRENCES, [
      occurrences.map(({ signal }) => signal.signal_id),
    ]),
  ])
  return new Map(rows.map(row => [row.id, { of: row.signal_id, reason: row.reason }]))
}

const toRow = ({ signal, of, reason, similarity }: Occurrence) => ({
  id: signal.signal_id,
  workspace_id: signal.workspace_id,
  signal_id: of,
  reason,
  similarity,
  source_id: signal.source_id,
  channel: signal.channel,
  text: signal.content.text,
  event: signal.content.event,
  source: signal.content.source,
  source_url: signal.content.source_url,
  actor_name: signal.content.actor_name,
  actor_email: signal.content.actor_email,
  actor_key: signal.content.actor_key,
  signal_origin: signal.content.signal_origin,
  actor_role: signal.content.actor_role,
  metadata: signal.content.metadata,
  cut_signature: signal.content.cut_signature,
  cut_quoted: signal.content.cut_quoted,
  cut_footer: signal.content.cut_footer,
  cut_omitted: signal.content.cut_omitted,
  occurred_at: new Date(signal.content.occurred_at ?? signal.received_at),
  received_at: new Date(signal.received_at),
})

// A repeat's own repeats move to the original.
const MOVE = `
  update occurrences set signal_id = $2
  where signal_id = $1 and ($3::uuid[] is null or id = any ($3))
  returning id`

// A model that both have a vector of; it is missing only while a job changes the vectors.
const MARK = `
  insert into occurrences (
    id, workspace_id, signal_id, reason, similarity, source_id, channel, source, source_url, actor_name, actor_key,
    signal_origin, actor_role, occurred_at, received_at)
  select id, workspace_id, $2, 'member',
    coalesce(
      (select 1 - (own.embedding <=> other.embedding)
        from signal_vectors own join signal_vectors other using (model)
        where own.signal_id = signals.id and other.signal_id = $2 limit 1), 0),
    source_id, channel, source, source_url, actor_name, actor_key, signal_origin, actor_role, occurred_at, received_at
  from signals where id = $1`

const UNMARK = `delete from occurrences where id = $1 and reason = 'member' returning signal_id`

const ORIGINAL = `select signal_id from occurrences where id = $1`

/** The original of a Signal that a person marked as a repeat; undefined for any other. */
export const findMarkedOriginal = async (transaction: Transaction, id: SignalId): Promise<SignalId | undefined> =>
  (await transaction.query<{ signal_id: SignalId }>(ORIGINAL, [id]))[0]?.signal_id

const REPEATS = `
  select id from occurrences join signals using (id) where id = any ($1::uuid[]) order by number limit 1`

/** The oldest Signal that was marked as a repeat; undefined without one. */
export const firstMarkedDuplicate = async (
  transaction: Transaction,
  ids: readonly SignalId[],
): Promise<{ readonly id: SignalId } | undefined> => (await transaction.query<{ id: SignalId }>(REPEATS, [ids]))[0]

/**
 * Makes a stored Signal, which the caller has dismissed, an occurrence of another, with its repeats. Answers the
 * repeats that moved. Needs the lock of the workspace's signals.
 */
export const markDuplicate = async (
  transaction: Transaction,
  id: SignalId,
  original: SignalId,
): Promise<readonly SignalId[]> => {
  const moved = await transaction.query<{ id: SignalId }>(MOVE, [id, original, null])
  await transaction.query(MARK, [id, original])
  return moved.map(row => row.id)
}

/**
 * Makes a marked Signal stand for itself again, with the repeats that had moved. It stays dismissed. Needs the same
 * lock.
 */
export const unmarkDuplicate = async (
  transaction: Transaction,
  id: SignalId,
  repeats: readonly SignalId[],
): Promise<void> => {
  const [was] = await transaction.query<{ signal_id: SignalId }>(UNMARK, [id])
  if (was !== undefined) await transaction.query(MOVE, [was.signal_id, id, repeats])
}
