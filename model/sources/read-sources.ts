import type { Transaction } from '../../infra/postgres/port.ts'
import type { SourceId } from '../../schemas/domain/ids.ts'
import type { CodeHost, SourceKind } from '../../schemas/domain/vocabulary.ts'
import type { ConnectionSettings } from '../../schemas/http/connection.ts'

export interface SourceIdentity {
  readonly id: SourceId
  readonly kind: SourceKind
  readonly code_host: CodeHost | null
}

/** A source that is there, without its secrets. */
export interface SourceRow extends SourceIdentity {
  readonly name: string
  readonly settings: ConnectionSettings
  readonly created_at: Date
  /** While the secret is rotated: until when the one before it is accepted too. */
  readonly previous_valid_until: Date | null
  readonly paused_at: Date | null
  readonly version: number
  /** The workspace's. */
  readonly slug: string
}

const SELECT_SOURCES = `
  select sources.id, sources.kind, sources.name, sources.code_host, sources.settings, sources.created_at,
         sources.paused_at, sources.version,
         case when sources.previous_valid_until > now() then sources.previous_valid_until end as previous_valid_until,
         workspaces.slug
  from sources join workspaces on workspaces.id = sources.workspace_id
  where sources.deleted_at is null`

const ONE = `${SELECT_SOURCES} and sources.id = $1`

/** Undefined: the transaction's workspace has none of this id. */
export const readSource = async (transaction: Transaction, id: string): Promise<SourceRow | undefined> =>
  (await transaction.query<SourceRow>(ONE, [id]))[0]

const PAGE = `${SELECT_SOURCES} order by sources.created_at, sources.id limit $1 offset $2`

/** A page of the workspace's sources, the oldest first. */
export const readSources = (
  transaction: Transaction,
  page: { readonly limit: number; readonly offset: number },
): Promise<SourceRow[]> => transaction.query<SourceRow>(PAGE, [page.limit, page.offset])

const COUNT = `select count(*)::integer as count from sources where deleted_at is null`

export const countSources = async (transaction: Transaction): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT))[0]?.count ?? 0

/** A source by its name. */
export interface NamedSource extends SourceIdentity {
  readonly name: string
  readonly paused: boolean
}

/** As many as a workspace may sensibly have; more would not be told one by one. */
const NAMED = `
  select id, kind, code_host, name, paused_at is not null as paused from sources
  where deleted_at is null order by created_at, id limit 1000`

/** The workspace's sources by name, the oldest first. */
export const namedSources = (transaction: Transaction): Promise<NamedSource[]> => transaction.query<NamedSource>(NAMED)

const SPELLED = `select id from sources where id::text = lower(trim($1)) or lower(name) = lower(trim($1)) order by id limit 100`

/** The sources of an id or a name, in any letter case: those that were deleted too, since their signals stay. */
export const sourcesNamed = async (transaction: Transaction, name: string): Promise<string[]> =>
  (await transaction.query<{ id: string }>(SPELLED, [name])).map(({ id }) => id)

const WITHOUT_SIGNALS = `select id from sources where kind = 'metric'`

/** The endpoints that take no signals, deleted ones too: what they refuse is none. */
export const sourcesWithoutSignals = async (transaction: Transaction): Promise<string[]> =>
  (await transaction.query<{ id: string }>(WITHOUT_SIGNALS)).map(({ id }) => id)

const SEALED = `select sealed_secret from sources where id = $1 and deleted_at is null`

/** The secret that a source's senders sign with, as it is stored; null where only its hash is, or none. */
export const sealedSecretOf = async (transaction: Transaction, id: SourceId): Promise<Uint8Array | null> =>
  (await transaction.query<{ sealed_secret: Uint8Array | null }>(SEALED, [id]))[0]?.sealed_secret ?? null
