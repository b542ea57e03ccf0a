import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { memoizeSuccess } from '../../../infra/runtime/promises.ts'
import { isSafe, type SignOnSettings } from './config.ts'

/** The used part of the issuer's metadata (OpenID Connect Discovery 1.0, 3). */
export interface Discovered {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly jwks_uri: string
  readonly userinfo_endpoint?: string
  readonly end_session_endpoint?: string
  readonly token_endpoint_auth_methods_supported?: readonly string[]
  readonly id_token_signing_alg_values_supported: readonly string[]
}

export interface Tokens {
  readonly idToken: string
  readonly accessToken: string | undefined
}

const WITHIN_MS = 10_000
const MAX_BYTES = 256 * 1024
const AWAY =
  'The service for single sign-on does not answer as it should. Try again in a moment, or tell an administrator.'

const away = (cause: unknown): AssayError => new AssayError('unavailable', AWAY, { cause })

/**
 * Asks the issuer for a JSON object. Follows no redirect, waits at most 10 s and reads at most 256 KB. Rejects with
 * `unavailable` for every failure: the issuer's error texts are not for people who sign in.
 */
const ask = async (address: string, init: RequestInit = {}): Promise<Readonly<Record<string, unknown>>> => {
  try {
    const signal = AbortSignal.timeout(WITHIN_MS)
    const response = await fetch(address, { ...init, redirect: 'error', signal })
    const text = await readWithin(response)
    if (!response.ok) throw new Error(`It answered ${response.status}.`)
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) throw new Error('It answered no JSON object.')
    return { ...value }
  } catch (error) {
    throw isAssayError(error) ? error : away(error)
  }
}

const readWithin = async (response: Response): Promise<string> => {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > MAX_BYTES) throw new Error(`It answered more than ${MAX_BYTES} bytes.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

const withoutSlash = (address: string): string => address.replace(/(?<!\/)\/+$/, '')

/** Only asymmetric algorithms: with symmetric ones everybody with the client's secret can sign. */
const isSignature = (algorithm: unknown): algorithm is string =>
  /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA)$/.test(String(algorithm))

const discovered = (found: Readonly<Record<string, unknown>>, { issuer }: SignOnSettings): Discovered => {
  if (withoutSlash(String(found.issuer)) !== withoutSlash(issuer)) throw away(new Error('It calls itself otherwise.'))
  for (const name of [
    'authorization_endpoint',
    'token_endpoint',
    'jwks_uri',
    'userinfo_endpoint',
    'end_session_endpoint',
  ]) {
    const address = found[name]
    if (address === undefined && /^(?:userinfo|end_session)/.test(name)) continue
    if (typeof address !== 'string' || !URL.canParse(address) || !isSafe(address)) {
      throw away(new Error(`Its ${name} is no address that is safe.`))
    }
  }
  const listed = found.id_token_signing_alg_values_supported
  const algorithms = (Array.isArray(listed) ? listed : []).filter(isSignature)
  if (algorithms.length === 0) throw away(new Error('It signs in no way that is known here.'))
  const text = (name: string): string => String(found[name])
  const methods = found.token_endpoint_auth_methods_supported
  return {
    issuer: text('issuer'),
    authorization_endpoint: text('authorization_endpoint'),
    token_endpoint: text('token_endpoint'),
    jwks_uri: text('jwks_uri'),
    ...(found.userinfo_endpoint !== undefined && { userinfo_endpoint: text('userinfo_endpoint') }),
    ...(found.end_session_endpoint !== undefined && { end_session_endpoint: text('end_session_endpoint') }),
    ...(Array.isArray(methods) && { token_endpoint_auth_methods_supported: methods.map(String) }),
    id_token_signing_alg_values_supported: algorithms,
  }
}

/** Client of the issuer, with limits of time and size. */
export const createIssuer = (settings: SignOnSettings) => {
  const { issuer, clientId, clientSecret } = settings
  const discover = memoizeSuccess(async () =>
    discovered(await ask(`${withoutSlash(issuer)}/.well-known/openid-configuration`), settings),
  )

  /** Authenticates the installation: in the header if the issuer supports it, else in the body's fields. */
  const proof = ({ token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: Discovered) => {
    if (clientSecret === null) return { headers: {}, fields: { client_id: clientId } }
    if (!methods.includes('client_secret_basic')) {
      return { headers: {}, fields: { client_id: clientId, client_secret: clientSecret } }
    }
    const [user, password] = [clientId, clientSecret].map(encodeURIComponent)
    return { headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }, fields: {} }
  }

  return {
    /** Reads the issuer's metadata; repeated until the first success. */
    discover,
    /** Exchanges the code of a returning person for tokens. */
    redeem: async (given: {
      code: string
      redirectURI: string
      codeVerifier?: string | undefined
    }): Promise<Tokens> => {
      const known = await discover()
      const { headers, fields } = proof(known)
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code: given.code,
        redirect_uri: given.redirectURI,
        ...(given.codeVerifier !== undefined && { code_verifier: given.codeVerifier }),
        ...fields,
      })
      const answer = await ask(known.token_endpoint, {
        method: 'POST',
        headers: { accept: 'application/json', ...headers },
        body,
      })
      if (typeof answer.id_token !== 'string') throw away(new Error('It gave no ID token.'))
      const accessToken = typeof answer.access_token === 'string' ? answer.access_token : undefined
      return { idToken: answer.id_token, accessToken }
    },
    /** The issuer's claims about a person beside the ID token. */
    userInfo: async (accessToken: string): Promise<Readonly<Record<string, unknown>>> => {
      const { userinfo_endpoint: address } = await discover()
      return address === undefined ? {} : ask(address, { headers: { authorization: `Bearer ${accessToken}` } })
    },
  }
}
