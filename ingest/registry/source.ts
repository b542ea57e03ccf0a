import type { SourceId, TenantId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { CodeHost, SourceKind } from '../../schemas/domain/vocabulary.ts'

/** A value that is valid until a time, ms since the epoch; null: without end. */
export interface Valid<T> {
  readonly value: T
  readonly until: number | null
}

/** The values that are valid at `now`. */
export const validAt = <T>(all: readonly Valid<T>[], now: number): readonly T[] =>
  all.filter(({ until }) => until === null || until > now).map(({ value }) => value)

/** A source as the edge needs it, to verify a request and to know its workspace. */
export interface Source {
  readonly id: SourceId
  readonly workspaceId: WorkspaceId
  readonly tenantId: TenantId
  readonly kind: SourceKind
  readonly codeHost: CodeHost | null
  readonly name: string
  /**
   * In clear, in memory only. Two during a rotation; empty when only a hash is stored, or the secret cannot be read.
   */
  readonly secrets: readonly Valid<string>[]
  /** SHA-256 of bearer secrets; two during a rotation. */
  readonly secretHashes: readonly Valid<Uint8Array>[]
  /** Paused by the workspace: senders should repeat later. */
  readonly paused: boolean
  /** Further settings of the kind, as stored. */
  readonly settings: unknown
}

/** A source's newest state: the source, or null after its deletion. */
export interface SourceState {
  readonly id: SourceId
  /** When it last changed, by the database's clock, ms since the epoch. */
  readonly changedAt: number
  readonly source: Source | null
}

/** Loads sources. Rejects with `unavailable` when the database cannot be reached. */
export interface SourceLoader {
  all(): Promise<readonly SourceState[]>
  /** The sources that changed in the last `milliseconds`, including deletions, for which `isNews` holds. */
  changedWithin(
    milliseconds: number,
    isNews: (id: SourceId, changedAt: number) => boolean,
  ): Promise<readonly SourceState[]>
  /** The sources of these ids, as far as they exist. */
  find(ids: readonly SourceId[]): Promise<readonly SourceState[]>
}
