import type { MessagePort } from 'node:worker_threads'
import type { ErrorCode } from '../../runtime/errors.ts'
import type { Started } from '../../runtime/threads.ts'
import type { Commit, GroupPartition, Offset, TopicDefinition } from '../port.ts'

/** The messages between clients and the log's thread over a MessagePort. */

/**
 * A partition as a member holds it. Each change of hands gives a new `generation`, which every call names: calls of an
 * earlier holder fail with `partition_lost`.
 */
export interface Assigned {
  readonly topic: string
  readonly partition: number
  readonly generation: number
  /** The offset where reading begins. */
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
  /** Empty when the wait was cancelled. */
  readonly heads: readonly StoredHead[]
  readonly highWatermark: Offset
}

/** A client's calls, each with its request and its reply. */
export interface Calls {
  ping: { request: null; reply: null }
  ensure_topics: { request: readonly TopicDefinition[]; reply: null }
  topics: { request: null; reply: readonly string[] }
  append: { request: PackedValues & { readonly heads: readonly OutgoingHead[] }; reply: null }
  /** Replies when the member counts; its partitions follow in notices. The client chooses the member's number. */
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
  /** The member has finished with a partition that was revoked. */
  release: { request: Holding; reply: null }
  /** Waits until there is a record at `offset` or after it. */
  fetch: {
    request: Holding & { readonly offset: Offset; readonly maxRecords: number; readonly maxBytes: number }
    reply: Fetched
  }
  /** Ends a waiting `fetch` with an empty reply. */
  cancel: { request: Holding; reply: null }
  commit: { request: Holding & Commit; reply: null }
  heartbeat: { request: null; reply: null }
  high_watermark: { request: Holding; reply: Offset }
  lag: { request: { readonly group: string }; reply: readonly GroupPartition[] }
  register_schema: { request: { readonly subject: string; readonly schema: string }; reply: number }
  schema_ids: { request: { readonly subject: string }; reply: readonly number[] }
  schema_by_id: { request: { readonly id: number }; reply: string }
  /**
   * Removes records that were appended up to a time (ms since the epoch) and that every group has committed, whatever
   * the topic's retention. The records are gone from `log.sqlite` and its write-ahead log. Rejects with `unavailable`
   * during a copy.
   */
  forget: { request: { readonly takenUpTo: number }; reply: null }
  /** From now on `log.sqlite` does not change until `copy_end`: new records go to the end of a new `log.sqlite-wal`. */
  copy_begin: { request: null; reply: null }
  /**
   * Nothing is stored until `copy_release`, for a few seconds at most. Until then the log consists of `log.sqlite` and
   * the first `walBytes` of `log.sqlite-wal`.
   */
  copy_hold: { request: null; reply: { readonly walBytes: number; readonly records: number } }
  /** True when nothing was stored since `copy_hold`. */
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

/** Messages of the thread to a member that answer no call. */
export type Notice =
  | { readonly notice: 'assigned'; readonly member: number; readonly assigned: Assigned }
  | { readonly notice: 'revoked'; readonly member: number; readonly generation: number }
  /** The member was silent for too long and has lost all its partitions. It may join again. */
  | { readonly notice: 'expelled'; readonly member: number }

/** Many values in one buffer, which moves to another thread without a copy. */
export interface PackedValues {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The end of each value in `bytes`. */
  readonly ends: readonly number[]
}

/** Copies the values into one buffer. */
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

/** The values as views on the shared buffer. */
export const unpackValues = ({ bytes, ends }: PackedValues): Uint8Array[] =>
  ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))

/** The data that the log's thread is started with. */
export interface ThreadOptions {
  readonly directory: string
  readonly retentionSweepMs: number
  readonly sessionTimeoutMs: number
  readonly rebalanceTimeoutMs: number
}

/** Messages between the thread and its owner. */
export type ToThread = { readonly kind: 'connect'; readonly port: MessagePort } | { readonly kind: 'stop' }

export type FromThread =
  | Started
  /** A problem that concerns the operator, not a client. */
  | { readonly kind: 'report'; readonly message: string }
  /** The disk refuses writes for this reason; with null it accepts writes again. */
  | { readonly kind: 'refusal'; readonly reason: string | null }
