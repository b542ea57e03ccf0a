import type { Transaction } from '../../infra/postgres/port.ts'
import type { SourceId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { CodeHost, SourceKind } from '../../schemas/domain/vocabulary.ts'
import type { ConnectionSettings } from '../../schemas/http/connection.ts'
import { ONE_ONLY_KINDS } from './kinds/index.ts'
import type { NewSecret } from './proof.ts'

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

/** False: the workspace has the one source of that kind already. */
export const insertSource = async (transaction: Transaction, source: NewSource): Promise<boolean> => {
  const { id, workspaceId, kind, name, codeHost, settings, secret } = source
  const values = [id, workspaceId, kind, name, codeHost, JSON.stringify(settings), secret.sealed, secret.hash]
  return (await transaction.query(INSERT, values)).length > 0
}

const LOCK = 'select id from sources where id = $1 for update'

/** Holds the source until the transaction ends. */
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

/** One that is paused already stays paused since when it was. */
export const updateSource = async (
  transaction: Transaction,
  { id, name, settings, paused }: ChangedSource,
): Promise<void> => {
  await transaction.query(UPDATE, [id, name, JSON.stringify(settings), paused])
}

// Rotated again within the time, the one before the one before is valid no longer: two are, never three.
const ROTATE = `
  update sources set
    previous_sealed_secret = sealed_secret, previous_secret_hash = secret_hash,
    previous_valid_until = now() + interval '24 hours',
    sealed_secret = $3, secret_hash = $4, changed_at = now(), version = version + 1
  where workspace_id = $1 and id = $2 and deleted_at is null
  returning previous_valid_until`

/** Gives the source a new secret; answers until when the one before is accepted too. Null: it was deleted meanwhile. */
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

// A tombstone: the edge polls for changes and would never see a row that is gone.
const CLOSE = `
  update sources set deleted_at = now(), changed_at = now()
  where workspace_id = $1 and id = $2 and deleted_at is null
  returning id`

/** False: the workspace has no such source. */
export const closeSource = async (transaction: Transaction, workspaceId: WorkspaceId, id: string): Promise<boolean> =>
  (await transaction.query(CLOSE, [workspaceId, id])).length > 0
