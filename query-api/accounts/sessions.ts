import type { Database } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { Quotas } from '../../model/quotas/quotas.ts'
import { isUuid, type TenantId, type UserId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { MemberRole } from '../../schemas/domain/vocabulary.ts'
import type { Caller } from '../operations/define.ts'
import type { Auth } from './auth.ts'
import { ensureFirstWorkspace } from './first-workspace.ts'

interface Membership {
  readonly workspace_id: WorkspaceId
  readonly tenant_id: TenantId
  readonly role: MemberRole
  readonly administers: boolean
}

// $2 is the workspace that the request names; $3 the one that the session last worked in.
const MEMBERSHIP = `
  select members.workspace_id, workspaces.tenant_id, members.role,
    exists (select from administrators where administrators.user_id = members.user_id) as administers
  from members join workspaces on workspaces.id = members.workspace_id
  where members.user_id = $1 and ($2::uuid is null or members.workspace_id = $2)
  order by members.workspace_id is not distinct from $3::uuid desc, members.created_at, members.workspace_id
  limit 1`

/** Answers who a browser's request comes from; the membership is looked up each time, and the role of an administrator, so a lost one counts at once. */
export const createSessions = (auth: Auth, database: Database, quotas: Quotas) => {
  const membership = async (user: UserId, named: string | null, active: string | null): Promise<Membership | null> => {
    const [found] = await database.transaction({ role: 'assay_accounts' }, transaction =>
      transaction.query<Membership>(MEMBERSHIP, [user, named, active]),
    )
    return found ?? null
  }

  return {
    /**
     * The caller of a request with a session cookie, in the workspace that `X-Workspace-Id` names or the session's own.
     * Rejects with `unauthorized` without a session, with `forbidden` where the person is no member.
     */
    callerOf: async (headers: Headers): Promise<Caller> => {
      const signedIn = await auth.sessionOf(headers)
      if (!signedIn) throw new AssayError('unauthorized', 'Not signed in. Sign in at /sign-in and repeat the request.')
      // The library's ids are ours: `generateId` makes them.
      const userId = signedIn.user.id as UserId
      const named = headers.get('x-workspace-id')
      if (named !== null && !isUuid(named)) throw notAMember()
      const active = signedIn.session.activeWorkspaceId ?? null
      let found = await membership(userId, named, active)
      if (!found && named === null) {
        await ensureFirstWorkspace(database, userId, quotas)
        found = await membership(userId, named, active)
      }
      if (!found) throw notAMember()
      return {
        tenantId: found.tenant_id,
        workspaceId: found.workspace_id,
        userId,
        userName: signedIn.user.name,
        role: found.role,
        through: { kind: 'app', administers: found.administers },
      }
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>

/** The same whether the workspace exists or not. */
const notAMember = () =>
  new AssayError('forbidden', 'You are not a member of this workspace. `list_workspaces` lists yours.')
