import type { Static, TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import type { JobId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { JobKind } from '../../schemas/domain/vocabulary.ts'

/** What a slice of a job knows of it. */
export interface JobSlice {
  readonly jobId: JobId
  readonly workspaceId: WorkspaceId
  /** As it was stored, in the shape of the kind: to be read defensively. */
  readonly input: unknown
  /** What the slice before answered; null for the first. */
  readonly cursor: unknown
}

/**
 * What a slice came to. It is stored after the slice's effects, so a slice may be done again after a crash: its effects
 * are idempotent.
 */
export interface SliceResult {
  /** Where the next slice begins; null when the job is done. */
  readonly cursor: unknown
  /** Items that this slice worked off, those that came to nothing included. */
  readonly done: number
  readonly failed: number
  /** Why the last item that came to nothing did. */
  readonly message?: string
  /** Set by a slice that has counted the items. */
  readonly total?: number
  /** How long to rest before the next slice, for a limited rate. */
  readonly pauseMs?: number
}

/**
 * Long work of one kind, in slices of about a second each. A throw is read like a step's: `unavailable` and other
 * retriable errors make the job wait and try again, anything else fails it with the error's public message.
 */
export interface JobDefinition {
  readonly kind: JobKind
  readonly slice: (slice: JobSlice) => Promise<SliceResult>
}

/**
 * Reads a stored cursor; null for none, and for one that another version left in another shape: the job begins anew
 * then.
 */
export const cursorReader = <Schema extends TObject>(schema: Schema) => {
  const compiled = Compile(schema)
  return (stored: unknown): Static<Schema> | null => (compiled.Check(stored) ? stored : null)
}
