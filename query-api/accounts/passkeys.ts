import { isIP } from 'node:net'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError } from 'better-auth/api'
import { trustedOrigins } from '../http/requests.ts'

/**
 * A passkey replaces the password and the second factor: the device verifies its user each time, by a finger, a face or
 * a PIN. A device that does not is refused, with or without a second factor.
 */

/**
 * The host name and the one origin where passkeys are valid. Null when the service has only a numeric address, for
 * which browsers make no passkeys.
 */
const homeOf = (baseUrl: string): { readonly host: string; readonly origin: string } | null => {
  const named = trustedOrigins(baseUrl)
    .map(origin => ({ origin, host: new URL(origin).hostname }))
    .find(({ host }) => isIP(host.replaceAll(/[[\]]/g, '')) === 0)
  return named ?? null
}

/** True when this installation offers passkeys. */
export const offersPasskeys = ({ baseUrl, signOn }: Ways): boolean =>
  homeOf(baseUrl) !== null && signOn?.settings.only !== true

interface Ways {
  readonly baseUrl: string
  readonly signOn: { readonly settings: { readonly only: boolean } } | null
}

const requireVerifiedPerson = (info: { readonly userVerified: boolean } | undefined): void => {
  if (info?.userVerified !== true) throw new APIError('UNAUTHORIZED', { code: 'PERSON_NOT_VERIFIED' })
}

/** Loaded at the first request for accounts: the unused verification of attestations takes 15 MB. */
export const passkeyPlugin = async (baseUrl: string): Promise<readonly BetterAuthPlugin[]> => {
  const home = homeOf(baseUrl)
  if (home === null) return []
  const { passkey } = await import('@better-auth/passkey')
  return [
    passkey({
      rpID: home.host,
      rpName: 'Assay',
      origin: home.origin,
      // A sign-in names no account, so the device must store whose passkey it is.
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

/**
 * Header that carries a request's password to the library's own path, whose body has no field for a password. In
 * base64url.
 */
export const PASSWORD_HEADER = 'x-password'
