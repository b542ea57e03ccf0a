import { AsyncLocalStorage } from 'node:async_hooks'
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { createRemoteJWKSet } from 'jose'
import type { Database } from '../../../infra/postgres/port.ts'
import { logged } from '../../../infra/runtime/errors.ts'
import type { Logger } from '../../../infra/runtime/logger.ts'
import { accountOf } from '../../../model/accounts/accounts.ts'
import { reserveInvitation } from '../../../model/members/invitations.ts'
import { applySignOnRoles } from '../../../model/members/members.ts'
import type { UserId } from '../../../schemas/domain/ids.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { visibleText } from '../../../schemas/domain/visible-text.ts'
import type { RoleRule, SignOnSettings } from './config.ts'
import { createIssuer, type Discovered } from './issuer.ts'

/** The issuer's id in the library, and the last part of the redirect address. */
export const PROVIDER = 'oidc'

/** Results of one sign-in, as far as it went. */
export interface Passage {
  email?: string
  groups?: readonly string[]
  user?: UserId
  isNew?: boolean
  /** The hash of the invitation that the person opened before, as the browser said at the start. */
  invitationHash?: Buffer
  isLinked?: boolean
}

const JWKS_WITHIN_MS = 10_000

type Claims = Readonly<Record<string, unknown>>

/** Claims of a token with a verified signature. */
const claimsIn = (token: string): Claims => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Entra states a verified address in `xms_edov`, an optional claim, others in `email_verified`. */
const saysVerified = ({ email_verified, xms_edov }: Claims): boolean =>
  email_verified === true || email_verified === 'true' || xms_edov === true || xms_edov === '1' || xms_edov === 1

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** Rules that apply to a person in these groups. */
const rulesFor = (rules: readonly RoleRule[], groups: readonly string[]): readonly RoleRule[] =>
  rules.filter(({ group }) => group === '*' || groups.includes(group))

export const createSignOn = (settings: SignOnSettings, opensSignUp: boolean) => {
  const issuer = createIssuer(settings)
  const passages = new AsyncLocalStorage<Passage>()

  /** Claims of the verified ID token, completed from the issuer's user info. */
  const claimsOf = async (idToken: string, accessToken: string | undefined): Promise<Claims> => {
    const claims: Claims = claimsIn(idToken)
    const needsGroups = settings.rules.some(({ group }) => group !== '*')
    const isWhole = claims.email !== undefined && (!needsGroups || claims[settings.groupsClaim] !== undefined)
    if (isWhole || accessToken === undefined) return claims
    const more = await issuer.userInfo(accessToken)
    // OpenID Connect Core, 5.3.2: user info with another `sub` may be about another person.
    return more.sub === claims.sub ? { ...more, ...claims } : claims
  }

  const provider = (known: Discovered) => ({
    providerId: PROVIDER,
    authorizationUrl: known.authorization_endpoint,
    tokenUrl: known.token_endpoint,
    ...(known.end_session_endpoint !== undefined && { endSessionEndpoint: known.end_session_endpoint }),
    accountSubject: ({ profile }: { readonly profile: { readonly sub?: unknown } }) => String(profile.sub),
    clientId: settings.clientId,
    ...(settings.clientSecret !== null && { clientSecret: settings.clientSecret }),
    scopes: [...settings.scopes],
    pkce: true,
    getToken: issuer.redeem,
    getUserInfo: async ({
      idToken,
      accessToken,
    }: {
      idToken?: string | undefined
      accessToken?: string | undefined
    }) => {
      if (idToken === undefined) return null
      const claims = await claimsOf(idToken, accessToken)
      const email = textOf(claims.email)
      if (email === undefined) return null
      const groups = claims[settings.groupsClaim]
      const passage = passages.getStore()
      if (passage) {
        passage.email = email
        passage.groups = Array.isArray(groups) ? groups.filter(group => typeof group === 'string') : []
      }
      const name = visibleText(textOf(claims.name) ?? textOf(claims.preferred_username) ?? '').trim()
      return {
        sub: String(claims.sub),
        email,
        emailVerified: settings.trustsAddresses || saysVerified(claims),
        name: (name || email.slice(0, email.lastIndexOf('@'))).slice(0, MAX_CHARACTERS.name),
      }
    },
  })

  /**
   * The library's plugin reads the metadata once, at its start and without a time limit, and leaves out an issuer that
   * does not answer. Therefore the plugin gets our metadata, and the fields that it would set from its own look-up,
   * which make it verify ID tokens with their nonce, are added to its provider.
   */
  const plugin = (known: Discovered): BetterAuthPlugin => {
    const oauth = genericOAuth({ config: [provider(known)] })
    const idToken = {
      jwks: createRemoteJWKSet(new URL(known.jwks_uri), { timeoutDuration: JWKS_WITHIN_MS }),
      issuer: known.issuer,
      audience: settings.clientId,
      algorithms: [...known.id_token_signing_alg_values_supported],
    }
    return {
      ...oauth,
      init: async context => {
        const made = await oauth.init(context)
        const own = made.context.socialProviders.find(({ id }) => id === PROVIDER)
        if (own === undefined) throw new Error('The library has not made the provider.')
        Object.assign(own, { issuer: known.issuer, idToken, requiresIdTokenNonce: true })
        return made
      },
    }
  }

  const refusal = (email: string, isVerified: boolean, isNew: boolean) => {
    if (!isVerified) return { error: 'ADDRESS_NOT_VERIFIED' }
    const { domains, rules } = settings
    const isOfDomain = domains !== null && (domains.includes('*') || domains.includes(domainOf(email)))
    if (domains !== null && !isOfDomain) return { error: 'ADDRESS_NOT_ALLOWED' }
    const hasGroup = rulesFor(rules, passages.getStore()?.groups ?? []).some(({ group }) => group !== '*')
    return isNew && !isOfDomain && !hasGroup && !opensSignUp ? { error: 'NO_ACCOUNT' } : undefined
  }

  return {
    settings,
    issuer,
    passages,
    plugins: (known: Discovered): readonly BetterAuthPlugin[] => [plugin(known)],
    /** Applies the rules to every sign-in through the issuer: a new account, a linked one, an existing one. */
    validateUserInfo: (async ({ user, source }) =>
      source.method === 'oauth'
        ? refusal(String(user.email), user.emailVerified === true, source.action === 'create-user')
        : undefined) satisfies NonNullable<BetterAuthOptions['user']>['validateUserInfo'],
  }
}

export type SignOn = ReturnType<typeof createSignOn>

/**
 * Gives a person from the issuer the roles of their groups when their session begins, and accepts the invitation of a
 * new account. Does nothing for a sign-in with a password. A failure leaves the sign-in valid; the next sign-in tries
 * again.
 */
export const takeRoles = async (
  database: Database,
  { passages, settings }: SignOn,
  user: UserId,
  log: Pick<Logger, 'error'>,
): Promise<void> => {
  const passage = passages.getStore()
  if (passage === undefined) return
  passage.user = user
  try {
    await database.transaction({ role: 'assay_accounts' }, async transaction => {
      const account = await accountOf(transaction, user)
      if (account !== undefined)
        await applySignOnRoles(transaction, account, rulesFor(settings.rules, passage.groups ?? []))
      if (passage.invitationHash !== undefined) await reserveInvitation(transaction, passage.invitationHash, user)
    })
  } catch (error) {
    log.error(logged(error), 'The roles of somebody who came by single sign-on could not be given.')
  }
}
