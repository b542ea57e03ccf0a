import type { SourceId, TenantId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { CodeHost, SourceKind } from '../../schemas/domain/vocabulary.ts'

/** Something that is valid until a time, milliseconds since the epoch; null is for ever. */
export interface Valid<T> {
  readonly value: T
  readonly until: number | null
}

/** What of it is valid at a time. */
export const validAt = <T>(all: readonly Valid<T>[], now: number): readonly T[] =>
  all.filter(({ until }) => until === null || until > now).map(({ value }) => value)

/** An endpoint that may send: what the edge must know to verify a request and to say whose it is. */
export interface Source {
  readonly id: SourceId
  readonly workspaceId: WorkspaceId
  readonly tenantId: TenantId
  readonly kind: SourceKind
  readonly codeHost: CodeHost | null
  readonly name: string
  /**
   * In plaintext, in memory only. Two while one is rotated; empty when the secret is kept as a hash or cannot be read.
   */
  readonly secrets: readonly Valid<string>[]
  /** SHA-256 of bearer secrets; two while one is rotated. */
  readonly secretHashes: readonly Valid<Uint8Array>[]
  /** Somebody of the workspace wants nothing from it for now; its senders are to come back later. */
  readonly paused: boolean
  /** What the kind needs besides, as it was stored. */
  readonly settings: unknown
}

/** A source's newest state: the source, or null when it was deleted. */
export interface SourceState {
  readonly id: SourceId
  /** When it last changed, by the database's clock, milliseconds since the epoch. */
  readonly changedAt: number
  readonly source: Source | null
}

/** Where the registry learns about sources. Rejects with `unavailable` when the store cannot be reached. */
export interface SourceLoader {
  /** Every source there is. */
  all(): Promise<readonly SourceState[]>
  /**
   * What changed in so many milliseconds until now, deletions too: what is news by its id and the time of its change.
   */
  changedWithin(
    milliseconds: number,
    isNews: (id: SourceId, changedAt: number) => boolean,
  ): Promise<readonly SourceState[]>
  /** Those of the ids that exist. */
  find(ids: readonly SourceId[]): Promise<readonly SourceState[]>
}
