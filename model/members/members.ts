import type { Transaction } from '../../infra/postgres/port.ts'
import type { TenantId, UserId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { MemberRole } from '../../schemas/domain/vocabulary.ts'

/** Where a person works, and as what. */
export interface Membership {
  readonly workspace_id: WorkspaceId
  readonly tenant_id: TenantId
  readonly role: MemberRole
  /** Whether they administer the installation. */
  readonly administers: boolean
}

const MEMBERSHIP = `
  select members.workspace_id, workspaces.tenant_id, members.role,
    exists (select from administrators where administrators.user_id = members.user_id) as administers
  from members join workspaces on workspaces.id = members.workspace_id
  where members.user_id = $1 and ($2::uuid is null or members.workspace_id = $2)
  order by members.workspace_id is not distinct from $3::uuid desc, members.created_at, members.workspace_id
  limit 1`

/** A person's membership of the workspace `named`; where that is null, of the one last worked in (`active`), else of their first. */
export const findMembership = async (
  transaction: Transaction,
  user: UserId,
  { named, active }: { readonly named: string | null; readonly active: string | null },
): Promise<Membership | undefined> => (await transaction.query<Membership>(MEMBERSHIP, [user, named, active]))[0]

export interface MemberRow {
  readonly user_id: string
  readonly role: MemberRole
}

interface ListedMember extends MemberRow {
  readonly name: string
  readonly email: string
  readonly joined_at: Date
}

const LIST = `
  select members.user_id, members.role, members.created_at as joined_at, people.name, people.email
  from members join account_users as people on people.id = members.user_id
  where members.workspace_id = $1
  order by array_position(array['owner', 'member', 'viewer'], members.role), lower(people.name), members.user_id`

/** The members of a workspace, owners first. */
export const listMembers = (transaction: Transaction, workspaceId: WorkspaceId): Promise<ListedMember[]> =>
  transaction.query<ListedMember>(LIST, [workspaceId])

const OWNERS = `select user_id from members where workspace_id = $1 and role = 'owner' order by user_id for update`

/** Who owns a workspace, held until the transaction ends. */
export const lockOwners = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<string[]> =>
  (await transaction.query<{ user_id: string }>(OWNERS, [workspaceId])).map(({ user_id }) => user_id)

const MEMBER = `select user_id, role from members where workspace_id = $1 and user_id = $2 for update`

/** A member, held until the transaction ends; undefined for somebody who is none. */
export const lockMember = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  userId: string,
): Promise<MemberRow | undefined> => (await transaction.query<MemberRow>(MEMBER, [workspaceId, userId]))[0]

const JOIN = `
  insert into members (workspace_id, user_id, role) values ($1, $2, $3) on conflict (workspace_id, user_id) do nothing`

/** Makes a person a member; who is one already stays as they are. */
export const addMember = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { user_id, role }: MemberRow,
): Promise<void> => {
  await transaction.query(JOIN, [workspaceId, user_id, role])
}

const CHANGE = `update members set role = $3 where workspace_id = $1 and user_id = $2`

export const setRole = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { user_id, role }: MemberRow,
): Promise<void> => {
  await transaction.query(CHANGE, [workspaceId, user_id, role])
}

const REMOVE = `delete from members where workspace_id = $1 and user_id = $2`

/** Keys go with the membership: their foreign key cascades. */
export const removeMember = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  userId: string,
): Promise<void> => {
  await transaction.query(REMOVE, [workspaceId, userId])
}
