import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, createEmailVerificationToken, getSessionFromCtx } from 'better-auth/api'
import type { recordFailures } from '../../infra/postgres/recorded-failures.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { VersionedSecret } from '../../infra/runtime/secrets.ts'
import { newId, type UserId } from '../../schemas/domain/ids.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'
import { PASSWORD_HEADER } from './passkeys.ts'
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
  readonly log: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>
  /** Runs after the transaction that began a session, at sign-up and at every sign-in. */
  readonly onSession: (user: UserId) => Promise<void>
  /** Runs once a link has set a new password: ends what the old one opened, and tells the person. */
  readonly onPasswordReset: (user: UserId) => Promise<void>
  /** Null: people sign in with a password alone. */
  readonly signOn: SignOn | null
  /** Deletes the account and what goes with it, once its password was given. */
  readonly deleteAccount: (user: UserId) => Promise<void>
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' } as const

const NOT_VERIFIED =
  'Confirm your address first: open the link in the mail that was sent to you. Another mail is on its way.'

const DISABLED = 'This account is disabled. Ask an administrator of this installation.'

/**
 * The library itself changes an address without asking who sits at the keyboard, deletes an account where no password
 * is given, and adds a passkey for whoever has the session. Who comes by single sign-on alone has no password to give.
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
  { pool, baseUrl, secrets, trustedOrigins, log, ...on }: AuthSettings,
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
    // What it throws is logged where it is answered. Behind a colon it writes what was sent.
    logger: { log: (level, message) => log[level === 'error' ? 'warn' : level](message.replace(/:.*/s, '')) },
    // Errors that nobody foresaw are ours to log and to answer; the library would print them.
    onAPIError: { throw: true, errorURL: `${baseUrl}/sign-in` },
    // The library counts by address and path alone: `tries.ts` counts for every way.
    rateLimit: { enabled: false },
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
