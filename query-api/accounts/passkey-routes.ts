import { AssayError } from '../../infra/runtime/errors.ts'
import { listPasskeys, recordUseOfPasskey, removePasskey, renamePasskey } from '../../model/accounts/passkeys.ts'
import type { UserId } from '../../schemas/domain/ids.ts'
import {
  type AccountRoute,
  type AccountsApiPorts,
  answered,
  at,
  clientAddressOf,
  forwarded,
  signedInOf,
} from './account-route.ts'
import { offersPasskeys, PASSWORD_HEADER } from './passkeys.ts'

type Answer = AccountRoute['answer']

const NOWHERE =
  'There are no passkeys here: browsers make them for a host with a name, and BASE_URL has an address by number.'

/** What a browser is to ask its authenticator, by the library; the answer sets a cookie that knows the question. */
const optionsFrom = ({ auth, ...ports }: AccountsApiPorts, way: string, request: Request, password = '') => {
  if (!offersPasskeys(ports)) throw new AssayError('conflict', NOWHERE)
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  headers.set(PASSWORD_HEADER, Buffer.from(password).toString('base64url'))
  return auth.handle(new Request(new URL(`/api/auth/passkey/${way}`, request.url), { headers }))
}

const TOO_LATE = 'This took longer than five minutes, was sent twice, or began in another browser. Begin again.'

const REFUSALS: Readonly<Record<string, string>> = {
  CHALLENGE_NOT_FOUND: TOO_LATE,
  PASSKEY_NOT_FOUND: 'This passkey is not known here. Sign in with your password, and remove it from your device.',
  PERSON_NOT_VERIFIED:
    'Your device did not make sure that it is you. Set a PIN, a fingerprint or a face up there, and try again.',
}

/** Answers with a sentence of ours where the library has refused in two words; null where it has not. */
const refusal = async (response: Response, otherwise: string): Promise<AssayError | null> => {
  const { code = '' } = await answered(response)
  if (response.ok || code === 'ACCOUNT_DISABLED' || code === 'ADDRESS_NOT_VERIFIED') return null
  if (response.status === 429) return null
  return new AssayError('unauthorized', REFUSALS[code] ?? otherwise)
}

const NO_PASSWORD = 'A passkey stands in for your password, and you have none: you sign in with single sign-on alone.'
const MOST = 20
const ENOUGH = `An account has at most ${MOST} passkeys. Remove one that you do not use first.`

/** The library asks for the password on this way (`askForPassword`), and makes the question that `add` answers. */
export const beginAdding: Answer = async (ports, request, { password }) => {
  const user = (await signedInOf(ports, request)).user.id as UserId
  if (!(await ports.ownWays(user)).has_password) throw new AssayError('conflict', NO_PASSWORD)
  const own = await ports.database.transaction({ role: 'assay_accounts' }, transaction =>
    listPasskeys(transaction, user),
  )
  if (own.length >= MOST) throw new AssayError('conflict', ENOUGH)
  return optionsFrom(ports, 'generate-register-options', request, String(password))
}

/** CBOR of `{ fmt: "none", attStmt: {}, authData: … }`, up to the bytes of the last, of which two say how many. */
const NO_ATTESTATION = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex')

/**
 * Nothing is asked about an authenticator's maker, and nothing that is said of it is read: its certificates could have
 * the library fetch what they name.
 */
const withoutAttestation = (authenticatorData: string): string => {
  const bytes = Buffer.from(authenticatorData, 'base64url')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([NO_ATTESTATION, length, bytes]).toString('base64url')
}

const NOT_ADDED = 'The passkey was not added: what the device said does not fit this address. Begin again.'

export const add: Answer = async (ports, request, { name, id, clientDataJSON, authenticatorData, transports }) => {
  const { user } = await signedInOf(ports, request)
  const attestationObject = withoutAttestation(String(authenticatorData))
  const response = await ports.auth.handle(
    forwarded(at('/api/auth/passkey/verify-registration', request), {
      name,
      response: credentialOf(id, { clientDataJSON, attestationObject, transports }),
    }),
  )
  const refused = await refusal(response, NOT_ADDED)
  if (refused !== null) throw refused
  if (response.ok) {
    const facts = { clientAddress: clientAddressOf(request), detail: { passkey: String(name) } }
    await ports.events.record('passkey_added', user, facts)
  }
  return response.ok ? Response.json({ name }) : response
}

const credentialOf = (id: unknown, response: object) => ({
  id,
  rawId: id,
  type: 'public-key',
  clientExtensionResults: {},
  response,
})

export const list: Answer = async (ports, request) => {
  const user = (await signedInOf(ports, request)).user.id as UserId
  const items = await ports.database.transaction({ role: 'assay_accounts' }, transaction =>
    listPasskeys(transaction, user),
  )
  return Response.json({ items }, { headers: { 'cache-control': 'no-store' } })
}

const NOT_YOURS = 'You have no such passkey. It may have been removed meanwhile.'

export const rename: Answer = async (ports, request, { id, name }) => {
  const user = (await signedInOf(ports, request)).user.id as UserId
  const isRenamed = await ports.database.transaction({ role: 'assay_accounts' }, transaction =>
    renamePasskey(transaction, user, String(id), String(name)),
  )
  if (!isRenamed) throw new AssayError('not_found', NOT_YOURS)
  return Response.json({ id, name })
}

export const remove: Answer = async (ports, request, { id }) => {
  const { user } = await signedInOf(ports, request)
  const name = await ports.database.transaction({ role: 'assay_accounts' }, transaction =>
    removePasskey(transaction, user.id as UserId, String(id)),
  )
  if (name === undefined) throw new AssayError('not_found', NOT_YOURS)
  const facts = { clientAddress: clientAddressOf(request), detail: { passkey: name } }
  await ports.events.record('passkey_removed', user, facts)
  return Response.json({ id })
}

/** The library would have the device make sure who it is only where it likes to. */
export const beginSignIn: Answer = async (ports, request) => {
  const response = await optionsFrom(ports, 'generate-authenticate-options', request)
  if (!response.ok) return response
  const options = { ...((await response.json()) as object), userVerification: 'required' }
  return Response.json(options, { headers: response.headers })
}

const NOT_ACCEPTED = 'The passkey was not accepted. Try again, or sign in with your password.'

export const signIn: Answer = async (ports, request, { id, ...proof }) => {
  const response = await ports.auth.handle(
    forwarded(at('/api/auth/passkey/verify-authentication', request), { response: credentialOf(id, proof) }),
  )
  const clientAddress = clientAddressOf(request)
  const { user, code = '' } = await answered(response)
  if (response.ok && user) {
    await ports.database.transaction({ role: 'assay_accounts' }, transaction =>
      recordUseOfPasskey(transaction, String(id)),
    )
    await ports.events.recordOf('signed_in', user.id, { clientAddress, detail: { method: 'passkey' } })
    // Who is signed in has it in the cookie; a page needs no token.
    return Response.json({ user }, { headers: response.headers })
  }
  const refused = await refusal(response, NOT_ACCEPTED)
  if (response.status !== 429) await ports.events.signInFailed(null, code, clientAddress)
  if (refused !== null) throw refused
  return response
}
