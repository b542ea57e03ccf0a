import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { randomHex, sha256 } from '../../infra/runtime/secrets.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import { type KeyId, newId, type TenantId, type UserId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { MemberRole } from '../../schemas/domain/vocabulary.ts'
import { activityRows } from '../activity/activity-rows.ts'

/** A new MCP key. Only its hash is stored. */
export const newKey = (): string => `service_mcp_${randomHex(16)}`

type Scope = 'workspace' | 'provisioning'

const INSERT = `
  insert into mcp_keys (id, workspace_id, owner_id, label, hash, last_four, scope)
  values ($1, $2, $3, $4, $5, $6, $7)`

interface NewKey {
  readonly workspaceId: WorkspaceId
  readonly ownerId: UserId
  readonly label: string
  readonly scope: Scope
}

/** Makes an MCP key and answers it. Only its hash is stored. */
export const makeKey = async (
  transaction: Transaction,
  { workspaceId, ownerId, label, scope }: NewKey,
): Promise<{ readonly id: KeyId; readonly key: string }> => {
  const id = newId<KeyId>()
  const key = newKey()
  await transaction.query(INSERT, [id, workspaceId, ownerId, label, sha256(key), key.slice(-4), scope])
  return { id, key }
}

interface ListedKey {
  readonly id: KeyId
  readonly label: string
  readonly last_four: string
  readonly scope: Scope
  readonly owner_id: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

/** Keys of a workspace: of one person, or of all. */
interface OfWorkspace {
  readonly workspaceId: WorkspaceId
  readonly ownerId: string
  readonly everybodys: boolean
}

const LIST = `
  select id, label, last_four, scope, owner_id, created_at, last_used_at
  from mcp_keys
  where workspace_id = $1 and ($2 or owner_id = $3)
  order by created_at desc, id desc`

/** Newest first. */
export const listKeys = (
  transaction: Transaction,
  { workspaceId, ownerId, everybodys }: OfWorkspace,
): Promise<ListedKey[]> => transaction.query<ListedKey>(LIST, [workspaceId, everybodys, ownerId])

const DELETE = `delete from mcp_keys where workspace_id = $1 and id = $2 and ($3 or owner_id = $4) returning id`

/** Answers the key's id; undefined when no such key was found. */
export const deleteKey = async (
  transaction: Transaction,
  id: string,
  { workspaceId, ownerId, everybodys }: OfWorkspace,
): Promise<KeyId | undefined> =>
  (await transaction.query<{ id: KeyId }>(DELETE, [workspaceId, id, everybodys, ownerId]))[0]?.id

const OF_MEMBER = `select id from mcp_keys where workspace_id = $1 and owner_id = $2`

export const keysOfMember = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  ownerId: string,
): Promise<KeyId[]> => (await transaction.query<{ id: KeyId }>(OF_MEMBER, [workspaceId, ownerId])).map(({ id }) => id)

/** A key with the member that it acts as. */
export interface UsedKey {
  readonly id: KeyId
  readonly label: string
  readonly scope: Scope
  readonly workspace_id: WorkspaceId
  readonly tenant_id: TenantId
  readonly owner_id: UserId
  readonly owner_name: string
  readonly role: MemberRole
}

const USE = `
  update mcp_keys as keys set last_used_at = now()
  from members, workspaces, account_users as owners
  where keys.hash = $1
    and members.workspace_id = keys.workspace_id and members.user_id = keys.owner_id
    and workspaces.id = keys.workspace_id and owners.id = keys.owner_id and owners.disabled_at is null
    and (keys.scope = 'workspace' or exists (select from administrators where user_id = keys.owner_id))
  returning keys.id, keys.label, keys.scope, keys.workspace_id, workspaces.tenant_id, keys.owner_id, owners.name as owner_name, members.role`

/**
 * The key with this hash; marks it as used now. Undefined when the key is not valid. It acts as its owner with the
 * owner's present role, unless the account is disabled. A key of scope `provisioning` also needs an administrator as
 * its owner.
 */
export const recordKeyUse = async (transaction: Transaction, hash: Buffer): Promise<UsedKey | undefined> =>
  (await transaction.query<UsedKey>(USE, [hash]))[0]

export interface UnusedKey {
  readonly label: string
  readonly last_four: string
  /** Days since the last use, or since its creation. */
  readonly days: number
  readonly ever_used: boolean
}

const UNUSED = `
  select label, last_four, last_used_at is not null as ever_used,
    floor(extract(epoch from now() - coalesce(last_used_at, created_at)) / 86400)::integer as days
  from mcp_keys
  where case when last_used_at is null then created_at < now() - interval '7 days' else last_used_at < now() - interval '90 days' end
  order by days desc, id`

export const unusedKeys = (transaction: Transaction): Promise<readonly UnusedKey[]> =>
  transaction.query<UnusedKey>(UNUSED)

const DAYS = 30

interface Row {
  readonly source_id: KeyId
  readonly work_units: number
}

interface Wanted {
  readonly keys: readonly KeyId[]
  readonly now: Date
}

/** Work units of each key's calls in the 30 days before `now`; null for all while ClickHouse is away. */
export const keyWork = async (
  analytics: Analytics,
  workspace: WorkspaceId,
  { keys, now }: Wanted,
): Promise<(key: KeyId) => number | null> => {
  if (keys.length === 0) return () => 0
  try {
    const rows = await activityRows<Row>(analytics, workspace, {
      select: 'source_id, sum(work_units) AS work_units',
      where: [
        `kind = 'tool.call'`,
        `channel = 'key'`,
        'source_id IN {keys: Array(String)}',
        'occurred_at > {since: DateTime64(3)}',
      ],
      groupBy: ['source_id'],
      parameters: { keys, since: new Date(now.getTime() - DAYS * DAY_MS) },
    })
    const byKey = new Map(rows.map(row => [row.source_id, Number(row.work_units)]))
    return key => byKey.get(key) ?? 0
  } catch (error) {
    if (isAssayError(error) && error.retriable) return () => null
    throw error
  }
}
