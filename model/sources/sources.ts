import type { Transaction } from '../../infra/postgres/port.ts'
import type { SourceId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { CodeHost, SourceKind } from '../../schemas/domain/vocabulary.ts'
import type { ConnectionSettings } from '../../schemas/http/connection.ts'
import { ONE_ONLY_KINDS } from './kinds/index.ts'
import type { NewSecret } from './proof.ts'

export interface SourceIdentity {
  readonly id: SourceId
  readonly kind: SourceKind
  readonly code_host: CodeHost | null
}

/** A source without its secrets. */
export interface SourceRow extends SourceIdentity {
  readonly name: string
  readonly settings: ConnectionSettings
  readonly created_at: Date
  /** During a rotation: end of the time in which the previous secret is accepted. */
  readonly previous_valid_until: Date | null
  readonly paused_at: Date | null
  readonly version: number
  /** Slug of the workspace. */
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

/** Undefined when the transaction's workspace has no source with this id. */
export const readSource = async (transaction: Transaction, id: string): Promise<SourceRow | undefined> =>
  (await transaction.query<SourceRow>(ONE, [id]))[0]

const PAGE = `${SELECT_SOURCES} and ($3::uuid[] is null or sources.id = any ($3)) order by sources.created_at, sources.id limit $1 offset $2`

/** A page of the workspace's sources, or of those among `ids`, oldest first. */
export const readSources = (
  transaction: Transaction,
  page: { readonly limit: number; readonly offset: number; readonly ids: readonly string[] | null },
): Promise<SourceRow[]> => transaction.query<SourceRow>(PAGE, [page.limit, page.offset, page.ids])

const COUNT = `select count(*)::integer as count from sources where deleted_at is null`

export const countSources = async (transaction: Transaction): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT))[0]?.count ?? 0

export interface NamedSource extends SourceIdentity {
  readonly name: string
  readonly paused: boolean
}

/** More than a workspace sensibly has; others would not be listed one by one. */
const NAMED = `
  select id, kind, code_host, name, paused_at is not null as paused from sources
  where deleted_at is null order by created_at, id limit 1000`

/** Sources of the workspace by name, oldest first. */
export const namedSources = (transaction: Transaction): Promise<NamedSource[]> => transaction.query<NamedSource>(NAMED)

const SPELLED = `select id from sources where id::text = lower(trim($1)) or lower(name) = lower(trim($1)) order by id limit 100`

/** Ids of sources with an id or a name, in any letter case. Includes deleted ones, because their signals stay. */
export const sourcesNamed = async (transaction: Transaction, name: string): Promise<string[]> =>
  (await transaction.query<{ id: string }>(SPELLED, [name])).map(({ id }) => id)

const WITHOUT_SIGNALS = `select id from sources where kind = 'metric'`

/** Ids of sources without signals, deleted ones included: their refusals are no refused signals. */
export const sourcesWithoutSignals = async (transaction: Transaction): Promise<string[]> =>
  (await transaction.query<{ id: string }>(WITHOUT_SIGNALS)).map(({ id }) => id)

const SEALED = `select sealed_secret from sources where id = $1 and deleted_at is null`

/** Stored secret with which a source's senders sign; null when there is only a hash, or none. */
export const sealedSecretOf = async (transaction: Transaction, id: SourceId): Promise<Uint8Array | null> =>
  (await transaction.query<{ sealed_secret: Uint8Array | null }>(SEALED, [id]))[0]?.sealed_secret ?? null

type StoredSecret = Pick<NewSecret, 'sealed' | 'hash'>

interface NewSource {
  readonly id: SourceId
  readonly workspaceId: WorkspaceId
  readonly kind: SourceKind
  readonly name: string
  readonly codeHost: CodeHost | null
  readonly settings: ConnectionSettings
  readonly secret: StoredSecret
}

const INSERT = `
  insert into sources (id, workspace_id, kind, name, code_host, settings, sealed_secret, secret_hash)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (workspace_id, kind) where kind in (${ONE_ONLY_KINDS.map(kind => `'${kind}'`).join(', ')}) and deleted_at is null do nothing
  returning id`

/** False when the workspace already has its one source of the kind. */
export const insertSource = async (transaction: Transaction, source: NewSource): Promise<boolean> => {
  const { id, workspaceId, kind, name, codeHost, settings, secret } = source
  const values = [id, workspaceId, kind, name, codeHost, JSON.stringify(settings), secret.sealed, secret.hash]
  return (await transaction.query(INSERT, values)).length > 0
}

const LOCK = 'select id from sources where id = $1 for update'

/** Locks a source until the transaction ends. */
export const lockSource = async (transaction: Transaction, id: SourceId): Promise<void> => {
  await transaction.query(LOCK, [id])
}

const UPDATE = `
  update sources set
    name = $2, settings = $3, changed_at = now(), version = version + 1,
    paused_at = case when $4::boolean then coalesce(paused_at, now()) end
  where id = $1`

interface ChangedSource {
  readonly id: SourceId
  readonly name: string
  readonly settings: ConnectionSettings
  readonly paused: boolean
}

/** A source that is paused already keeps the time of its pause. */
export const updateSource = async (
  transaction: Transaction,
  { id, name, settings, paused }: ChangedSource,
): Promise<void> => {
  await transaction.query(UPDATE, [id, name, JSON.stringify(settings), paused])
}

// A second rotation within the time ends the oldest secret: two secrets are valid, never three.
const ROTATE = `
  update sources set
    previous_sealed_secret = sealed_secret, previous_secret_hash = secret_hash,
    previous_valid_until = now() + interval '24 hours',
    sealed_secret = $3, secret_hash = $4, changed_at = now(), version = version + 1
  where workspace_id = $1 and id = $2 and deleted_at is null
  returning previous_valid_until`

/**
 * Gives the source a new secret. Answers the end of the previous secret's validity; null when the source was deleted
 * meanwhile.
 */
export const replaceSecret = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  id: SourceId,
  { sealed, hash }: StoredSecret,
): Promise<Date | null> => {
  const values = [workspaceId, id, sealed, hash]
  const [rotated] = await transaction.query<{ previous_valid_until: Date }>(ROTATE, values)
  return rotated?.previous_valid_until ?? null
}

// A tombstone: the edge polls for changes and would not see a deleted row.
const CLOSE = `
  update sources set deleted_at = now(), changed_at = now()
  where workspace_id = $1 and id = $2 and deleted_at is null
  returning id`

/** False when the workspace has no such source. */
export const closeSource = async (transaction: Transaction, workspaceId: WorkspaceId, id: string): Promise<boolean> =>
  (await transaction.query(CLOSE, [workspaceId, id])).length > 0
