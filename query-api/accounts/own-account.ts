import { AssayError } from '../../infra/runtime/errors.ts'
import type { Auth } from './auth.ts'

const currentOf = async (auth: Auth, headers: Headers) => {
  const signedIn = await auth.sessionOf(headers)
  if (!signedIn) throw new AssayError('unauthorized', 'Not signed in. Sign in at /sign-in and repeat the request.')
  return signedIn.session
}

/** Where a person is signed in, without the tokens of these sessions: a page needs none. */
export const listOwnSessions = async (auth: Auth, headers: Headers): Promise<Response> => {
  const current = await currentOf(auth, headers)
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
  await currentOf(auth, headers)
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
  const asked = new URL('/api/auth/verify-email', url)
  asked.searchParams.set('token', token)
  return auth.handle(new Request(asked, { headers }))
}
