import type { ConfigOf, ConfigSchema } from '../../../infra/runtime/config.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { flag, optional, type Setting, text, url } from '../../../infra/runtime/settings.ts'
import { MEMBER_ROLES, type MemberRole } from '../../../schemas/domain/vocabulary.ts'

/** Gives the members of an issuer's group a role in a workspace. */
export interface RoleRule {
  /** `*` means everybody who comes from the issuer. */
  readonly group: string
  /** The workspace's id or slug; names are not unique, and anybody can choose one. */
  readonly workspace: string
  readonly role: MemberRole
}

const RULE = /^([^=,]{1,200})=([\w-]{1,80}):([a-z]+)$/

const parseRule = (written: string): RoleRule | undefined => {
  const [, group = '', workspace = '', named] = RULE.exec(written.trim()) ?? []
  const role = MEMBER_ROLES.find(each => each === named)
  return role === undefined ? undefined : { group: group.trim(), workspace, role }
}

const partsOf = (value: string): readonly string[] =>
  value
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

export const parseRules = (value: string): readonly RoleRule[] | undefined => {
  const rules = partsOf(value).map(parseRule)
  return rules.includes(undefined) ? undefined : rules.filter(rule => rule !== undefined)
}

const DOMAIN = /^(\*|([a-z0-9-]+\.)+[a-z0-9-]+)$/

const domains: Setting<string> = {
  ...text({
    env: 'OIDC_DOMAINS',
    doc: 'The domains of the addresses that may come in by single sign-on, with a comma between; each gets an account when they first come. *: whomever the issuer vouches for, which is for an issuer of your own alone. Unless set, people sign in to accounts that there are; a new one is made for whoever is in a group of OIDC_ROLES, or where SIGN_UP is open.',
  }),
  allowed: 'domains with a comma between, such as example.com, example.org, or *',
  parse: value => (partsOf(value.toLowerCase()).every(part => DOMAIN.test(part)) ? value : undefined),
}

const roles: Setting<string> = {
  ...text({
    env: 'OIDC_ROLES',
    doc: 'Who becomes a member of what when they come by single sign-on: group=workspace:role, with a comma between; the group * is everybody. The workspace is its id, which Settings → Installation shows. Roles given so follow the groups at each sign-in; those that people gave stay.',
  }),
  allowed: `such as *=0195f3a2-…:viewer, product=0195f3a2-…:member; the roles are ${MEMBER_ROLES.join(', ')}`,
  parse: value => (parseRules(value) === undefined ? undefined : value),
}

export const SIGN_ON_CONFIG = {
  oidcIssuer: optional(
    url({
      env: 'OIDC_ISSUER',
      doc: 'The issuer for single sign-on by OpenID Connect, as it calls itself: its /.well-known/openid-configuration must be reached from here. Register {BASE_URL}/api/auth/callback/oidc there as the redirect address, and {BASE_URL}/sign-in as the one after a sign-out. Unless set, people sign in with a password.',
    }),
  ),
  oidcClientId: optional(text({ env: 'OIDC_CLIENT_ID', doc: 'What the issuer knows this installation as.' })),
  oidcClientSecret: optional(
    text({
      env: 'OIDC_CLIENT_SECRET',
      secret: true,
      doc: 'The secret that the issuer gave with it. Without one the installation is a public client, with PKCE alone.',
    }),
  ),
  oidcName: text({
    env: 'OIDC_NAME',
    doc: 'What the button on the sign-in page calls it: “Continue with …”.',
    default: 'single sign-on',
  }),
  oidcScopes: text({
    env: 'OIDC_SCOPES',
    doc: 'What is asked of the issuer, with blanks between. Some give groups for a scope of their own only.',
    default: 'openid email profile',
  }),
  oidcGroupsClaim: text({
    env: 'OIDC_GROUPS_CLAIM',
    doc: 'The claim that holds a person’s groups or roles, a list of texts.',
    default: 'groups',
  }),
  oidcDomains: optional(domains),
  oidcRoles: optional(roles),
  oidcTrustsAddresses: flag({
    env: 'OIDC_TRUSTS_ADDRESSES',
    doc: 'Whether addresses count as verified although the issuer does not say so, as Entra does not. For an issuer of your own alone, where nobody chooses their address: else one person signs in as another.',
    default: false,
  }),
  oidcOnly: flag({
    env: 'OIDC_ONLY',
    doc: 'Whether single sign-on is the only way in: nobody signs in or up with a password, or gets a new one. Sessions that there are go on.',
    default: false,
  }),
} satisfies ConfigSchema

export interface SignOnSettings {
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  readonly name: string
  readonly scopes: readonly string[]
  readonly groupsClaim: string
  /** Null when no domain is named; `*` means every domain. */
  readonly domains: readonly string[] | null
  readonly rules: readonly RoleRule[]
  readonly trustsAddresses: boolean
  readonly only: boolean
}

const refused = (message: string) =>
  new AssayError('invalid_configuration', `The configuration is not valid.\n${message}`)

/** Settings that have no effect without an issuer; each may mean that the issuer's setting is mistyped. */
const HALVES = [
  { key: 'oidcClientId', env: 'OIDC_CLIENT_ID' },
  { key: 'oidcClientSecret', env: 'OIDC_CLIENT_SECRET' },
  { key: 'oidcDomains', env: 'OIDC_DOMAINS' },
  { key: 'oidcRoles', env: 'OIDC_ROLES' },
] as const

/** Null when people sign in with a password alone. Throws `invalid_configuration` for incomplete settings. */
export const signOnSettings = (config: ConfigOf<typeof SIGN_ON_CONFIG>): SignOnSettings | null => {
  if (config.oidcIssuer === null) {
    if (config.oidcOnly) throw refused('OIDC_ONLY is true and OIDC_ISSUER is not set: nobody could sign in.')
    const half = HALVES.find(({ key }) => config[key] !== null)
    if (half !== undefined) throw refused(`${half.env} is set and OIDC_ISSUER is not: nobody could sign in by it.`)
    return null
  }
  if (config.oidcClientId === null) {
    throw refused('OIDC_ISSUER is set and OIDC_CLIENT_ID is not: the issuer could not know who asks.')
  }
  if (!isSafe(config.oidcIssuer)) {
    throw refused(
      'OIDC_ISSUER must begin with https://, but for an issuer on this machine: what it says could be changed on the way.',
    )
  }
  return {
    issuer: config.oidcIssuer,
    clientId: config.oidcClientId,
    clientSecret: config.oidcClientSecret,
    name: config.oidcName,
    scopes: [...new Set(['openid', ...config.oidcScopes.split(/\s+/).filter(Boolean)])],
    groupsClaim: config.oidcGroupsClaim,
    domains: config.oidcDomains === null ? null : partsOf(config.oidcDomains.toLowerCase()),
    rules: parseRules(config.oidcRoles ?? '') ?? [],
    trustsAddresses: config.oidcTrustsAddresses,
    only: config.oidcOnly,
  }
}

/** True for TLS or an address on this machine. */
export const isSafe = (address: string): boolean => {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
}
