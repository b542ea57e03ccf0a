import { type BetterAuthPlugin, betterAuth } from 'better-auth'
import { databaseError } from '../../infra/postgres/errors.ts'
import { type Hold, holdWrites } from '../../infra/postgres/held-writes.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import { recordFailures } from '../../infra/postgres/recorded-failures.ts'
import { AssayError, isAssayError } from '../../infra/runtime/errors.ts'
import { memoizeSuccess } from '../../infra/runtime/promises.ts'
import { byPasswordOf } from '../../model/accounts/proofs.ts'
import type { UserId } from '../../schemas/domain/ids.ts'
import { authOptions, type AuthSettings as LibrarySettings } from './auth-options.ts'
import { passkeyPlugin } from './passkeys.ts'

interface AuthSettings extends Omit<LibrarySettings, 'deleteAccount'> {
  /**
   * Deletes the account and its data after its password was given, while `hold` holds. Rejects when others would be
   * left without an owner.
   */
  readonly deleteAccount: (user: UserId, hold: Hold | undefined) => Promise<void>
}

const create = async (settings: LibrarySettings, further: readonly BetterAuthPlugin[] = []) =>
  betterAuth(authOptions(settings, [...(await passkeyPlugin(settings.baseUrl)), ...further]))
type Library = Awaited<ReturnType<typeof create>>

export interface Auth {
  /** Answers a request at the library's own paths. Rejects with `unavailable` while the database is away. */
  handle(request: Request): Promise<Response>
  /**
   * Answers a request that needs the single sign-on issuer, whose discovery is repeated until it succeeds. Rejects with
   * `unavailable` before.
   */
  handleWithSignOn(request: Request): Promise<Response>
  /** Runs the library's work under a hold, if any: writes fail after the hold is lost. */
  holding<T>(hold: Hold | null, work: () => Promise<T>): Promise<T>
  /** Runs a sign-in under a hold on the current password of an address's account. */
  holdingPassword<T>(email: string, work: () => Promise<T>): Promise<T>
  /** True after the issuer's discovery. */
  knowsIssuer(): boolean
  /** The session of a request's cookie; null without one. Rejects with `unavailable` while the database is away. */
  sessionOf(headers: Headers): ReturnType<Library['api']['getSession']>
  /** All sessions of the signed-in person. */
  sessionsOf(headers: Headers): ReturnType<Library['api']['listSessions']>
  /** Ends the session with this token, if it belongs to the signed-in person. */
  endSession(headers: Headers, token: string): Promise<unknown>
}

/** Only the login role can read password hashes. */
const asLogin = (pool: LibrarySettings['pool']): Transaction => ({
  query: async <Row extends object>(statement: string, values: readonly unknown[] = []) => {
    const client = await pool.connect()
    try {
      return (await client.query<Row & Record<string, unknown>>(statement, [...values])).rows
    } finally {
      client.release()
    }
  },
})

/**
 * The library starts after the database has its tables: tables that are missing at its start stay missing for it.
 * `assertMigrated` rejects until then.
 */
export const createAuth = (settings: AuthSettings, assertMigrated: () => Promise<void>): Auth => {
  const held = holdWrites(settings.pool)
  const { pool, run } = recordFailures(held.pool)
  const deleteAccount = async (user: UserId): Promise<void> => {
    await settings.deleteAccount(user, held.current())
    held.release()
  }
  const holding: Auth['holding'] = (hold, work) => (hold === null ? work() : held.holding(hold, work))
  const own: LibrarySettings = { ...settings, pool, deleteAccount }
  const library = memoizeSuccess(async () => {
    await assertMigrated()
    return create(own)
  })
  let knowsIssuer = false
  const withIssuer = memoizeSuccess(async () => {
    const { signOn } = settings
    if (signOn === null) throw new AssayError('not_found', 'This installation has no single sign-on.')
    const plugins = signOn.plugins(await signOn.issuer.discover())
    await assertMigrated()
    knowsIssuer = true
    return create(own, plugins)
  })
  const withDatabase = async <T>(
    work: (library: Library) => Promise<T>,
    isGood: (result: T) => boolean = () => false,
    of: () => Promise<Library> = library,
  ): Promise<T> => {
    try {
      const made = await of()
      return await run(() => work(made), isGood)
    } catch (error) {
      const translated = databaseError(error)
      // The library reports an unreadable session without a reason; missing migrations are the likely one.
      if (!isAssayError(translated)) await assertMigrated()
      throw translated
    }
  }
  return {
    handle: async request => inPlainWords(await withDatabase(({ handler }) => handler(request), isAnswered)),
    handleWithSignOn: async request =>
      inPlainWords(await withDatabase(({ handler }) => handler(request), isAnswered, withIssuer)),
    holding,
    holdingPassword: async (email, work) => {
      const hold = byPasswordOf(asLogin(settings.pool), email)
      return holding(await hold.catch(error => Promise.reject(databaseError(error))), work)
    },
    knowsIssuer: () => knowsIssuer,
    sessionOf: headers => withDatabase(({ api }) => api.getSession({ headers }), isAnswered),
    sessionsOf: headers => withDatabase(({ api }) => api.listSessions({ headers })),
    endSession: (headers, token) => withDatabase(({ api }) => api.revokeSession({ headers, body: { token } })),
  }
}

/** Messages of the library for programs, rewritten for people. */
const IN_PLAIN_WORDS: Readonly<Record<string, string>> = {
  'Credential account not found': 'This account has no password.',
  'Email is already verified': 'This address is confirmed already.',
  'Email not verified': 'This address is not confirmed.',
  'Invalid backup code': 'This backup code is wrong.',
  'Invalid code': 'This code is wrong.',
  'Invalid token': 'This link is not valid.',
  'Invalid two factor cookie': 'The sign-in took too long. Begin again.',
  'Session is not fresh': 'Sign in again first.',
  'Token expired': 'This link has expired.',
  "Two factor isn't enabled": 'The second factor is off.',
  'User not found': 'There is no such account.',
  'Validation Error': 'Some of what you entered does not fit.',
}

const inPlainWords = async (response: Response): Promise<Response> => {
  if (response.ok) return response
  const said: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const message = typeof said === 'object' && said !== null && 'message' in said ? String(said.message) : ''
  const plain = IN_PLAIN_WORDS[message]
  if (plain === undefined) return response
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return Response.json({ ...(said as object), message: plain }, { status: response.status, headers })
}

/** Neither an error's answer nor an empty session: the library answers an empty session when the database fails. */
const isAnswered = (result: object | null): boolean => result !== null && !(result instanceof Response && !result.ok)
