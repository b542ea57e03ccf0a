import type { MessagePort } from 'node:worker_threads'
import type { ErrorCode } from '../../runtime/errors.ts'
import type { Started } from '../../runtime/threads.ts'
import type { Commit, GroupPartition, Offset, TopicDefinition } from '../port.ts'

/** What clients and the log's thread say to each other over a MessagePort. */

/**
 * A partition as a member holds it. Its `generation` is new each time that a partition changes hands; it names the
 * holding in every call, and the calls of an earlier holder fail with `partition_lost`.
 */
export interface Assigned {
  readonly topic: string
  readonly partition: number
  readonly generation: number
  /** Where reading begins. */
  readonly position: Offset
  readonly committed: Commit | null
}

interface Holding {
  readonly generation: number
}

interface OutgoingHead {
  readonly topic: string
  readonly key: string | null
  /** A JSON object. */
  readonly headers: string
}

export interface StoredHead {
  readonly offset: Offset
  readonly timestamp: number
  readonly key: string | null
  /** A JSON object. */
  readonly headers: string
}

export interface Fetched extends PackedValues {
  /** Empty when the wait was called off. */
  readonly heads: readonly StoredHead[]
  readonly highWatermark: Offset
}

/** The calls a client makes: what it sends, and what it gets back. */
export interface Calls {
  ping: { request: null; reply: null }
  ensure_topics: { request: readonly TopicDefinition[]; reply: null }
  topics: { request: null; reply: readonly string[] }
  append: { request: PackedValues & { readonly heads: readonly OutgoingHead[] }; reply: null }
  /** Replies once the member counts; what it gets to read follows in notices. Member numbers are the client's own. */
  join: {
    request: {
      readonly member: number
      readonly group: string
      readonly topics: readonly string[]
      readonly from: 'earliest' | 'latest'
    }
    reply: { readonly heartbeatMs: number }
  }
  leave: { request: { readonly member: number }; reply: null }
  /** The member is done with a partition that was taken from it. */
  release: { request: Holding; reply: null }
  /** Stays open until there is a record at `offset` or after it. */
  fetch: {
    request: Holding & { readonly offset: Offset; readonly maxRecords: number; readonly maxBytes: number }
    reply: Fetched
  }
  /** Ends an open `fetch` with an empty reply. */
  cancel: { request: Holding; reply: null }
  commit: { request: Holding & Commit; reply: null }
  heartbeat: { request: null; reply: null }
  high_watermark: { request: Holding; reply: Offset }
  lag: { request: { readonly group: string }; reply: readonly GroupPartition[] }
  register_schema: { request: { readonly subject: string; readonly schema: string }; reply: number }
  schema_ids: { request: { readonly subject: string }; reply: readonly number[] }
  schema_by_id: { request: { readonly id: number }; reply: string }
  /**
   * Removes what was taken up to a time (milliseconds since the epoch) and every group has worked off, however long its
   * topic would keep it, from both files. Rejects with `unavailable` while they are copied.
   */
  forget: { request: { readonly takenUpTo: number }; reply: null }
  /**
   * From here on `log.sqlite` stays as it is, and what is stored goes to the end of a new `log.sqlite-wal`, until
   * `copy_end`.
   */
  copy_begin: { request: null; reply: null }
  /**
   * Nothing is stored until `copy_release`, for a few seconds at most; the log is its file and so many bytes of the
   * other one.
   */
  copy_hold: { request: null; reply: { readonly walBytes: number; readonly records: number } }
  /** Whether nothing was stored since `copy_hold`. */
  copy_release: { request: null; reply: boolean }
  copy_end: { request: null; reply: null }
}

export type CallName = keyof Calls

export interface CallMessage<Name extends CallName = CallName> {
  readonly id: number
  readonly call: Name
  readonly request: Calls[Name]['request']
}

export type ReplyMessage =
  | { readonly id: number; readonly reply: unknown }
  | { readonly id: number; readonly error: { readonly code: ErrorCode; readonly message: string } }

/** What the thread tells a member unasked. */
export type Notice =
  | { readonly notice: 'assigned'; readonly member: number; readonly assigned: Assigned }
  | { readonly notice: 'revoked'; readonly member: number; readonly generation: number }
  /** It was silent for too long, and has lost every partition: it may join again. */
  | { readonly notice: 'expelled'; readonly member: number }

/** Many values in one buffer of their own, which moves to another thread without being copied. */
export interface PackedValues {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where each value ends. */
  readonly ends: readonly number[]
}

export const packValues = (values: readonly Uint8Array[]): PackedValues => {
  const bytes = new Uint8Array(values.reduce((total, value) => total + value.byteLength, 0))
  let end = 0
  const ends = values.map(value => {
    bytes.set(value, end)
    end += value.byteLength
    return end
  })
  return { bytes, ends }
}

/** The values, as views on the one buffer. */
export const unpackValues = ({ bytes, ends }: PackedValues): Uint8Array[] =>
  ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))

/** What starts the log's thread. */
export interface ThreadOptions {
  readonly directory: string
  readonly retentionSweepMs: number
  readonly sessionTimeoutMs: number
  readonly rebalanceTimeoutMs: number
}

/** What the thread and its owner tell each other. */
export type ToThread = { readonly kind: 'connect'; readonly port: MessagePort } | { readonly kind: 'stop' }

export type FromThread =
  | Started
  /** Something for the operator that no client is told. */
  | { readonly kind: 'report'; readonly message: string }
  /** The disk begins to take nothing, for this reason; null: it takes something again. */
  | { readonly kind: 'refusal'; readonly reason: string | null }
