import type { Transaction } from '../../infra/postgres/port.ts'
import type { UserId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { MemberRole } from '../../schemas/domain/vocabulary.ts'

export interface InvitationRow {
  readonly id: string
  readonly label: string
  readonly role: MemberRole
  readonly invited_by_name: string
  readonly created_at: Date
  readonly expires_at: Date
}

const COLUMNS = 'id, label, role, invited_by_name, created_at, expires_at'

const INSERT = `
  insert into invitations (id, workspace_id, role, label, hash, invited_by, invited_by_name, expires_at)
  values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, now() + $7 * interval '1 day')
  returning ${COLUMNS}, (select name from workspaces where id = $1) as workspace_name`

interface NewInvitation {
  readonly role: MemberRole
  readonly label: string
  /** Hash of the link's token. The token is not stored. */
  readonly hash: Buffer
  readonly invitedBy: { readonly userId: UserId; readonly userName: string }
  readonly expiresInDays: number
}

export const insertInvitation = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { role, label, hash, invitedBy, expiresInDays }: NewInvitation,
): Promise<(InvitationRow & { readonly workspace_name: string }) | undefined> =>
  (
    await transaction.query<InvitationRow & { readonly workspace_name: string }>(INSERT, [
      workspaceId,
      role,
      label,
      hash,
      invitedBy.userId,
      invitedBy.userName,
      expiresInDays,
    ])
  )[0]

const LIST = `
  select ${COLUMNS}
  from invitations
  where workspace_id = $1 and accepted_at is null and revoked_at is null and expires_at > now()
  order by created_at desc, id`

/** Open invitations to a workspace, newest first. */
export const listInvitations = (transaction: Transaction, workspaceId: WorkspaceId): Promise<InvitationRow[]> =>
  transaction.query<InvitationRow>(LIST, [workspaceId])

// The same condition as in `admit_account`.
const IS_OPEN = `
  hash = $1 and signed_up is null and accepted_at is null and revoked_at is null and expires_at > now()
    and may_invite(workspace_id, invited_by)`
const OPENS_SIGN_UP = `select from invitations where ${IS_OPEN}`

/** True when the invitation with this token hash allows a sign-up. */
export const opensSignUp = async (transaction: Transaction, hash: Buffer): Promise<boolean> =>
  (await transaction.query(OPENS_SIGN_UP, [hash])).length > 0

const RESERVE = `update invitations set signed_up = $2 where ${IS_OPEN}`

/**
 * Keeps the invitation whose token has this hash for the account that was made with it; does nothing where it is not
 * open.
 */
export const reserveInvitation = async (transaction: Transaction, hash: Buffer, userId: UserId): Promise<void> => {
  await transaction.query(RESERVE, [hash, userId])
}

export interface FoundInvitation {
  readonly id: string
  readonly workspace_id: WorkspaceId
  readonly workspace_name: string
  readonly role: MemberRole
  readonly invited_by_name: string
  readonly expires_at: Date
  /** The person's present role in the workspace; null without one. */
  readonly present_role: MemberRole | null
}

// An accepted invitation is found again by the person who accepted it, so that following the link twice leads into the
// workspace.
const LOCK = `
  select invitations.id, invitations.workspace_id, workspaces.name as workspace_name, invitations.role,
    invitations.invited_by_name, invitations.expires_at, members.role as present_role
  from invitations
  join workspaces on workspaces.id = invitations.workspace_id
  left join members on members.workspace_id = invitations.workspace_id and members.user_id = $2::uuid
  where invitations.hash = $1 and invitations.revoked_at is null
    and (signed_up is null or signed_up = $2 or $2 is null)
    and (accepted_by = $2 and members.user_id is not null
      or accepted_at is null and expires_at > now() and may_invite(invitations.workspace_id, invited_by))
  for update of invitations`

/**
 * The invitation with this token hash, for a person or for somebody who is not signed in, locked until the transaction
 * ends. Undefined without one, or when its inviter no longer owns the workspace.
 */
export const lockInvitation = async (
  transaction: Transaction,
  hash: Buffer,
  userId: UserId | null,
): Promise<FoundInvitation | undefined> => (await transaction.query<FoundInvitation>(LOCK, [hash, userId]))[0]

const ACCEPTED = `update invitations set accepted_at = now(), accepted_by = $2 where id = $1`

export const markAccepted = async (transaction: Transaction, id: string, userId: UserId): Promise<void> => {
  await transaction.query(ACCEPTED, [id, userId])
}

const OF_ACCOUNT = `
  select id, workspace_id, role, (select name from workspaces where id = workspace_id) as workspace_name
  from invitations
  where signed_up = $1 and accepted_at is null and revoked_at is null and expires_at > now()
    and may_invite(workspace_id, invited_by)
  for update`

/** Locks the invitation that an account was made by and has not accepted; undefined without one. */
export const lockInvitationOfAccount = async (
  transaction: Transaction,
  userId: UserId,
): Promise<Pick<FoundInvitation, 'id' | 'workspace_id' | 'workspace_name' | 'role'> | undefined> =>
  (await transaction.query<FoundInvitation>(OF_ACCOUNT, [userId]))[0]

const REVOKE = `
  update invitations set revoked_at = now()
  where workspace_id = $1 and id = $2 and accepted_at is null and revoked_at is null
  returning id`

/** Answers the invitation's id; undefined when it is not open. */
export const revokeInvitation = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  id: string,
): Promise<string | undefined> => (await transaction.query<{ id: string }>(REVOKE, [workspaceId, id]))[0]?.id

const REVOKE_BY = `
  update invitations set revoked_at = now()
  where workspace_id = $1 and invited_by = $2 and accepted_at is null and revoked_at is null`

/** A person who may no longer invite must not keep a link to come back. */
export const revokeInvitationsBy = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  userId: string,
): Promise<void> => {
  await transaction.query(REVOKE_BY, [workspaceId, userId])
}
