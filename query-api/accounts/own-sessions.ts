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
