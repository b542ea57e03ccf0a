import { getSessionCookie } from 'better-auth/cookies'
import type { Database } from '../../infra/postgres/port.ts'
import { makeRoom } from '../../infra/runtime/make-room.ts'
import { shareNextRuns } from '../../infra/runtime/promises.ts'
import { sha256 } from '../../infra/runtime/secrets.ts'
import { findSignedIn } from '../../model/members/members.ts'
import type { Quotas } from '../../model/quotas/quotas.ts'
import { ensureFirstWorkspace } from '../../model/workspaces/lifecycle.ts'
import { isUuid, type UserId } from '../../schemas/domain/ids.ts'
import { AssayError, type Caller } from '../operations/define.ts'
import type { Auth } from './auth.ts'

/** Whether a browser shows a session at all; nothing is looked up, so it may have ended, or be forged. */
export const showsSession = (headers: Headers): boolean => getSessionCookie(headers) !== null

export const notSignedIn = (): AssayError =>
  new AssayError('unauthorized', 'Not signed in. Sign in at /sign-in and repeat the request.')

/** Who is signed in. Rejects with `unauthorized` where nobody is. */
export const signedInOf = async (auth: Auth, headers: Headers) => {
  const signedIn = await auth.sessionOf(headers)
  if (!signedIn) throw notSignedIn()
  // The library's ids are ours: `generateId` makes them.
  return { ...signedIn, userId: signedIn.user.id as UserId }
}

/** A session whose cookie the library has found to be signed by this installation. */
interface KnownSession {
  readonly id: string
  readonly userId: UserId
  readonly until: number
}

/** After so long the library looks at the cookie again, and puts off the end of a session that is used. */
const KNOWN_FOR_MS = 60_000
const MAX_KNOWN = 10_000

/**
 * Answers who a browser's request comes from. Which session a cookie is of is known for a minute; the session, the
 * membership and the role of an administrator are looked up each time, so a lost one counts at once.
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
    const named = headers.get('x-workspace-id')
    if (named !== null && !isUuid(named)) throw notAMember()
    let found = await signedIn(id, named)
    if (found.membership === null && named === null) {
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
     * The caller of a request with a session cookie, in the workspace that `X-Workspace-Id` names or the session's own.
     * Rejects with `unauthorized` without a session, with `forbidden` where the person is no member. Requests of a
     * session at once share a look-up: they wait in no queue of their tenant by then, and others wait behind them.
     */
    callerOf: (headers: Headers): Promise<Caller> => {
      const [cookie, workspace] = [headers.get('cookie'), headers.get('x-workspace-id')]
      return shared(JSON.stringify([cookie, workspace]), () => lookUp(headers))
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>

/** The same whether the workspace exists or not. */
const notAMember = () =>
  new AssayError('forbidden', 'You are not a member of this workspace. `list_workspaces` lists yours.')

/** Where a person is signed in, without the tokens of these sessions: a page needs none. */
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

/** Ends one of them, at once. One that is not there, or another person's, is ended already: the answer is the same. */
export const endOwnSession = async (auth: Auth, headers: Headers, id: string): Promise<Response> => {
  await signedInOf(auth, headers)
  const session = (await auth.sessionsOf(headers)).find(each => each.id === id)
  if (session !== undefined) await auth.endSession(headers, session.token)
  return Response.json({ id })
}

const SIGN_IN =
  'Sign in with the address that you have had so far, in this browser, and open the link again: it changes the address of your account.'

/**
 * Whether a token changes an address. Only what the library signed does anything: this decides what else is asked for.
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
 * Takes the token of a link that was sent to an address. The library would sign in whoever opens the link of a changed
 * address; where that was mistyped, it is a stranger's. So a change asks for the account's own session.
 */
export const verifyAddress = async (auth: Auth, { headers, url }: Request, token: string): Promise<Response> => {
  if (changesAddress(token) && !(await auth.sessionOf(headers))) throw new AssayError('unauthorized', SIGN_IN)
  const verification = new URL('/api/auth/verify-email', url)
  verification.searchParams.set('token', token)
  return auth.handle(new Request(verification, { headers }))
}
