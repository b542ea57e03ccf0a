import { AsyncLocalStorage } from 'node:async_hooks'
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { createRemoteJWKSet } from 'jose'
import type { Database } from '../../../infra/postgres/port.ts'
import { logged } from '../../../infra/runtime/errors.ts'
import type { Logger } from '../../../infra/runtime/logger.ts'
import { accountOf } from '../../../model/accounts/accounts.ts'
import { applySignOnRoles } from '../../../model/members/members.ts'
import type { UserId } from '../../../schemas/domain/ids.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { visibleText } from '../../../schemas/domain/visible-text.ts'
import type { RoleRule, SignOnSettings } from './config.ts'
import { createIssuer, type Discovered } from './issuer.ts'

/** The issuer's id with the library, and the end of the redirect address. */
export const PROVIDER = 'oidc'

/** What came of one sign-in, as far as it went. */
export interface Passage {
  email?: string
  groups?: readonly string[]
  user?: UserId
  isNew?: boolean
  isLinked?: boolean
}

const JWKS_WITHIN_MS = 10_000

type Claims = Readonly<Record<string, unknown>>

/** The claims of a token whose signature was verified. */
const claimsIn = (token: string): Claims => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Entra says with `xms_edov` what others say with `email_verified`, as an optional claim. */
const saysVerified = ({ email_verified, xms_edov }: Claims): boolean =>
  email_verified === true || email_verified === 'true' || xms_edov === true || xms_edov === '1' || xms_edov === 1

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** The rules that speak of a person in these groups. */
const rulesFor = (rules: readonly RoleRule[], groups: readonly string[]): readonly RoleRule[] =>
  rules.filter(({ group }) => group === '*' || groups.includes(group))

export const createSignOn = (settings: SignOnSettings, opensSignUp: boolean) => {
  const issuer = createIssuer(settings)
  const passages = new AsyncLocalStorage<Passage>()

  /**
   * The ID token's claims, which the library has verified, and for what is missing those of the issuer's own answer.
   */
  const claimsOf = async (idToken: string, accessToken: string | undefined): Promise<Claims> => {
    const claims: Claims = claimsIn(idToken)
    const needsGroups = settings.rules.some(({ group }) => group !== '*')
    const isWhole = claims.email !== undefined && (!needsGroups || claims[settings.groupsClaim] !== undefined)
    if (isWhole || accessToken === undefined) return claims
    const more = await issuer.userInfo(accessToken)
    // OpenID Connect Core, 5.3.2: else it may be about somebody else.
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
   * The library's plugin asks an issuer what it is once, at its start and without a time limit, and leaves out one that
   * does not answer. So it is told what we found; and what it takes from its own look-up, which makes it verify ID
   * tokens with their nonce, is added where it keeps it.
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
    /**
     * The rules, for whatever an address of the issuer's leads to: a new account, one that is linked, one that was
     * before.
     */
    validateUserInfo: (async ({ user, source }) =>
      source.method === 'oauth'
        ? refusal(String(user.email), user.emailVerified === true, source.action === 'create-user')
        : undefined) satisfies NonNullable<BetterAuthOptions['user']>['validateUserInfo'],
  }
}

export type SignOn = ReturnType<typeof createSignOn>

/**
 * Gives whoever came by the issuer the roles of their groups, as their session begins; nothing for who came with a
 * password. A failure does not undo the sign-in: the next one tries again.
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
    })
  } catch (error) {
    log.error(logged(error), 'The roles of somebody who came by single sign-on could not be given.')
  }
}
