import type { Transaction } from '../../infra/postgres/port.ts'
import type { UserId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { MEMBER_ROLES, type MemberRole } from '../../schemas/domain/vocabulary.ts'
import { recordAudit } from '../audit/audit-log.ts'

interface Wanted {
  /** Its id or its slug. */
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

// Held as a change of a workspace's owners does, so that two who leave at once do not leave nobody.
const HOLD = `
  select from members
  where role = 'owner' and workspace_id in (
    select id from workspaces where id::text = any ($2) or slug = any ($2)
    union select workspace_id from members where user_id = $1 and by_sign_on)
  order by workspace_id, user_id for update`
const STANDING = `
  select workspaces.id, slug, workspaces.name, own.role, own.by_sign_on, (
    select count(*)::int from members as others
    where others.workspace_id = workspaces.id and others.role = 'owner' and others.user_id <> $1) as other_owners
  from workspaces left join members as own on own.workspace_id = workspaces.id and own.user_id = $1
  where deleted_at is null and (workspaces.id::text = any ($2) or slug = any ($2) or own.by_sign_on)`
const ADD = `
  insert into members (workspace_id, user_id, role, by_sign_on) values ($1, $2, $3, true) on conflict do nothing`
const CHANGE = `update members set role = $3 where workspace_id = $1 and user_id = $2 and by_sign_on`
const REMOVE = `delete from members where workspace_id = $1 and user_id = $2 and by_sign_on`

const highest = (roles: readonly MemberRole[]): MemberRole | null =>
  MEMBER_ROLES.find(role => roles.includes(role)) ?? null

/**
 * Gives a person the roles that their groups at the issuer mean, and takes those away that groups gave before and mean no more. What people gave
 * stays, and so does the last owner of a workspace.
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
    if (place.role === null) await transaction.query(ADD, [place.id, user.id, role])
    else if (role === null) await transaction.query(REMOVE, [place.id, user.id])
    else await transaction.query(CHANGE, [place.id, user.id, role])
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
