import { isIP } from 'node:net'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError } from 'better-auth/api'
import { trustedOrigins } from '../http/requests.ts'

/**
 * Passkeys stand in for the password and the second factor at once: the device asks who it is each time, by a finger, a
 * face or a PIN. One that does not is refused, whether or not a second factor is on.
 */

/**
 * Where passkeys hold: a host name and the one origin that browsers must name. Null where the service has an address by
 * number alone, for which browsers make none.
 */
const homeOf = (baseUrl: string): { readonly host: string; readonly origin: string } | null => {
  const named = trustedOrigins(baseUrl)
    .map(origin => ({ origin, host: new URL(origin).hostname }))
    .find(({ host }) => isIP(host.replaceAll(/[[\]]/g, '')) === 0)
  return named ?? null
}

/** Whether there are passkeys here, beside passwords. */
export const offersPasskeys = ({ baseUrl, signOn }: Ways): boolean =>
  homeOf(baseUrl) !== null && signOn?.settings.only !== true

interface Ways {
  readonly baseUrl: string
  readonly signOn: { readonly settings: { readonly only: boolean } } | null
}

const requireVerifiedPerson = (info: { readonly userVerified: boolean } | undefined): void => {
  if (info?.userVerified !== true) throw new APIError('UNAUTHORIZED', { code: 'PERSON_NOT_VERIFIED' })
}

/** Loaded when the first request needs accounts: what verifies attestations takes 15 MB, and nobody asks for any. */
export const passkeyPlugin = async (baseUrl: string): Promise<readonly BetterAuthPlugin[]> => {
  const home = homeOf(baseUrl)
  if (home === null) return []
  const { passkey } = await import('@better-auth/passkey')
  return [
    passkey({
      rpID: home.host,
      rpName: 'Assay',
      origin: home.origin,
      // A sign-in names nobody, so the device must know whose it is.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      registration: {
        afterVerification: ({ verification }) => requireVerifiedPerson(verification.registrationInfo),
      },
      authentication: {
        afterVerification: ({ verification }) => requireVerifiedPerson(verification.authenticationInfo),
      },
      schema: {
        passkey: {
          modelName: 'account_passkeys',
          fields: {
            publicKey: 'public_key',
            userId: 'user_id',
            credentialID: 'credential_id',
            deviceType: 'device_type',
            backedUp: 'backed_up',
            createdAt: 'created_at',
          },
        },
      },
    }),
  ]
}

/** With which a request hands its password on to the library's own way, which takes none. In base64url. */
export const PASSWORD_HEADER = 'x-password'
