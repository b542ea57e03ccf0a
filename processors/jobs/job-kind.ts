import type { Static, TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import type { JobId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { JobKind } from '../../schemas/domain/vocabulary.ts'

export interface JobSlice {
  readonly jobId: JobId
  readonly workspaceId: WorkspaceId
  /** Stored input in the shape of the kind. Read it defensively. */
  readonly input: unknown
  /** Cursor of the slice before; null for the first. */
  readonly cursor: unknown
}

/**
 * Result of a slice. It is stored after the slice's effects, so a slice may run again after a crash: its effects must
 * be idempotent.
 */
export interface SliceResult {
  /** Start of the next slice; null when the job is done. */
  readonly cursor: unknown
  /** Items that this slice handled, failures included. */
  readonly done: number
  readonly failed: number
  /** Reason of the last failure. */
  readonly message?: string
  /** Number of all items, once a slice has counted them. */
  readonly total?: number
  /** Pause before the next slice, ms. */
  readonly pauseMs?: number
}

/**
 * Long work of one kind, in slices of about a second. Errors are read like a step's: after `unavailable` and other
 * retriable errors the job waits and tries again; any other error fails it with its public message.
 */
export interface JobDefinition {
  readonly kind: JobKind
  readonly slice: (slice: JobSlice) => Promise<SliceResult>
}

/**
 * Reads a stored cursor. Null when there is none, or when another version stored another shape: the job then begins
 * again.
 */
export const cursorReader = <Schema extends TObject>(schema: Schema) => {
  const compiled = Compile(schema)
  return (stored: unknown): Static<Schema> | null => (compiled.Check(stored) ? stored : null)
}
