import type { Transaction } from '../../infra/postgres/port.ts'
import { toVectorBytes } from '../../infra/vectors.ts'
import {
  derivedId,
  type EventId,
  type NodeId,
  type SignalId,
  type SourceId,
  type WorkspaceId,
} from '../../schemas/domain/ids.ts'
import type { ActorRole, Channel, Classification, SignalOrigin, SignalState } from '../../schemas/domain/vocabulary.ts'
import { activity } from '../../schemas/events/activity.ts'
import type { Cuts } from '../../schemas/events/signal.ts'
import { recordActivity } from '../activity/activity-rows.ts'
import { nextNumbers } from '../references/next-numbers.ts'
import { textHash } from '../signals/normalize.ts'
import { insertSignals } from '../signals/store-signals.ts'
import type { ErasedSignals } from './erase-signals.ts'
import { ERASED } from './words.ts'

/**
 * The oldest repeat that somebody else sent of a signal that goes: it takes the signal's place, so that nobody's
 * evidence is lost.
 */
export interface Heir extends Cuts {
  readonly id: SignalId
  readonly original_id: SignalId
  /** `member`: it has a row of its own among the signals. */
  readonly reason: string
  readonly text: string
  readonly event: string | null
  readonly source_id: SourceId | null
  readonly channel: Channel
  readonly source: string | null
  readonly source_url: string | null
  readonly actor_name: string | null
  readonly actor_email: string | null
  readonly actor_key: string | null
  readonly signal_origin: SignalOrigin
  readonly actor_role: ActorRole
  readonly metadata: string
  readonly occurred_at: Date
  readonly received_at: Date
  readonly classification: Classification
  readonly confidence: number
  readonly version: string
  readonly state: SignalState
  readonly node_id: NodeId | null
  readonly node_score: number | null
}

// A repeat that came before its words were kept says what its original says, where it says it to the letter.
const FIND = `
  select distinct on (repeated.signal_id)
    repeated.id, repeated.signal_id as original_id, reason,
    coalesce(repeated.text, case when reason = 'same_text' then original.text else '${ERASED}' end) as text, repeated.event,
    repeated.source_id, repeated.channel, repeated.source, repeated.source_url, repeated.actor_name, repeated.actor_email,
    repeated.actor_key, repeated.signal_origin, repeated.actor_role, coalesce(repeated.metadata, '{}')::text as metadata,
    repeated.cut_signature, repeated.cut_quoted, repeated.cut_footer, repeated.cut_omitted,
    repeated.occurred_at, repeated.received_at, original.classification, original.classification_confidence as confidence,
    original.classification_version as version, original.state, original.node_id, original.node_score
  from occurrences as repeated join signals as original on original.id = repeated.signal_id
  where repeated.signal_id = any ($1::uuid[])
    and not exists (select from erasure_items where erasure_id = $2 and signal_id = repeated.id)
  order by repeated.signal_id, reason = 'member' desc, repeated.received_at, repeated.id`

/** Who takes the place of each of these signals; none of one that nobody else repeats. */
export const findHeirs = (transaction: Transaction, { ids, erasureId }: ErasedSignals): Promise<Heir[]> =>
  transaction.query<Heir>(FIND, [ids, erasureId])

const REMOVE_REPEAT = 'delete from occurrences where id = any ($1::uuid[])'
const TAKE_STATE = `
  update signals set state = heir.state from unnest($1::uuid[], $2::text[]) as heir (id, state) where signals.id = heir.id`
const MOVE_REPEATS = `
  update occurrences set signal_id = heir.id from unnest($1::uuid[], $2::uuid[]) as heir (id, original_id)
  where occurrences.signal_id = heir.original_id
    and not exists (select from erasure_items where erasure_id = $3 and signal_id = occurrences.id)`
const MOVE_TERMS = `
  update signal_terms set signal_id = heir.id from unnest($1::uuid[], $2::uuid[]) as heir (id, original_id)
  where signal_terms.signal_id = heir.original_id and signal_terms.id <> heir.original_id and signal_terms.id <> heir.id`
const MOVE_TAKEN_OUT = `
  update taken_out_repeats set original_id = heir.id from unnest($1::uuid[], $2::uuid[]) as heir (id, original_id)
  where taken_out_repeats.original_id = heir.original_id
    and not exists (select from erasure_items where erasure_id = $3 and signal_id = taken_out_repeats.id)`
const REMOVE_OLD_TERMS = 'delete from signal_terms where id = any ($1::uuid[])'
const REASON = 'It takes the place of a signal that was erased.'
const GIVE_EVIDENCE = `
  insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason, attached_at, origins)
  select evidence.workspace_id, claim_id, heir.id, attached_by, actor, $3, attached_at, origins
  from unnest($1::uuid[], $2::uuid[]) as heir (id, original_id)
  join claim_evidence as evidence on evidence.signal_id = heir.original_id
  on conflict do nothing`
const LEFT = `
  select from occurrences where signal_id = any ($1::uuid[])
    and not exists (select from erasure_items where erasure_id = $2 and signal_id = occurrences.id) limit 1`

/** Whether a repeat of others came to these signals since their heirs were chosen. */
export const hasRepeatsOfOthers = async (
  transaction: Transaction,
  { ids, erasureId }: ErasedSignals,
): Promise<boolean> => (await transaction.query(LEFT, [ids, erasureId])).length > 0

/**
 * Puts heirs in the places of their originals: as signals with numbers of their own, with the evidence and the other
 * repeats. Their words are their own; `vectors` are what these mean. Needs the locks of the workspace.
 */
export const putHeirs = async (
  transaction: Transaction,
  { workspaceId, erasureId }: ErasedSignals,
  heirs: readonly Heir[],
  model: string,
  vectors: ReadonlyMap<SignalId, Float32Array>,
): Promise<void> => {
  if (heirs.length === 0) return
  const ids = heirs.map(({ id }) => id)
  const originals = heirs.map(({ original_id }) => original_id)
  await transaction.query(REMOVE_REPEAT, [ids])
  await transaction.query(REMOVE_OLD_TERMS, [ids])
  const added = heirs.filter(({ reason }) => reason !== 'member')
  const numbers = await nextNumbers(
    transaction,
    'signal',
    added.map(() => workspaceId),
  )
  await insertSignals(
    transaction,
    added.flatMap((heir, index) => {
      const number = numbers[index]
      const vector = vectors.get(heir.id)
      return number === undefined || vector === undefined
        ? []
        : [{ number, signal: signalOf(workspaceId, heir, model, vector) }]
    }),
  )
  await transaction.query(TAKE_STATE, [ids, heirs.map(({ state }) => state)])
  await transaction.query(MOVE_REPEATS, [ids, originals, erasureId])
  await transaction.query(MOVE_TERMS, [ids, originals])
  await transaction.query(MOVE_TAKEN_OUT, [ids, originals, erasureId])
  await transaction.query(GIVE_EVIDENCE, [ids, originals, REASON])
  await recordActivity(
    transaction,
    added.map(heir => insertedEvent(workspaceId, erasureId, heir)),
  )
}

const signalOf = (workspaceId: WorkspaceId, heir: Heir, model: string, vector: Float32Array) => ({
  signal_id: heir.id,
  workspace_id: workspaceId,
  source_id: heir.source_id,
  channel: heir.channel,
  received_at: heir.received_at.getTime(),
  content: {
    text: heir.text,
    text_hash: textHash(heir.text),
    event: heir.event,
    source: heir.source,
    source_url: heir.source_url,
    actor_name: heir.actor_name,
    actor_email: heir.actor_email,
    actor_key: heir.actor_key,
    signal_origin: heir.signal_origin,
    actor_role: heir.actor_role,
    occurred_at: heir.occurred_at.getTime(),
    metadata: heir.metadata,
    cut_signature: heir.cut_signature,
    cut_quoted: heir.cut_quoted,
    cut_footer: heir.cut_footer,
    cut_omitted: heir.cut_omitted,
  },
  embedding: { model, vector: toVectorBytes(vector) },
  anchor: { node_id: heir.node_id, score: heir.node_score },
  classification: { label: heir.classification, confidence: heir.confidence, version: heir.version },
})

/** It ended as a repeat; now it is a row, as after a replay. */
const insertedEvent = (workspaceId: WorkspaceId, erasureId: string, heir: Heir) =>
  activity({
    event_id: derivedId<EventId>('event', heir.id, 'signal.step', 'insert', erasureId),
    workspace_id: workspaceId,
    kind: 'signal.step',
    occurred_at: heir.received_at.getTime(),
    happened_at: Math.min(heir.occurred_at.getTime(), heir.received_at.getTime()),
    subject_id: heir.id,
    source_id: heir.source_id ?? '',
    source: heir.source ?? '',
    channel: heir.channel,
    signal_origin: heir.signal_origin,
    actor_role: heir.actor_role,
    classification: heir.classification,
    node_id: heir.node_id ?? '',
    step: 'insert',
    step_ordinal: 8,
    outcome: 'next',
    reason: 'It takes the place of its original, which was erased.',
  })
