import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from 'better-auth'
import { APIError, createAuthMiddleware, createEmailVerificationToken, getSessionFromCtx } from 'better-auth/api'
import { databaseError } from '../../infra/postgres/errors.ts'
import { recordFailures } from '../../infra/postgres/recorded-failures.ts'
import { AssayError, isAssayError } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { memoizeSuccess } from '../../infra/runtime/promises.ts'
import type { VersionedSecret } from '../../infra/runtime/secrets.ts'
import { newId, type UserId } from '../../schemas/domain/ids.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'
import { PASSWORD_HEADER, passkeyPlugin } from './passkeys.ts'
import type { SignOn } from './sign-on/sign-on.ts'
import { twoFactorPlugin } from './two-factor.ts'

/** The pool that better-auth works on, as the login role: its tables hold no workspace's data. */
export type AccountsPool = Parameters<typeof recordFailures>[0]

export interface AuthSettings {
  readonly pool: AccountsPool
  readonly baseUrl: string
  /**
   * Sign cookies and encrypt second factors, the first of them what is new; at least 32 characters, the same on every
   * replica.
   */
  readonly secrets: readonly [VersionedSecret, ...VersionedSecret[]]
  readonly trustedOrigins: readonly string[]
  /**
   * Has the link with a token sent to an address that somebody says is theirs; null: this installation sends no mail.
   */
  readonly sendVerification: ((email: string, token: string) => void) | null
  /** Whether new accounts may sign in only once their address is verified. */
  readonly requireVerified: boolean
  /** Off only where one address signs in very often, as tests do. */
  readonly throttle: boolean
  readonly log: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>
  /** Runs after the transaction that began a session, at sign-up and at every sign-in. */
  readonly onSession: (user: UserId) => Promise<void>
  /** Runs once a link has set a new password: ends what the old one opened, and tells the person. */
  readonly onPasswordReset: (user: UserId) => Promise<void>
  /** Null: people sign in with a password alone. */
  readonly signOn: SignOn | null
  /**
   * Deletes the account and what goes with it, once its password was given; rejects where others would be left without
   * an owner.
   */
  readonly deleteAccount: (user: UserId) => Promise<void>
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' } as const

const NOT_VERIFIED =
  'Confirm your address first: open the link in the mail that was sent to you. Another mail is on its way.'

const DISABLED = 'This account is disabled. Ask an administrator of this installation.'

/**
 * The library itself changes an address without asking who sits at the keyboard, and deletes an account where no
 * password is given, and adds a passkey for whoever has the session. Who comes by single sign-on alone has no password
 * to give.
 */
const askForPassword = createAuthMiddleware(async context => {
  if (!ASKS_FOR_PASSWORD.includes(context.path)) return
  const session = await getSessionFromCtx(context)
  // The library refuses it.
  if (session === null) return
  const { internalAdapter, password } = context.context
  const credential = await internalAdapter.findCredentialAccount(session.user.id)
  if (context.path === '/delete-user' && !credential?.password) return
  const inHeader = Buffer.from(context.headers?.get(PASSWORD_HEADER) ?? '', 'base64url').toString()
  const given = String((context.body as { readonly password?: unknown } | undefined)?.password ?? inHeader)
  if (!credential?.password || !(await password.verify({ hash: credential.password, password: given }))) {
    throw new APIError('BAD_REQUEST', { code: 'INVALID_PASSWORD', message: 'Invalid password' })
  }
})

/** The library's options, with its tables and fields under the names of `schemas/postgres/0002_accounts.sql`. */
export const authOptions = (
  { pool, baseUrl, secrets, trustedOrigins, throttle, log, ...on }: AuthSettings,
  /** Passkeys, and single sign-on once its issuer has said what it is. */
  further: readonly BetterAuthPlugin[],
) =>
  ({
    appName: 'Assay',
    baseURL: baseUrl,
    basePath: '/api/auth',
    secrets: [...secrets],
    trustedOrigins: [...trustedOrigins],
    database: pool,
    emailAndPassword: {
      enabled: true,
      // Whoever must show that an address is theirs is signed in by nothing before; and they are told the same of one
      // that is taken.
      autoSignIn: !on.requireVerified,
      // Links for it are made by model/accounts/accounts.ts.
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }) => on.onPasswordReset(user.id as UserId),
    },
    ...(on.sendVerification !== null && {
      emailVerification: {
        sendOnSignUp: true,
        expiresIn: VERIFICATION_SECONDS,
        // Not waited for: a sign-up holds its transaction meanwhile, and who asks learns nothing by the time.
        sendVerificationEmail: async ({ user, token }) => on.sendVerification?.(user.email, token),
      },
    }),
    telemetry: { enabled: false },
    logger: { log: (level, message) => log[level](message) },
    // Errors that nobody foresaw are ours to log and to answer; the library would print them.
    onAPIError: { throw: true, errorURL: `${baseUrl}/sign-in` },
    // Per address and path. The library's own 3 in 10 s would stop people who share an office's address.
    rateLimit: {
      enabled: throttle,
      storage: 'memory',
      customRules: {
        ...Object.fromEntries(TAKES_PASSWORD.map(path => [path, PER_MINUTE])),
        // Each question is stored for five minutes, and the sign-in page asks for one whenever it is opened.
        '/passkey/generate-authenticate-options': { window: 60, max: 60 },
      },
    },
    advanced: { database: { generateId: () => newId() }, ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] } },
    plugins: [twoFactorPlugin, ...further],
    databaseHooks: {
      user: {
        create: {
          before: async user => {
            const passage = on.signOn?.passages.getStore()
            if (passage === undefined) return
            passage.isNew = true
            return { data: { ...user, admittedBy: 'sign_on' } }
          },
        },
      },
      account: {
        create: {
          before: async account => {
            const passage = on.signOn?.passages.getStore()
            if (passage !== undefined && passage.isNew !== true) passage.isLinked = true
            return { data: { ...account, ...NO_TOKENS } }
          },
        },
        update: { before: async account => ({ data: { ...account, ...NO_TOKENS } }) },
      },
      session: {
        create: {
          // On the library's own connection: a second one would wait for its transaction for ever.
          before: async (session, context) => {
            const user = await context?.context.internalAdapter.findUserById(session.userId)
            if (user && 'disabledAt' in user && user.disabledAt !== null) {
              throw new APIError('FORBIDDEN', { code: 'ACCOUNT_DISABLED', message: DISABLED })
            }
            if (user && on.requireVerified && !user.emailVerified && 'mustVerify' in user && user.mustVerify) {
              const token = await createEmailVerificationToken(
                secrets[0].value,
                user.email,
                undefined,
                VERIFICATION_SECONDS,
              )
              on.sendVerification?.(user.email, token)
              throw new APIError('FORBIDDEN', { code: 'ADDRESS_NOT_VERIFIED', message: NOT_VERIFIED })
            }
          },
          // Runs once the transaction has committed.
          after: session => on.onSession(session.userId as UserId),
        },
      },
    },
    hooks: { before: askForPassword },
    user: {
      modelName: 'account_users',
      fields: { emailVerified: 'email_verified', ...times },
      additionalFields: {
        disabledAt: { type: 'date', required: false, input: false, returned: false, fieldName: 'disabled_at' },
        // Only the door gives these: it takes no field of a body that it does not know.
        admittedBy: { type: 'string', required: false, returned: false, fieldName: 'admitted_by' },
        mustVerify: { type: 'boolean', required: false, returned: false, fieldName: 'must_verify' },
        invitationHash: { type: 'string', required: false, returned: false, fieldName: 'invitation_hash' },
      },
      ...(on.signOn !== null && { validateUserInfo: on.signOn.validateUserInfo }),
      // Where mail is sent, a new address holds once its link was opened.
      changeEmail: { enabled: true, updateEmailWithoutVerification: on.sendVerification === null },
      deleteUser: { enabled: true, beforeDelete: user => on.deleteAccount(user.id as UserId) },
    },
    session: {
      // What needs a fresh proof asks for the password.
      freshAge: 0,
      modelName: 'account_sessions',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...times,
      },
      additionalFields: {
        activeWorkspaceId: { type: 'string', required: false, input: false, fieldName: 'active_workspace_id' },
      },
    },
    account: {
      // An account that there is gets another way in only where both sides have shown that the address is the person's:
      // else whoever signs up first with somebody's address would have theirs.
      accountLinking: { enabled: true, trustedProviders: [] },
      modelName: 'account_credentials',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...times,
      },
    },
    verification: {
      modelName: 'account_verifications',
      // Who reads the database has no link.
      storeIdentifier: 'hashed',
      fields: { expiresAt: 'expires_at', ...times },
    },
  }) satisfies BetterAuthOptions

/** Nothing is done at the issuer in a person's name: what is not kept cannot be taken. */
const NO_TOKENS = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
} as const

const VERIFICATION_SECONDS = 24 * 3600
const ASKS_FOR_PASSWORD = ['/change-email', '/delete-user', '/passkey/generate-register-options']
const PER_MINUTE = { window: 60, max: 20 }
const TAKES_PASSWORD = [
  '/sign-in/email',
  '/sign-in/social',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/generate-register-options',
  '/passkey/verify-authentication',
  '/sign-up/email',
  '/change-password',
  '/change-email',
  '/delete-user',
  '/reset-password',
  '/send-verification-email',
]

const create = async (settings: AuthSettings, further: readonly BetterAuthPlugin[] = []) =>
  betterAuth(authOptions(settings, [...(await passkeyPlugin(settings.baseUrl)), ...further]))
type Library = Awaited<ReturnType<typeof create>>

export interface Auth {
  /** Answers a request of the library's own paths. Rejects with `unavailable` while the database is away. */
  handle(request: Request): Promise<Response>
  /**
   * The same for what needs the issuer of single sign-on, which is asked what it is until it has said so. Rejects with
   * `unavailable` before.
   */
  handleWithSignOn(request: Request): Promise<Response>
  /** Whether the issuer has said what it is. */
  knowsIssuer(): boolean
  /**
   * Who a request's cookie says its sender is; null for nobody. Rejects with `unavailable` while the database is away.
   */
  sessionOf(headers: Headers): ReturnType<Library['api']['getSession']>
  /** All sessions of that person. */
  sessionsOf(headers: Headers): ReturnType<Library['api']['listSessions']>
  /** Ends the session with a token, where it is that person's. */
  endSession(headers: Headers, token: string): Promise<unknown>
}

/**
 * The library is started once the database has its tables: what it finds missing when it starts, it misses for ever.
 * `assertMigrated` rejects until then.
 */
export const createAuth = (settings: AuthSettings, assertMigrated: () => Promise<void>): Auth => {
  const { pool, run } = recordFailures(settings.pool)
  const library = memoizeSuccess(async () => {
    await assertMigrated()
    return create({ ...settings, pool })
  })
  let knowsIssuer = false
  const withIssuer = memoizeSuccess(async () => {
    const { signOn } = settings
    if (signOn === null) throw new AssayError('not_found', 'This installation has no single sign-on.')
    const plugins = signOn.plugins(await signOn.issuer.discover())
    await assertMigrated()
    knowsIssuer = true
    return create({ ...settings, pool }, plugins)
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
      // The library says of a session that it cannot read only that it cannot.
      if (!isAssayError(translated)) await assertMigrated()
      throw translated
    }
  }
  return {
    handle: request => withDatabase(({ handler }) => handler(request), isAnswered),
    handleWithSignOn: request => withDatabase(({ handler }) => handler(request), isAnswered, withIssuer),
    knowsIssuer: () => knowsIssuer,
    sessionOf: headers => withDatabase(({ api }) => api.getSession({ headers }), isAnswered),
    sessionsOf: headers => withDatabase(({ api }) => api.listSessions({ headers })),
    endSession: (headers, token) => withDatabase(({ api }) => api.revokeSession({ headers, body: { token } })),
  }
}

/** Neither an error's answer nor nobody's session, which is what the library makes of a database that fails. */
const isAnswered = (result: object | null): boolean => result !== null && !(result instanceof Response && !result.ok)
