import type { Transaction } from '../../infra/postgres/port.ts'
import type { TenantId, UserId, WorkspaceId } from '../../schemas/domain/ids.ts'

export interface NewWorkspace {
  readonly id: WorkspaceId
  readonly tenantId: TenantId
  readonly name: string
  readonly ownerId: UserId
  /** Whether it may be emptied and filled with sample data. */
  readonly sandbox: boolean
}

const INSERT_WORKSPACE = `
  insert into workspaces (id, tenant_id, slug, name, sandbox) values ($1, $2, $3, $4, $5)
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
