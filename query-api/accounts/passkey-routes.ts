import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { holdSession } from '../../model/accounts/accounts.ts'
import { listPasskeys, recordUseOfPasskey, removePasskey, renamePasskey } from '../../model/accounts/passkeys.ts'
import { byPasskey } from '../../model/accounts/proofs.ts'
import type { UserId } from '../../schemas/domain/ids.ts'
import { type AccountRoute, type AccountsApiPorts, answered, at, clientAddressOf, forwarded } from './account-route.ts'
import { offersPasskeys, PASSWORD_HEADER } from './passkeys.ts'
import { notSignedIn, signedInOf } from './sessions.ts'

type Answer = AccountRoute['answer']

const inAccounts = <T>({ database }: AccountsApiPorts, work: (transaction: Transaction) => Promise<T>): Promise<T> =>
  database.transaction({ role: 'assay_accounts' }, work)

/** Runs a transaction on the passkeys of a person whose session must last until the commit. */
const whileSignedIn = <T>(
  ports: AccountsApiPorts,
  { userId, session }: Awaited<ReturnType<typeof signedInOf>>,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> =>
  inAccounts(ports, async transaction => {
    if (await holdSession(transaction, userId, session.id)) return work(transaction)
    throw notSignedIn()
  })

const passkeysOf = (ports: AccountsApiPorts, user: UserId) =>
  inAccounts(ports, transaction => listPasskeys(transaction, user))

const NOWHERE =
  'There are no passkeys here: browsers make them for a host with a name, and BASE_URL has an address by number.'

/** The library's question for the browser's authenticator; the answer sets a cookie that identifies the question. */
const optionsFrom = (ports: AccountsApiPorts, way: string, request: Request, password = '') => {
  if (!offersPasskeys(ports)) throw new AssayError('conflict', NOWHERE)
  const question = forwarded(at(`/api/auth/passkey/${way}`, request, 'GET'), {})
  question.headers.set(PASSWORD_HEADER, Buffer.from(password).toString('base64url'))
  return ports.auth.handle(question)
}

const TOO_LATE = 'This took longer than five minutes, was sent twice, or began in another browser. Begin again.'

const REFUSALS: Readonly<Record<string, string>> = {
  CHALLENGE_NOT_FOUND: TOO_LATE,
  PASSKEY_NOT_FOUND: 'This passkey is not known here. Sign in with your password, and remove it from your device.',
  PERSON_NOT_VERIFIED:
    'Your device did not make sure that it is you. Set a PIN, a fingerprint or a face up there, and try again.',
}

/** Codes that `auth-options.ts` refuses with a sentence of its own. */
const SAYS_WHY = ['ACCOUNT_DISABLED', 'ADDRESS_NOT_VERIFIED']

/** The library's refusal when it contains an explanation. Otherwise rejects with our sentence. */
const refused = async (response: Response, otherwise: string): Promise<Response> => {
  const { code = '' } = await answered(response)
  if (SAYS_WHY.includes(code)) return response
  throw new AssayError('unauthorized', REFUSALS[code] ?? otherwise)
}

const NO_PASSWORD = 'A passkey stands in for your password, and you have none: you sign in with single sign-on alone.'
const MAX_PASSKEYS = 20
const ENOUGH = `An account has at most ${MAX_PASSKEYS} passkeys. Remove one that you do not use first.`

/** The library asks for the password here (`askForPassword`) and makes the question that `add` answers. */
export const beginAdding: Answer = async (ports, request, { password }) => {
  const { userId } = await signedInOf(ports.auth, request.headers)
  if (!(await ports.ownWays(userId)).has_password) throw new AssayError('conflict', NO_PASSWORD)
  if ((await passkeysOf(ports, userId)).length >= MAX_PASSKEYS) throw new AssayError('conflict', ENOUGH)
  return optionsFrom(ports, 'generate-register-options', request, String(password))
}

/** CBOR of `{ fmt: "none", attStmt: {}, authData: … }` up to the length of `authData`, which takes two bytes. */
const NO_ATTESTATION = Buffer.from('\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59', 'latin1')

/**
 * Drops the attestation about the authenticator's maker: its certificates could make the library fetch addresses that
 * they name.
 */
const withoutAttestation = (authenticatorData: string): string => {
  const bytes = Buffer.from(authenticatorData, 'base64url')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([NO_ATTESTATION, length, bytes]).toString('base64url')
}

const NOT_ADDED = 'The passkey was not added: what the device said does not fit this address. Begin again.'

export const add: Answer = async (ports, request, { name, id, clientDataJSON, authenticatorData, transports }) => {
  const { user } = await signedInOf(ports.auth, request.headers)
  const attestationObject = withoutAttestation(String(authenticatorData))
  const response = await ports.auth.handle(
    forwarded(at('/api/auth/passkey/verify-registration', request), {
      name,
      response: credentialOf(id, { clientDataJSON, attestationObject, transports }),
    }),
  )
  if (!response.ok) return refused(response, NOT_ADDED)
  const facts = { clientAddress: clientAddressOf(request), detail: { passkey: String(name) } }
  await ports.events.record('passkey_added', user, facts)
  return Response.json({ name })
}

const credentialOf = (id: unknown, response: object) => ({
  id,
  rawId: id,
  type: 'public-key',
  clientExtensionResults: {},
  response,
})

export const list: Answer = async (ports, request) => {
  const { userId } = await signedInOf(ports.auth, request.headers)
  const items = await passkeysOf(ports, userId)
  return Response.json({ items }, { headers: { 'cache-control': 'no-store' } })
}

const NOT_YOURS = 'You have no such passkey. It may have been removed meanwhile.'

export const rename: Answer = async (ports, request, { id, name }) => {
  const person = await signedInOf(ports.auth, request.headers)
  const isRenamed = await whileSignedIn(ports, person, transaction =>
    renamePasskey(transaction, person.userId, String(id), String(name)),
  )
  if (!isRenamed) throw new AssayError('not_found', NOT_YOURS)
  return Response.json({ id, name })
}

export const remove: Answer = async (ports, request, { id }) => {
  const person = await signedInOf(ports.auth, request.headers)
  const { user, userId } = person
  const name = await whileSignedIn(ports, person, transaction => removePasskey(transaction, userId, String(id)))
  if (name === undefined) throw new AssayError('not_found', NOT_YOURS)
  const facts = { clientAddress: clientAddressOf(request), detail: { passkey: name } }
  await ports.events.record('passkey_removed', user, facts)
  return Response.json({ id })
}

/** The library makes user verification optional; Assay requires it. */
export const beginSignIn: Answer = async (ports, request) => {
  const response = await optionsFrom(ports, 'generate-authenticate-options', request)
  if (!response.ok) return response
  const options = { ...((await response.json()) as object), userVerification: 'required' }
  return Response.json(options, { headers: response.headers })
}

const NOT_ACCEPTED = 'The passkey was not accepted. Try again, or sign in with your password.'

export const signIn: Answer = async (ports, request, { id, ...proof }) => {
  const answer = forwarded(at('/api/auth/passkey/verify-authentication', request), {
    response: credentialOf(id, proof),
  })
  const response = await ports.auth.holding(
    await inAccounts(ports, transaction => byPasskey(transaction, String(id))),
    () => ports.auth.handle(answer),
  )
  const clientAddress = clientAddressOf(request)
  const { user, code = '' } = await answered(response)
  if (!response.ok || user === undefined) {
    await ports.events.signInFailed(null, code, clientAddress)
    return refused(response, NOT_ACCEPTED)
  }
  await inAccounts(ports, transaction => recordUseOfPasskey(transaction, String(id)))
  await ports.events.recordOf('signed_in', user.id, { clientAddress, detail: { method: 'passkey' } })
  // The session is in the cookie; a page needs no token.
  return Response.json({ user }, { headers: response.headers })
}
