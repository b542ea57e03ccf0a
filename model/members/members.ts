import type { Transaction } from '../../infra/postgres/port.ts'
import type { TenantId, UserId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { MEMBER_ROLES, type MemberRole } from '../../schemas/domain/vocabulary.ts'
import { LAST_WORKSPACE } from '../../schemas/http/workspace-address.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { revokeInvitationsBy } from './invitations.ts'

/** The person of a session, with their workspace and role. */
interface SignedIn {
  readonly name: string
  /** True for an administrator of the installation. */
  readonly administers: boolean
  readonly membership: {
    readonly workspace_id: WorkspaceId
    readonly tenant_id: TenantId
    readonly role: MemberRole
  } | null
}

const SIGNED_IN = `
  select people.name, exists (select from administrators where administrators.user_id = people.id) as administers,
    (select json_build_object(
        'workspace_id', members.workspace_id, 'tenant_id', workspaces.tenant_id, 'role', members.role)
      from members join workspaces on workspaces.id = members.workspace_id
      where members.user_id = people.id
        and ($2::text is null or $2 = '${LAST_WORKSPACE}' or workspaces.id::text = $2 or workspaces.slug = $2)
      order by
        $2 is not distinct from '${LAST_WORKSPACE}' and members.workspace_id is distinct from people.last_workspace_id,
        members.created_at, members.workspace_id
      limit 1) as membership
  from account_sessions as sessions join account_users as people on people.id = sessions.user_id
  where sessions.id = $1 and sessions.expires_at > now()`

/**
 * The person of a session with a membership: of the workspace `named` by id or slug, else of the last one, else of the
 * first. Undefined when the session has ended.
 */
export const findSignedIn = async (
  transaction: Transaction,
  sessionId: string,
  named: string | null,
): Promise<SignedIn | undefined> => (await transaction.query<SignedIn>(SIGNED_IN, [sessionId, named]))[0]

const WORKS_IN = `
  update account_users set last_workspace_id = $2 where id = $1 and last_workspace_id is distinct from $2`

/** Stores the workspace of a person for the next visit. */
export const keepWhereTheyWork = async (
  transaction: Transaction,
  userId: UserId,
  workspaceId: WorkspaceId,
): Promise<void> => {
  await transaction.query(WORKS_IN, [userId, workspaceId])
}

export interface MemberRow {
  readonly user_id: string
  readonly role: MemberRole
}

export interface NamedMember extends MemberRow {
  readonly name: string
}

interface ListedMember extends NamedMember {
  readonly email: string
  readonly joined_at: Date
}

const LIST = `
  select members.user_id, members.role, members.created_at as joined_at, people.name, people.email
  from members join account_users as people on people.id = members.user_id
  where members.workspace_id = $1
  order by array_position(array['owner', 'member', 'viewer'], members.role), lower(people.name), members.user_id`

/** Members of a workspace, owners first. */
export const listMembers = (transaction: Transaction, workspaceId: WorkspaceId): Promise<ListedMember[]> =>
  transaction.query<ListedMember>(LIST, [workspaceId])

const OWNERS = `select user_id from members where workspace_id = $1 and role = 'owner' order by user_id for update`

/** Owners of a workspace, locked until the transaction ends. */
export const lockOwners = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<string[]> =>
  (await transaction.query<{ user_id: string }>(OWNERS, [workspaceId])).map(({ user_id }) => user_id)

const MEMBER = `
  select user_id, role, name from members join account_users on account_users.id = user_id
  where workspace_id = $1 and user_id = $2 and hold_member(workspace_id, user_id) for update of members`

/**
 * A member, locked until the transaction ends, after the member's running writes. Undefined for a person who is no
 * member.
 */
export const lockMember = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  userId: string,
): Promise<NamedMember | undefined> => (await transaction.query<NamedMember>(MEMBER, [workspaceId, userId]))[0]

const JOIN = `
  insert into members (workspace_id, user_id, role) values ($1, $2, $3) on conflict (workspace_id, user_id) do nothing`

/** Makes a person a member. An existing member keeps the role. */
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

interface Wanted {
  /** Id or slug. */
  readonly workspace: string
  readonly role: MemberRole
}

interface Standing {
  readonly id: WorkspaceId
  readonly slug: string
  readonly name: string
  readonly role: MemberRole | null
  readonly by_sign_on: boolean | null
  readonly other_owners: number
}

// Locks like a change of a workspace's owners, so that two owners who leave at once cannot leave it without one. The
// person's running writes end first, or are refused.
const HOLD = `
  select hold_member(workspace_id, user_id) from (
    select workspace_id, user_id from members
    where user_id = $1 or role = 'owner' and workspace_id in (
      select id from workspaces where id::text = any ($2) or slug = any ($2)
      union select workspace_id from members where user_id = $1 and by_sign_on)
    order by workspace_id, user_id offset 0) as held`
const STANDING = `
  select workspaces.id, slug, workspaces.name, own.role, own.by_sign_on, (
    select count(*)::int from members as others
    where others.workspace_id = workspaces.id and others.role = 'owner' and others.user_id <> $1) as other_owners
  from workspaces left join members as own on own.workspace_id = workspaces.id and own.user_id = $1
  where deleted_at is null and (workspaces.id::text = any ($2) or slug = any ($2) or own.by_sign_on)`
const JOIN_BY_SIGN_ON = `
  insert into members (workspace_id, user_id, role, by_sign_on) values ($1, $2, $3, true) on conflict do nothing`
const CHANGE_BY_SIGN_ON = `update members set role = $3 where workspace_id = $1 and user_id = $2 and by_sign_on`
const REMOVE_BY_SIGN_ON = `delete from members where workspace_id = $1 and user_id = $2 and by_sign_on`

const highest = (roles: readonly MemberRole[]): MemberRole | null =>
  MEMBER_ROLES.find(role => roles.includes(role)) ?? null

/**
 * Gives a person the roles of their groups at the issuer, and removes roles that earlier groups gave. Roles that people
 * gave stay, and so does the last owner of a workspace.
 */
export const applySignOnRoles = async (
  transaction: Transaction,
  user: { readonly id: UserId; readonly name: string },
  wanted: readonly Wanted[],
): Promise<void> => {
  const named = wanted.map(({ workspace }) => workspace)
  await transaction.query(HOLD, [user.id, named])
  for (const place of await transaction.query<Standing>(STANDING, [user.id, named])) {
    const role = highest(
      wanted.filter(({ workspace }) => workspace === place.id || workspace === place.slug).map(each => each.role),
    )
    const isOthersToSay = place.role !== null && place.by_sign_on !== true
    const isLastOwner = place.role === 'owner' && place.other_owners === 0
    if (role === place.role || isOthersToSay || isLastOwner) continue
    if (place.role === null) await transaction.query(JOIN_BY_SIGN_ON, [place.id, user.id, role])
    else if (role === null) await transaction.query(REMOVE_BY_SIGN_ON, [place.id, user.id])
    else await transaction.query(CHANGE_BY_SIGN_ON, [place.id, user.id, role])
    if (role !== 'owner') await revokeInvitationsBy(transaction, place.id, user.id)
    await recordAudit(transaction, {
      action: 'role_by_sign_on',
      by: { kind: 'installation' },
      workspaceId: place.id,
      id: user.id,
      name: user.name,
      detail: { role },
    })
  }
}
