import type { Automatic } from '../domain/automatic-mail.ts'
import type { NodeId, SignalId, SourceId, TenantId, WorkspaceId } from '../domain/ids.ts'
import type { ActorRole, Channel, Classification, SignalOrigin } from '../domain/vocabulary.ts'

/**
 * The record of every `signals.<step>` topic. The edge fills the identity and `received`; each step adds its own part,
 * normalize takes `received` away, and insert `embedding`. `signal.avsc.ts` is the same shape in Avro; a test holds the
 * two together.
 */
export interface SignalRecord {
  readonly signal_id: SignalId
  readonly tenant_id: TenantId
  readonly workspace_id: WorkspaceId
  /** Null when an agent captured the signal: there is no source then. */
  readonly source_id: SourceId | null
  readonly channel: Channel
  /** When the edge took it, milliseconds since the epoch. Every activity event of the signal carries this time. */
  readonly received_at: number
  /**
   * Sent to see whether a source works: it takes the same way, and is stored apart from signals, where nothing counts
   * it.
   */
  readonly is_test: boolean
  /** Why it is kept apart, of mail that a program wrote; null for all else, and once somebody made a signal of it. */
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

/**
 * What the receiver projected out of the request: `body` is JSON in the shape that `format` names. May hold personal
 * data.
 */
export interface Received {
  readonly format: 'signal' | 'push' | 'pull_request' | 'release' | 'deployment' | 'email'
  readonly body: string
}

/** The canonical signal. Before scrub it may hold personal data; after it, placeholders such as `[EMAIL]`. */
export interface Content extends Cuts {
  readonly text: string
  /** SHA-256 (hex) of the text, case folded, white space collapsed: equal for texts that say the same to the letter. */
  readonly text_hash: string
  readonly event: string | null
  readonly source: string | null
  readonly source_url: string | null
  readonly actor_name: string | null
  readonly actor_email: string | null
  /** Keyed HMAC of the actor's address, made by scrub before the address goes: one person stays one person. */
  readonly actor_key: string | null
  readonly signal_origin: SignalOrigin
  readonly actor_role: ActorRole
  /** Milliseconds since the epoch; null when the sender did not say. */
  readonly occurred_at: number | null
  /** A JSON object. */
  readonly metadata: string
}

/**
 * What is not in the text of a mail, by what it was taken for. That is a guess, so it is kept; no model reads it. Null
 * is what a mail does not have, and every other sender.
 */
export interface Cuts {
  readonly cut_signature: string | null
  readonly cut_quoted: string | null
  readonly cut_footer: string | null
  /** How many characters of these were too many to keep; null when all were kept. */
  readonly cut_omitted: number | null
}

export const NO_CUTS: Cuts = { cut_signature: null, cut_quoted: null, cut_footer: null, cut_omitted: null }

export interface Scrubbed {
  readonly version: string
  /** How many values of each kind were replaced, such as `{"EMAIL": 2}`. */
  readonly replaced: Readonly<Record<string, number>>
}

export interface Embedding {
  readonly model: string
  /** 1024 float32, little endian, of length 1. */
  readonly vector: Uint8Array
}

/** Both null when no node is near enough; the score is kept whenever there is a nearest node. */
export interface Anchor {
  readonly node_id: NodeId | null
  readonly score: number | null
}

/**
 * Dedup found no original among the workspace's vectors up to the place `checked_through`; insert looks again when
 * there are more.
 */
export interface Deduplication {
  /** The last place of the workspace's vectors of this model that dedup saw. */
  readonly checked_through: number
}

export interface Classified {
  readonly label: Classification
  /** 0 to 1. */
  readonly confidence: number
  readonly version: string
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

/** A record with nothing but its identity. */
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
