import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth'
import {
  APIError,
  createAuthMiddleware,
  createEmailVerificationToken,
  getOAuthState,
  getSessionFromCtx,
} from 'better-auth/api'
import type { recordFailures } from '../../infra/postgres/recorded-failures.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { VersionedSecret } from '../../infra/runtime/secrets.ts'
import { newId, type UserId } from '../../schemas/domain/ids.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'
import { PASSWORD_HEADER } from './passkeys.ts'
import type { SignOn } from './sign-on/sign-on.ts'
import { twoFactorPlugin } from './two-factor.ts'

/** Pool of better-auth, as the login role: its tables hold no workspace's data. */
export type AccountsPool = Parameters<typeof recordFailures>[0]

export interface AuthSettings {
  readonly pool: AccountsPool
  readonly baseUrl: string
  /**
   * Secrets that sign cookies and encrypt second factors; the first one is used for new values. At least 32 characters,
   * the same on every replica.
   */
  readonly secrets: readonly [VersionedSecret, ...VersionedSecret[]]
  readonly trustedOrigins: readonly string[]
  /** Sends a link with the token to an address that a person claims; null when the installation sends no mail. */
  readonly sendVerification: ((email: string, token: string) => void) | null
  /** True when new accounts can sign in only after their address is verified. */
  readonly requireVerified: boolean
  readonly log: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>
  /** Runs after the transaction that began a session, at sign-up and at every sign-in. */
  readonly onSession: (user: UserId) => Promise<void>
  /** Runs after a link has set a new password: ends the sessions of the old password and mails the person. */
  readonly onPasswordReset: (user: UserId) => Promise<void>
  /** Null when people sign in with a password alone. */
  readonly signOn: SignOn | null
  /** Deletes the account and its data, after its password was given. */
  readonly deleteAccount: (user: UserId) => Promise<void>
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' } as const

const NOT_VERIFIED =
  'Confirm your address first: open the link in the mail that was sent to you. Another mail is on its way.'

const DISABLED = 'This account is disabled. Ask an administrator of this installation.'

/**
 * The library changes an address without a password, deletes an account when no password is given, and adds a passkey
 * for any session. A person with single sign-on alone has no password to give.
 */
const askForPassword = createAuthMiddleware(async context => {
  if (!ASKS_FOR_PASSWORD.includes(context.path)) return
  const session = await getSessionFromCtx(context)
  // The library refuses a request without a session.
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
  /** Passkeys, and single sign-on after the issuer's discovery. */
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
      // Without verification nobody is signed in, and a taken address gets the same answer.
      autoSignIn: !on.requireVerified,
      // `model/accounts/accounts.ts` makes the links.
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }) => on.onPasswordReset(user.id as UserId),
    },
    ...(on.sendVerification !== null && {
      emailVerification: {
        sendOnSignUp: true,
        expiresIn: VERIFICATION_SECONDS,
        // Not awaited: a sign-up holds its transaction meanwhile, and the response time must not tell whether the
        // address has an account.
        sendVerificationEmail: async ({ user, token }) => on.sendVerification?.(user.email, token),
      },
    }),
    telemetry: { enabled: false },
    // The library's thrown errors are logged with the answer. The text behind a colon contains what the client sent, so
    // it is cut.
    logger: { log: (level, message) => log[level === 'error' ? 'warn' : level](message.replace(/:.*/s, '')) },
    // Unexpected errors are thrown to our handler, which logs and answers them; the library would print them.
    onAPIError: { throw: true, errorURL: `${baseUrl}/sign-in` },
    // The library counts by address and path only; `tries.ts` counts for every path.
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
            const { invitationHash } = (await getOAuthState<{ invitationHash?: unknown }>()) ?? {}
            if (typeof invitationHash === 'string') passage.invitationHash = Buffer.from(invitationHash, 'hex')
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
          // Uses the library's own connection: a second one would wait for the library's transaction for ever.
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
          // Runs after the transaction has committed.
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
        // Only the door sets these fields: it refuses unknown fields of a body.
        admittedBy: { type: 'string', required: false, returned: false, fieldName: 'admitted_by' },
        mustVerify: { type: 'boolean', required: false, returned: false, fieldName: 'must_verify' },
        invitationHash: { type: 'string', required: false, returned: false, fieldName: 'invitation_hash' },
      },
      ...(on.signOn !== null && { validateUserInfo: on.signOn.validateUserInfo }),
      // With mail, a new address takes effect after its link was opened.
      changeEmail: { enabled: true, updateEmailWithoutVerification: on.sendVerification === null },
      deleteUser: { enabled: true, beforeDelete: user => on.deleteAccount(user.id as UserId) },
    },
    session: {
      // Changes that need a fresh proof ask for the password instead.
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
      // An existing account is linked only when both the account and the issuer have verified the address: otherwise a
      // stranger who signs up first with a person's address would get that person's account.
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
      // A reader of the database gets no usable link.
      storeIdentifier: 'hashed',
      fields: { expiresAt: 'expires_at', ...times },
    },
  }) satisfies BetterAuthOptions

/** Assay does nothing at the issuer in a person's name, so it stores no tokens that could be stolen. */
const NO_TOKENS = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
} as const

const VERIFICATION_SECONDS = 24 * 3600
const ASKS_FOR_PASSWORD = ['/change-email', '/delete-user', '/passkey/generate-register-options']
