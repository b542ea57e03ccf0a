import type { Transaction } from '../../infra/postgres/port.ts'
import type { KeyId, TenantId, UserId, WorkspaceId } from '../../schemas/domain/ids.ts'

export interface NewWorkspace {
  readonly id: WorkspaceId
  readonly tenantId: TenantId
  readonly name: string
  /** Who makes it, and has it. */
  readonly ownerId: UserId
  /** The operator's key that it is made with, if any. */
  readonly provisionedBy?: KeyId
  /** Whether it may be emptied and filled with sample data. */
  readonly sandbox: boolean
}

const INSERT_WORKSPACE = `
  insert into workspaces (id, tenant_id, slug, name, sandbox, created_by, provisioned_by) values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (id) do nothing returning id`
const INSERT_OWNER = `insert into members (workspace_id, user_id, role) values ($1, $2, 'owner')`

/**
 * Makes a workspace with its owner, in a transaction of `assay_accounts`. False when a workspace with that id was there
 * already: its members are then left as they are.
 */
export const insertWorkspace = async (transaction: Transaction, made: NewWorkspace): Promise<boolean> => {
  const inserted = await transaction.query(INSERT_WORKSPACE, [
    made.id,
    made.tenantId,
    slugOf(made),
    made.name,
    made.sandbox,
    made.ownerId,
    made.provisionedBy ?? null,
  ])
  if (inserted.length === 0) return false
  await transaction.query(INSERT_OWNER, [made.id, made.ownerId])
  return true
}

/** What can be read of the name, then the end of the id, which keeps equal names apart. */
const slugOf = ({ id, name }: Pick<NewWorkspace, 'id' | 'name'>): string => {
  const readable = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^-+|-+$/g, '')
  return `${readable || 'workspace'}-${id.slice(-8)}`
}
