import type { Automatic } from '../domain/automatic-mail.ts'
import type { NodeId, SignalId, SourceId, TenantId, WorkspaceId } from '../domain/ids.ts'
import type { ActorRole, Channel, Classification, Need, SignalOrigin } from '../domain/vocabulary.ts'

/**
 * The record of every `signals.<step>` topic. The edge fills the identity and `received`, and each step adds its part.
 * The normalize step removes `received`, the insert step `embedding`. `signal.avsc.ts` has the same shape in Avro; a
 * test compares the two.
 */
export interface SignalRecord {
  readonly signal_id: SignalId
  readonly tenant_id: TenantId
  readonly workspace_id: WorkspaceId
  /** Null when an agent captured the signal, without a source. */
  readonly source_id: SourceId | null
  readonly channel: Channel
  /** When the edge took it, milliseconds since the epoch. Every activity event of the signal has this time. */
  readonly received_at: number
  /** A test of a source: takes the way of a signal, and is stored apart from signals, where nothing counts it. */
  readonly is_test: boolean
  /** Why a program's mail is kept apart; null for anything else, and after somebody made a signal of it. */
  readonly automatic: Automatic | null
  readonly received: Received | null
  readonly content: Content | null
  readonly scrubbed: Scrubbed | null
  readonly embedding: Embedding | null
  readonly anchor: Anchor | null
  readonly deduplication: Deduplication | null
  readonly classification: Classified | null
  readonly insertion: Insertion | null
}

/** The receiver's projection of the request: JSON in the shape that `format` names. May hold personal data. */
export interface Received {
  readonly format: 'signal' | 'push' | 'pull_request' | 'release' | 'deployment' | 'email'
  readonly body: string
}

/** The canonical signal. May hold personal data before the scrub step, and placeholders such as `[EMAIL]` after it. */
export interface Content extends Cuts {
  readonly text: string
  /** SHA-256 (hex) of the text in folded case with collapsed white space; equal for literally equal texts. */
  readonly text_hash: string
  readonly event: string | null
  readonly source: string | null
  readonly source_url: string | null
  readonly actor_name: string | null
  readonly actor_email: string | null
  /** Keyed HMAC of the actor's address, made by the scrub step before it removes the address: identifies a person. */
  readonly actor_key: string | null
  readonly signal_origin: SignalOrigin
  readonly actor_role: ActorRole
  /** Milliseconds since the epoch; null when the sender gave no time. */
  readonly occurred_at: number | null
  /** A JSON object. */
  readonly metadata: string
}

/**
 * Parts of a mail that are not in its text, by kind. They are kept since the split is a guess; no model reads them.
 * Null for parts that a mail lacks, and for other channels.
 */
export interface Cuts {
  readonly cut_signature: string | null
  readonly cut_quoted: string | null
  readonly cut_footer: string | null
  /** Number of characters that were too many to keep; null when all were kept. */
  readonly cut_omitted: number | null
}

export const NO_CUTS: Cuts = { cut_signature: null, cut_quoted: null, cut_footer: null, cut_omitted: null }

export interface Scrubbed {
  readonly version: string
  /** Number of replaced values by kind, such as `{"EMAIL": 2}`. */
  readonly replaced: Readonly<Record<string, number>>
}

export interface Embedding {
  readonly model: string
  /** 1024 float32 values, little endian, normalized to length 1. */
  readonly vector: Uint8Array
  /** Hash of the part of the text that was embedded; 0 for the whole text. */
  readonly own_text: number
}

/** `node_id` is null when no node is near enough; `score` is null without a nearest node. */
export interface Anchor {
  readonly node_id: NodeId | null
  readonly score: number | null
}

/**
 * The dedup step found no original among the workspace's vectors up to `checked_through`. The insert step looks again
 * at later ones.
 */
export interface Deduplication {
  /** The last position of the workspace's vectors of this model that the dedup step read. */
  readonly checked_through: number
}

export interface Classified {
  readonly label: Classification
  /** 0 to 1. */
  readonly confidence: number
  readonly version: string
  /** The likely need of an unclassified signal; null for likely noise. */
  readonly perhaps: Need | null
}

export interface Insertion {
  /** The N of `SIG-N`. */
  readonly number: number
}

type SignalIdentity = Pick<
  SignalRecord,
  'signal_id' | 'tenant_id' | 'workspace_id' | 'source_id' | 'channel' | 'received_at'
> &
  Partial<Pick<SignalRecord, 'is_test' | 'automatic'>>

/** A record with its identity only. */
export const bareSignal = (identity: SignalIdentity): SignalRecord => ({
  is_test: false,
  automatic: null,
  ...identity,
  received: null,
  content: null,
  scrubbed: null,
  embedding: null,
  anchor: null,
  deduplication: null,
  classification: null,
  insertion: null,
})

/** A record as a receiver appends it. */
export const receivedSignal = (identity: SignalIdentity, received: Received): SignalRecord => ({
  ...bareSignal(identity),
  received,
})
