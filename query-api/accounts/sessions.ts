import { getSessionCookie } from 'better-auth/cookies'
import type { Database } from '../../infra/postgres/port.ts'
import { makeRoom } from '../../infra/runtime/make-room.ts'
import { shareNextRuns } from '../../infra/runtime/promises.ts'
import { sha256 } from '../../infra/runtime/secrets.ts'
import { findSignedIn, keepWhereTheyWork } from '../../model/members/members.ts'
import type { Quotas } from '../../model/quotas/quotas.ts'
import { ensureFirstWorkspace } from '../../model/workspaces/lifecycle.ts'
import type { UserId } from '../../schemas/domain/ids.ts'
import { PERSON_HEADER } from '../../schemas/http/headers.ts'
import { LAST_WORKSPACE } from '../../schemas/http/workspace-address.ts'
import { AssayError, type Caller } from '../operations/define.ts'
import type { Auth } from './auth.ts'

/** True when the request has a session cookie. Makes no look-up, so the session may have ended or be forged. */
export const showsSession = (headers: Headers): boolean => getSessionCookie(headers) !== null

export const notSignedIn = (): AssayError =>
  new AssayError('unauthorized', 'Not signed in. Sign in at /sign-in and repeat the request.')

/** The signed-in person. Rejects with `unauthorized` without a session. */
export const signedInOf = async (auth: Auth, headers: Headers) => {
  const signedIn = await auth.sessionOf(headers)
  if (!signedIn) throw notSignedIn()
  // `generateId` makes the library's ids.
  return { ...signedIn, userId: signedIn.user.id as UserId }
}

/** A session whose cookie the library has verified. */
interface KnownSession {
  readonly id: string
  readonly userId: UserId
  readonly until: number
}

const ID_OR_SLUG = /^[a-z0-9][a-z0-9-]{0,47}$/

/** After this time the library verifies the cookie again, and extends a session in use. */
const KNOWN_FOR_MS = 60_000
const MAX_KNOWN = 10_000

/**
 * Finds the caller of a browser's request. A cookie's session is cached for a minute; the session's state, the
 * membership and the administrator role are read each time, so their loss takes effect at once.
 */
export const createSessions = (auth: Auth, database: Database, quotas: Quotas) => {
  const known = new Map<string, KnownSession>()

  const sessionOf = async (headers: Headers): Promise<KnownSession> => {
    const name = sha256(headers.get('cookie') ?? '').toString('base64')
    const before = known.get(name)
    if (before !== undefined && before.until > performance.now()) return before
    known.delete(name)
    const { session, userId } = await signedInOf(auth, headers)
    makeRoom(known, MAX_KNOWN)
    const found = { id: session.id, userId, until: performance.now() + KNOWN_FOR_MS }
    known.set(name, found)
    return found
  }

  const signedIn = async (sessionId: string, named: string | null) => {
    const found = await database.transaction({ role: 'assay_accounts', isDivisible: true }, transaction =>
      findSignedIn(transaction, sessionId, named),
    )
    if (found === undefined) throw notSignedIn()
    return found
  }

  const shared = shareNextRuns<Caller>()

  const lookUp = async (headers: Headers): Promise<Caller> => {
    const { id, userId } = await sessionOf(headers)
    refuseSomebodyElse(headers, userId)
    const named = headers.get('x-workspace-id')?.toLowerCase() ?? null
    if (named !== null && !ID_OR_SLUG.test(named)) throw notAMember()
    let found = await signedIn(id, named)
    if (found.membership === null && (named === null || named === LAST_WORKSPACE)) {
      await ensureFirstWorkspace(database, userId, quotas)
      found = await signedIn(id, named)
    }
    const { name, membership, administers } = found
    if (membership === null) throw notAMember()
    return {
      tenantId: membership.tenant_id,
      workspaceId: membership.workspace_id,
      userId,
      userName: name,
      role: membership.role,
      via: { kind: 'app', administers, sessionId: id },
    }
  }

  return {
    /**
     * The caller of a request with a session cookie, in the workspace that `X-Workspace-Id` names by id or slug, else
     * in the last one, else in the person's first. Rejects with `unauthorized` without a session or for somebody else's
     * page, and with `forbidden` for a workspace without membership. Concurrent requests of a session share a look-up:
     * they run before the tenant's queue, so many of them would delay others.
     */
    callerOf: (headers: Headers): Promise<Caller> => {
      const named = ['cookie', 'x-workspace-id', PERSON_HEADER].map(name => headers.get(name))
      return shared(JSON.stringify(named), () => lookUp(headers))
    },
    /** Stores that the caller has a page open in this workspace, which becomes their last one. */
    worksIn: ({ userId, workspaceId }: Caller): Promise<void> =>
      database.transaction({ role: 'assay_accounts' }, transaction =>
        keepWhereTheyWork(transaction, userId, workspaceId),
      ),
  }
}

export type Sessions = ReturnType<typeof createSessions>

/**
 * Throws `unauthorized` for a page that names its person by `X-Person-Id` when somebody else has signed in in that
 * browser since: what was written there is not theirs.
 */
export const refuseSomebodyElse = (headers: Headers, signedIn: string): void => {
  const shown = headers.get(PERSON_HEADER)
  if (shown !== null && shown !== signedIn)
    throw new AssayError('unauthorized', 'Somebody else has signed in in this browser since this page was opened.')
}

/** The same answer for a missing workspace. */
const notAMember = () =>
  new AssayError('forbidden', 'You are not a member of this workspace. `list_workspaces` lists yours.')

/** Sessions of the signed-in person, without their tokens: a page needs none. */
export const listOwnSessions = async (auth: Auth, headers: Headers): Promise<Response> => {
  const { session: current } = await signedInOf(auth, headers)
  const sessions = await auth.sessionsOf(headers)
  const items = sessions
    .map(({ id, createdAt, updatedAt, ipAddress, userAgent }) => ({
      id,
      current: id === current.id,
      created_at: createdAt.toISOString(),
      last_used_at: updatedAt.toISOString(),
      address: ipAddress || null,
      browser: userAgent || null,
    }))
    .toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1))
  return Response.json({ items }, { headers: { 'cache-control': 'no-store' } })
}

/**
 * Ends a session of the signed-in person at once. The answer is the same for a missing session and another person's.
 */
export const endOwnSession = async (auth: Auth, headers: Headers, id: string): Promise<Response> => {
  await signedInOf(auth, headers)
  const session = (await auth.sessionsOf(headers)).find(each => each.id === id)
  if (session !== undefined) await auth.endSession(headers, session.token)
  return Response.json({ id })
}

const SIGN_IN =
  'Sign in with the address that you have had so far, in this browser, and open the link again: it changes the address of your account.'

/**
 * True when a token changes an address. The token's signature is not verified here; the answer only decides whether a
 * session is required.
 */
export const changesAddress = (token: string): boolean => {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return typeof payload === 'object' && payload !== null && 'updateTo' in payload
  } catch {
    return false
  }
}

/**
 * Takes the token of a link in a mail. The library would sign in everybody who opens the link of a changed address; a
 * mistyped address belongs to a stranger. Therefore a change requires the account's own session.
 */
export const verifyAddress = async (auth: Auth, { headers, url }: Request, token: string): Promise<Response> => {
  if (changesAddress(token) && !(await auth.sessionOf(headers))) throw new AssayError('unauthorized', SIGN_IN)
  const verification = new URL('/api/auth/verify-email', url)
  verification.searchParams.set('token', token)
  return auth.handle(new Request(verification, { headers }))
}
