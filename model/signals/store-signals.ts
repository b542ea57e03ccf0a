import type { Transaction } from '../../infra/postgres/port.ts'
import { withinRemainingCpu } from '../../infra/runtime/cpu-budget.ts'
import { fromVectorBytes, toVectorBatch, vectorOf } from '../../infra/vectors.ts'
import { termsOf } from '../../infra/word-index/terms.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { storeTerms } from '../words/stored-terms.ts'

// A node that was deleted since the anchor step becomes null.
const INSERT_SIGNALS = `
  insert into signals (
    id, workspace_id, number, source_id, channel, text, text_hash, event, source, source_url, actor_name, actor_email,
    actor_key, signal_origin, actor_role, metadata, cut_signature, cut_quoted, cut_footer, cut_omitted, occurred_at,
    received_at, classification, classification_confidence, classification_version, perhaps, node_id, node_score)
  select
    added.id, added.workspace_id, added.number, added.source_id, added.channel, added.text,
    decode(added.text_hash, 'hex'), added.event, added.source, added.source_url, added.actor_name, added.actor_email,
    added.actor_key, added.signal_origin, added.actor_role, added.metadata,
    added.cut_signature, added.cut_quoted, added.cut_footer, added.cut_omitted, added.occurred_at,
    added.received_at, added.classification, added.classification_confidence, added.classification_version, added.perhaps,
    map_nodes.id, added.node_score
  from json_to_recordset($1::json) as added (
    id uuid, workspace_id uuid, number integer, source_id uuid, channel text, text text, text_hash text, event text,
    source text, source_url text, actor_name text, actor_email text, actor_key text, signal_origin text,
    actor_role text, metadata jsonb,
    cut_signature text, cut_quoted text, cut_footer text, cut_omitted integer, occurred_at timestamptz, received_at timestamptz, classification text,
    classification_confidence real, classification_version text, perhaps text, node_id uuid, node_score real)
  left join map_nodes on map_nodes.workspace_id = added.workspace_id and map_nodes.id = added.node_id`

type Parts = 'content' | 'embedding' | 'anchor' | 'classification'

/** A signal that has passed every step before insert. */
export type FinishedSignal = Pick<
  SignalRecord,
  'signal_id' | 'workspace_id' | 'source_id' | 'channel' | 'received_at'
> & { readonly [P in Parts]: NonNullable<SignalRecord[P]> }

export interface NumberedSignal {
  readonly signal: FinishedSignal
  readonly number: number
}

/**
 * Stores signals in Triage with their vectors and words, a statement for each table. Needs the lock of the workspaces.
 */
export const insertSignals = async (transaction: Transaction, added: readonly NumberedSignal[]): Promise<void> => {
  if (added.length === 0) return
  const { rows, vectors, said } = withinRemainingCpu(() => ({
    rows: JSON.stringify(added.map(toRow)),
    vectors: added.map(({ signal }) => ({
      signalId: signal.signal_id,
      workspaceId: signal.workspace_id,
      model: signal.embedding.model,
      vector: fromVectorBytes(signal.embedding.vector),
      ownText: signal.embedding.own_text,
    })),
    said: added.map(({ signal }) => ({
      workspaceId: signal.workspace_id,
      signalId: signal.signal_id,
      id: signal.signal_id,
      terms: termsOf(signal.content.text),
    })),
  }))
  await Promise.all([
    transaction.query(INSERT_SIGNALS, [rows]),
    storeVectors(transaction, vectors),
    storeTerms(transaction, said),
  ])
}

const toRow = ({ signal, number }: NumberedSignal) => {
  const { content, classification, anchor } = signal
  return {
    id: signal.signal_id,
    workspace_id: signal.workspace_id,
    number,
    source_id: signal.source_id,
    channel: signal.channel,
    text: content.text,
    text_hash: content.text_hash,
    event: content.event,
    source: content.source,
    source_url: content.source_url,
    actor_name: content.actor_name,
    actor_email: content.actor_email,
    actor_key: content.actor_key,
    signal_origin: content.signal_origin,
    actor_role: content.actor_role,
    metadata: JSON.parse(content.metadata),
    cut_signature: content.cut_signature,
    cut_quoted: content.cut_quoted,
    cut_footer: content.cut_footer,
    cut_omitted: content.cut_omitted,
    occurred_at: new Date(content.occurred_at ?? signal.received_at),
    received_at: new Date(signal.received_at),
    classification: classification.label,
    classification_confidence: classification.confidence,
    classification_version: classification.version,
    perhaps: classification.perhaps,
    node_id: anchor.node_id,
    node_score: anchor.score,
  }
}

// The last place of each space is looked up once by the index; `offset 0` keeps it so without statistics.
const INSERT_VECTORS = `
  with added as materialized (
    select signal_id, workspace_id, model, own_text, ordinal,
      row_number() over (partition by workspace_id, model order by ordinal) as position
    from unnest($1::uuid[], $2::uuid[], $3::text[], $5::integer[])
      with ordinality as given (signal_id, workspace_id, model, own_text, ordinal)
  ),
  space as materialized (
    select distinct workspace_id, model from added
  ),
  last as materialized (
    select space.workspace_id, space.model, coalesce(newest.place, 0) as place
    from space
    left join lateral (
      select place from signal_vectors
      where workspace_id = space.workspace_id and model = space.model
      order by place desc limit 1
    ) as newest on true
  )
  insert into signal_vectors (signal_id, workspace_id, model, place, own_text, embedding)
  select added.signal_id, added.workspace_id, added.model, last.place + added.position, own_text,
    ${vectorOf('$4', 'added.ordinal')}
  from added join last using (workspace_id, model)
  on conflict (signal_id, model) do update set place = excluded.place, own_text = excluded.own_text,
    embedding = excluded.embedding`

interface SignalVector {
  readonly signalId: SignalId
  readonly workspaceId: WorkspaceId
  readonly model: string
  /** Length 1. */
  readonly vector: Float32Array
  /** Hash of the part of the text that the vector is made of. Default: 0, for the whole text. */
  readonly ownText?: number
}

/**
 * Stores vectors of signals, each at the next place of its workspace and model. An earlier vector of the signal and
 * model loses its place, so that readers who know the old place read the new one. Needs the lock of the workspaces
 * (`lockWorkspaces`), so that places commit in order.
 */
export const storeVectors = async (transaction: Transaction, vectors: readonly SignalVector[]): Promise<void> => {
  if (vectors.length === 0) return
  await transaction.query(INSERT_VECTORS, [
    vectors.map(({ signalId }) => signalId),
    vectors.map(({ workspaceId }) => workspaceId),
    vectors.map(({ model }) => model),
    toVectorBatch(vectors.map(({ vector }) => vector)),
    vectors.map(({ ownText = 0 }) => ownText),
  ])
}

const REMOVE = `
  delete from signal_vectors using signals
  where signals.workspace_id = $1 and signals.number > $3 and signals.number <= $4
    and signal_vectors.signal_id = signals.id and signal_vectors.model <> $2`

/** Removes other models' vectors of the signals with numbers behind `after` up to `through`. */
export const removeOtherModels = async (
  transaction: Transaction,
  range: {
    readonly workspaceId: WorkspaceId
    readonly model: string
    readonly after: number
    readonly through: number
  },
): Promise<void> => {
  await transaction.query(REMOVE, [range.workspaceId, range.model, range.after, range.through])
}
