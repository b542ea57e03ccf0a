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
import type {
  ActorRole,
  Channel,
  Classification,
  Need,
  SignalOrigin,
  SignalState,
} from '../../schemas/domain/vocabulary.ts'
import { activity } from '../../schemas/events/activity.ts'
import type { Cuts } from '../../schemas/events/signal.ts'
import { recordActivity } from '../activity/activity-rows.ts'
import { nextNumbers } from '../references/next-numbers.ts'
import { textHash } from '../signals/normalize.ts'
import { insertSignals } from '../signals/store-signals.ts'
import type { ErasedSignals } from './erase-signals.ts'
import { ERASED } from './words.ts'

/**
 * The repeat by another sender that takes the place of an erased signal, so that nobody else's evidence is lost: a
 * repeat that a person marked, else the oldest.
 */
export interface PromotedRepeat extends Cuts {
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
  readonly perhaps: Need | null
  readonly state: SignalState
  readonly node_id: NodeId | null
  readonly node_score: number | null
}

// A repeat from before repeats' texts were stored has its original's text when the reason is `same_text`.
const FIND = `
  select distinct on (repeated.signal_id)
    repeated.id, repeated.signal_id as original_id, reason,
    coalesce(repeated.text, case when reason = 'same_text' then original.text else '${ERASED}' end) as text, repeated.event,
    repeated.source_id, repeated.channel, repeated.source, repeated.source_url, repeated.actor_name, repeated.actor_email,
    repeated.actor_key, repeated.signal_origin, repeated.actor_role, coalesce(repeated.metadata, '{}')::text as metadata,
    repeated.cut_signature, repeated.cut_quoted, repeated.cut_footer, repeated.cut_omitted,
    repeated.occurred_at, repeated.received_at, original.classification, original.classification_confidence as confidence,
    original.classification_version as version, original.perhaps, original.state, original.node_id, original.node_score
  from occurrences as repeated join signals as original on original.id = repeated.signal_id
  where repeated.signal_id = any ($1::uuid[])
    and not exists (select from erasure_items where erasure_id = $2 and signal_id = repeated.id)
  order by repeated.signal_id, reason = 'member' desc, repeated.received_at, repeated.id`

/** The repeat of each signal; none for a signal without other senders' repeats. */
export const findPromotedRepeats = (
  transaction: Transaction,
  { ids, erasureId }: ErasedSignals,
): Promise<PromotedRepeat[]> => transaction.query<PromotedRepeat>(FIND, [ids, erasureId])

const REMOVE_REPEAT = 'delete from occurrences where id = any ($1::uuid[])'
const TAKE_STATE = `
  update signals set state = repeat.state from unnest($1::uuid[], $2::text[]) as repeat (id, state) where signals.id = repeat.id`
const MOVE_REPEATS = `
  update occurrences set signal_id = repeat.id from unnest($1::uuid[], $2::uuid[]) as repeat (id, original_id)
  where occurrences.signal_id = repeat.original_id
    and not exists (select from erasure_items where erasure_id = $3 and signal_id = occurrences.id)`
const MOVE_TERMS = `
  update signal_terms set signal_id = repeat.id from unnest($1::uuid[], $2::uuid[]) as repeat (id, original_id)
  where signal_terms.signal_id = repeat.original_id and signal_terms.id <> repeat.original_id and signal_terms.id <> repeat.id`
const MOVE_TAKEN_OUT = `
  update taken_out_repeats set original_id = repeat.id from unnest($1::uuid[], $2::uuid[]) as repeat (id, original_id)
  where taken_out_repeats.original_id = repeat.original_id
    and not exists (select from erasure_items where erasure_id = $3 and signal_id = taken_out_repeats.id)`
const REMOVE_OLD_TERMS = 'delete from signal_terms where id = any ($1::uuid[])'
const REASON = 'It takes the place of a signal that was erased.'
const GIVE_EVIDENCE = `
  insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason, attached_at, origins)
  select evidence.workspace_id, claim_id, repeat.id, attached_by, actor, $3, attached_at, origins
  from unnest($1::uuid[], $2::uuid[]) as repeat (id, original_id)
  join claim_evidence as evidence on evidence.signal_id = repeat.original_id
  on conflict do nothing`
const LEFT = `
  select from occurrences where signal_id = any ($1::uuid[])
    and not exists (select from erasure_items where erasure_id = $2 and signal_id = occurrences.id) limit 1`

/** True when another sender repeated one of these signals after the repeats to promote were chosen. */
export const hasRepeatsOfOthers = async (
  transaction: Transaction,
  { ids, erasureId }: ErasedSignals,
): Promise<boolean> => (await transaction.query(LEFT, [ids, erasureId])).length > 0

/**
 * Puts repeats in the places of their originals, with the state, the evidence and the other repeats. A repeat that is a
 * `member` has its row already; the others become signals with new numbers. Texts and `vectors` are the repeats' own.
 * Needs the locks of the workspace.
 */
export const promoteRepeats = async (
  transaction: Transaction,
  { workspaceId, erasureId }: ErasedSignals,
  promoted: readonly PromotedRepeat[],
  model: string,
  vectors: ReadonlyMap<SignalId, Float32Array>,
): Promise<void> => {
  if (promoted.length === 0) return
  const ids = promoted.map(({ id }) => id)
  const originals = promoted.map(({ original_id }) => original_id)
  await transaction.query(REMOVE_REPEAT, [ids])
  await transaction.query(REMOVE_OLD_TERMS, [ids])
  const added = promoted.filter(({ reason }) => reason !== 'member')
  const numbers = await nextNumbers(
    transaction,
    'signal',
    added.map(() => workspaceId),
  )
  await insertSignals(
    transaction,
    added.flatMap((repeat, index) => {
      const number = numbers[index]
      const vector = vectors.get(repeat.id)
      return number === undefined || vector === undefined
        ? []
        : [{ number, signal: signalOf(workspaceId, repeat, model, vector) }]
    }),
  )
  await transaction.query(TAKE_STATE, [ids, promoted.map(({ state }) => state)])
  await transaction.query(MOVE_REPEATS, [ids, originals, erasureId])
  await transaction.query(MOVE_TERMS, [ids, originals])
  await transaction.query(MOVE_TAKEN_OUT, [ids, originals, erasureId])
  await transaction.query(GIVE_EVIDENCE, [ids, originals, REASON])
  await recordActivity(
    transaction,
    added.map(repeat => insertedEvent(workspaceId, erasureId, repeat)),
  )
}

const signalOf = (workspaceId: WorkspaceId, repeat: PromotedRepeat, model: string, vector: Float32Array) => ({
  signal_id: repeat.id,
  workspace_id: workspaceId,
  source_id: repeat.source_id,
  channel: repeat.channel,
  received_at: repeat.received_at.getTime(),
  content: {
    text: repeat.text,
    text_hash: textHash(repeat.text),
    event: repeat.event,
    source: repeat.source,
    source_url: repeat.source_url,
    actor_name: repeat.actor_name,
    actor_email: repeat.actor_email,
    actor_key: repeat.actor_key,
    signal_origin: repeat.signal_origin,
    actor_role: repeat.actor_role,
    occurred_at: repeat.occurred_at.getTime(),
    metadata: repeat.metadata,
    cut_signature: repeat.cut_signature,
    cut_quoted: repeat.cut_quoted,
    cut_footer: repeat.cut_footer,
    cut_omitted: repeat.cut_omitted,
  },
  embedding: { model, vector: toVectorBytes(vector), own_text: 0 },
  anchor: { node_id: repeat.node_id, score: repeat.node_score },
  classification: {
    label: repeat.classification,
    confidence: repeat.confidence,
    version: repeat.version,
    perhaps: repeat.perhaps,
  },
})

/** The repeat ended as a repeat and has a row now, as after a replay. */
const insertedEvent = (workspaceId: WorkspaceId, erasureId: string, repeat: PromotedRepeat) =>
  activity({
    event_id: derivedId<EventId>('event', repeat.id, 'signal.step', 'insert', erasureId),
    workspace_id: workspaceId,
    kind: 'signal.step',
    occurred_at: repeat.received_at.getTime(),
    happened_at: Math.min(repeat.occurred_at.getTime(), repeat.received_at.getTime()),
    subject_id: repeat.id,
    source_id: repeat.source_id ?? '',
    source: repeat.source ?? '',
    channel: repeat.channel,
    signal_origin: repeat.signal_origin,
    actor_role: repeat.actor_role,
    classification: repeat.classification,
    node_id: repeat.node_id ?? '',
    step: 'insert',
    step_ordinal: 8,
    outcome: 'next',
    reason: 'It takes the place of its original, which was erased.',
  })
