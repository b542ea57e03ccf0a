import type { Database } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { findMembership } from '../../model/members/members.ts'
import type { Quotas } from '../../model/quotas/quotas.ts'
import { ensureFirstWorkspace } from '../../model/workspaces/lifecycle.ts'
import { isUuid, type UserId } from '../../schemas/domain/ids.ts'
import type { Caller } from '../operations/define.ts'
import type { Auth } from './auth.ts'

/**
 * Answers who a browser's request comes from; the membership is looked up each time, and the role of an administrator,
 * so a lost one counts at once.
 */
export const createSessions = (auth: Auth, database: Database, quotas: Quotas) => {
  const membership = (user: UserId, named: string | null, active: string | null) =>
    database.transaction({ role: 'assay_accounts' }, transaction =>
      findMembership(transaction, user, { named, active }),
    )

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
        via: { kind: 'app', administers: found.administers },
      }
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>

/** The same whether the workspace exists or not. */
const notAMember = () =>
  new AssayError('forbidden', 'You are not a member of this workspace. `list_workspaces` lists yours.')
