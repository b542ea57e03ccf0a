import { addressGroup } from '../../infra/runtime/addresses.ts'
import { AssayError, asAssayError } from '../../infra/runtime/errors.ts'
import { createFairQueue } from '../../infra/runtime/fair-queue.ts'
import { bySession } from '../../model/accounts/proofs.ts'
import type { UserId } from '../../schemas/domain/ids.ts'
import { visibleText } from '../../schemas/domain/visible-text.ts'
import { strangerAt } from '../http/body-budget.ts'
import { notAllowed, problem } from '../http/problem.ts'
import { objectIn } from '../http/read-json.ts'
import { checkOrigin } from '../http/requests.ts'
import { validate } from '../operations/call/contract.ts'
import type { BodyLimits } from '../operations/parts/body-limits.ts'
import {
  type AccountRoute,
  type AccountsApiPorts,
  answered,
  at,
  clientAddressOf,
  counted,
  type EventOf,
  forwarded,
  get,
  post,
  withEvent,
} from './account-route.ts'
import type { Body } from './bodies.ts'
import * as bodies from './bodies.ts'
import { readInvitation } from './invitation-route.ts'
import * as passkeyRoutes from './passkey-routes.ts'
import { offersPasskeys } from './passkeys.ts'
import {
  changesAddress,
  endOwnSession,
  listOwnSessions,
  refuseSomebodyElse,
  signedInOf,
  verifyAddress,
} from './sessions.ts'
import * as signOnRoutes from './sign-on/routes.ts'

const always = (): boolean => true

/** A path of the library, opened unchanged; `always` is added to the body. */
const library = (method: AccountRoute['method'], body: AccountRoute['body'], always: object = {}): AccountRoute => ({
  method,
  body,
  answer: ({ auth }, request, given) => auth.handle(forwarded(request, { ...given, ...always })),
})

const signUp: AccountRoute['answer'] = async ({ auth, admission, events }, request, { invitation, ...fields }) => {
  const token = invitation === undefined ? undefined : String(invitation)
  const admitted = await admission.admit(token)
  const response = await auth.handle(forwarded(request, { ...fields, ...admitted }))
  // When another person took the only place meanwhile, the refusal is the same as if they had come before.
  if (response.status === 422) await admission.admit(token)
  if (response.ok) {
    const { user } = await answered(response)
    // For a taken address the library answers as for a free one, with an account that does not exist.
    if (user) await events.recordOf('signed_up', user.id, { clientAddress: clientAddressOf(request) })
  }
  return response
}

/** Second step of a sign-in. */
const secondFactor =
  (path: string, method: string): AccountRoute['answer'] =>
  async ({ auth, events }, request, body) => {
    const response = await auth.handle(forwarded(at(path, request), body))
    const clientAddress = clientAddressOf(request)
    const { user, code = '' } = await answered(response)
    if (response.ok && user) await events.recordOf('signed_in', user.id, { clientAddress, detail: { method } })
    if (response.status === 400 || response.status === 401) await events.signInFailed(null, code, clientAddress)
    return response
  }

/** The first code of an app; from then on each sign-in asks for a code. */
const confirmSecondFactor: AccountRoute['answer'] = async ({ auth, ownWays }, request, body) => {
  const { userId } = await signedInOf(auth, request.headers)
  if ((await ownWays(userId)).has_two_factor) {
    throw new AssayError('conflict', 'Your second factor is on already.')
  }
  return auth.handle(forwarded(at('/api/auth/two-factor/verify-totp', request), body))
}

const signIn: AccountRoute['answer'] = async ({ auth, events }, request, body) => {
  const response = await auth.holdingPassword(String(body.email), () => auth.handle(forwarded(request, body)))
  const clientAddress = clientAddressOf(request)
  const { user, token, code = '' } = await answered(response)
  if (response.ok && user && token) {
    await events.recordOf('signed_in', user.id, { clientAddress, detail: { method: 'password' } })
  }
  if (response.status === 401 || response.status === 403) {
    await events.signInFailed(String(body.email), code, clientAddress)
  }
  return response
}

const CONFIRMED =
  'Your address is confirmed, and this installation sends no mail to confirm another one. Whoever runs it changes it, with `assay account change-address`.'

const changeEmail: AccountRoute['answer'] = async ({ auth, passwordReset }, request, body) => {
  const signedIn = await auth.sessionOf(request.headers)
  if (signedIn?.user.emailVerified && passwordReset.by !== 'mail') throw new AssayError('conflict', CONFIRMED)
  return auth.handle(forwarded(request, body))
}

/** The library answers the same for a taken address; the account's address afterwards tells whether it changed. */
const addressChange: EventOf = async ({ auth }, { headers }, { newEmail }) => {
  const now = await auth.sessionOf(headers)
  return now?.user.email === String(newEmail).toLowerCase() ? 'address_changed' : 'address_change_asked'
}

/** Open paths after `/api/auth/`. Other functions of the library stay closed. */
export const ACCOUNT_ROUTES: Readonly<Record<string, AccountRoute>> = {
  // An invitation makes only one account; without an invitation, every sign-up counts.
  'sign-up/email': counted({ begins: ({ invitation }) => invitation === undefined }, post(bodies.SIGN_UP, signUp)),
  invitation: post(bodies.INVITATION, readInvitation),
  'sign-in/email': counted({ proves: true }, post(bodies.SIGN_IN, signIn)),
  'sign-in/two-factor': post(
    bodies.SECOND_FACTOR,
    secondFactor('/api/auth/two-factor/verify-totp', 'password and second factor'),
  ),
  'sign-in/backup-code': post(
    bodies.SECOND_FACTOR,
    secondFactor('/api/auth/two-factor/verify-backup-code', 'password and backup code'),
  ),
  'sign-in-ways': get(async (ports, { headers }) => {
    const { signOn, ownWays, auth, admission, passwordReset } = ports
    const signedIn = await auth.sessionOf(headers)
    return Response.json(
      {
        password: signOn?.settings.only !== true,
        passkey: offersPasskeys(ports),
        sign_on: signOn?.settings.name ?? null,
        password_reset: passwordReset.by,
        ...(await admission.admitting()),
        own: signedIn && (await ownWays(signedIn.user.id as UserId)),
      },
      { headers: { 'cache-control': 'no-store' } },
    )
  }),
  'sign-in/sign-on': counted({ begins: always }, post(bodies.SIGN_ON, signOnRoutes.begin)),
  'callback/oidc': counted({ ends: true }, get(signOnRoutes.comeBack)),
  'sign-out': withEvent('signed_out', post(bodies.NOTHING, signOnRoutes.signOut)),
  'two-factor/enable': library('POST', bodies.OWN_PASSWORD),
  'two-factor/confirm': withEvent('two_factor_enabled', post(bodies.SECOND_FACTOR, confirmSecondFactor)),
  'two-factor/disable': withEvent('two_factor_disabled', library('POST', bodies.OWN_PASSWORD)),
  'two-factor/generate-backup-codes': withEvent('backup_codes_made', library('POST', bodies.OWN_PASSWORD)),
  'sign-in/passkey-options': counted({ begins: always }, post(bodies.NOTHING, passkeyRoutes.beginSignIn)),
  'sign-in/passkey': counted({ ends: true }, post(bodies.PASSKEY_PROOF, passkeyRoutes.signIn)),
  passkeys: get(passkeyRoutes.list),
  'passkeys/options': post(bodies.OWN_PASSWORD, passkeyRoutes.beginAdding),
  'passkeys/add': post(bodies.NEW_PASSKEY, passkeyRoutes.add),
  'passkeys/rename': post(bodies.PASSKEY_NAME, passkeyRoutes.rename),
  'passkeys/remove': post(bodies.PASSKEY, passkeyRoutes.remove),
  'get-session': library('GET', bodies.NOTHING),
  'update-user': withEvent('name_changed', library('POST', bodies.NAME)),
  'change-email': withEvent(addressChange, post(bodies.EMAIL, changeEmail)),
  'change-password': withEvent('password_changed', library('POST', bodies.PASSWORD, { revokeOtherSessions: true })),
  'list-sessions': get(({ auth }, { headers }) => listOwnSessions(auth, headers)),
  'revoke-session': withEvent(
    'sessions_ended',
    post(bodies.SESSION, ({ auth }, { headers }, { id }) => endOwnSession(auth, headers, String(id))),
  ),
  'revoke-other-sessions': withEvent('sessions_ended', library('POST', bodies.NOTHING)),
  'request-password-reset': counted(
    { begins: always },
    post(bodies.RESET_REQUEST, async ({ passwordReset }, _request, { email }) => {
      await passwordReset.request(String(email))
      return Response.json({ status: true })
    }),
  ),
  'reset-password': library('POST', bodies.RESET),
  'verify-email': withEvent(
    async (_ports, _request, { token }) => (changesAddress(String(token)) ? 'address_changed' : 'address_verified'),
    post(bodies.VERIFICATION, ({ auth }, request, { token }) => verifyAddress(auth, request, String(token))),
  ),
  'send-verification-email': post(bodies.NOTHING, async ({ auth }, request) => {
    const { user } = await signedInOf(auth, request.headers)
    return auth.handle(forwarded(request, { email: user.email }))
  }),
  'delete-user': library('POST', bodies.DELETION),
}

/** Paths that are closed when single sign-on is the only way in. */
const BESIDE_SIGN_ON: ReadonlySet<string> = new Set([
  'sign-up/email',
  'sign-in/email',
  'sign-in/two-factor',
  'sign-in/backup-code',
  'request-password-reset',
  'reset-password',
  'change-password',
  'change-email',
  'two-factor/enable',
  'sign-in/passkey-options',
  'sign-in/passkey',
  'passkeys/options',
  'passkeys/add',
])

/** Paths for people without a session; their writes need no session. */
export const WITHOUT_SESSION =
  /^(sign-in|sign-up|callback)\/|^(sign-in-ways|invitation|request-password-reset|reset-password)$/
/** Sign-out only ends the session, so it may run after the session has ended. */
const ENDS_SESSION = 'sign-out'

/** Paths that take the session of a browser: a sign-in with a password does until the second factor is given. */
const TAKES_SESSION: ReadonlySet<string> = new Set([ENDS_SESSION, 'delete-user', 'sign-in/email'])
const EMPTIED_SESSION = /^[^=]*\.(?:session_token|session_data|dont_remember)=;/

/**
 * The library takes the cookie of a session that has ended, wherever it meets one. It stays: a change of the account
 * ends sessions, and the browser may have got the cookie of a newer one while this answer was on its way.
 */
const leaveSession = ({ headers }: Response): void => {
  const others = headers.getSetCookie().filter(cookie => !EMPTIED_SESSION.test(cookie))
  headers.delete('set-cookie')
  for (const cookie of others) headers.append('set-cookie', cookie)
}

const PREFIX = '/api/auth/'
const BODY: BodyLimits = { bytes: 16 * 1024, values: 100, depth: 8 }

const readBody = async (
  { door }: AccountsApiPorts,
  request: Request,
  { method, body }: AccountRoute,
  path: string,
): Promise<Body> => {
  if (method === 'GET') return {}
  // Runs before the session is looked up, so the body counts for the client's address.
  const { value } = await door.json(request, strangerAt(clientAddressOf(request) ?? ''), BODY)
  const given = objectIn(value)
  if (given === null) throw new AssayError('invalid_input', 'The body must be a JSON object.')
  validate({ input: body }, given, path)
  if (typeof given.name !== 'string') return given
  // Names reach other people and agents, so invisible characters are removed; a password stays unchanged.
  const shown = { ...given, name: visibleText(given.name) }
  validate({ input: body }, shown, path)
  return shown
}

interface Done {
  readonly request: Request
  readonly body: Body
  readonly person: { readonly id: string; readonly name: string; readonly email: string }
}

const recordEvent = async (ports: AccountsApiPorts, { event }: AccountRoute, { request, body, person }: Done) => {
  const what = typeof event === 'function' ? await event(ports, request, body) : (event ?? null)
  if (what !== null) await ports.events.record(what, person, { clientAddress: clientAddressOf(request) })
}

interface Beginning {
  readonly request: Request
  readonly body: Body
  /** The signed-in person's id; null without a session. */
  readonly account: string | null
}

/** A GET counts as a try only when its route has rules for tries. */
const beginTry = ({ tries }: AccountsApiPorts, way: AccountRoute, { request, body, account }: Beginning) => {
  if (way.method === 'GET' && way.tries === undefined) return () => {}
  return tries.begin({
    address: clientAddressOf(request) ?? '',
    account: typeof body.email === 'string' ? body.email.toLowerCase() : account,
    rules: way.tries ?? {},
    body,
  })
}

/** A redirect is a success unless its address carries an error of the issuer. */
const isSuccess = ({ ok, status, headers }: Response): boolean =>
  ok || (status === 302 && !/[?&]error=/.test(headers.get('location') ?? ''))

/** Requests of an address that are answered at once, and that wait: each request queries the database. */
const OF_ADDRESS = { each: 20, waiting: 1000 }

/** Answers `/api/auth/*`. */
export const createAccountsApi = (ports: AccountsApiPorts) => {
  const turn = createFairQueue<string>(OF_ADDRESS)
  const answer = async (way: AccountRoute, path: string, request: Request, body: Body): Promise<Response> => {
    // Read before the answer: a sign-out ends the session, and the mail about a changed address goes to the address
    // before.
    const person = WITHOUT_SESSION.test(path) ? null : await ports.auth.sessionOf(request.headers)
    if (person) refuseSomebodyElse(request.headers, person.user.id)
    const succeeded = beginTry(ports, way, { request, body, account: person?.user.id ?? null })
    const hold = person && path !== ENDS_SESSION ? bySession(person.user.id as UserId, person.session.id) : null
    const response = await ports.auth.holding(hold, () => way.answer(ports, request, body))
    if (response.ok && person) await recordEvent(ports, way, { request, body, person: person.user })
    if (isSuccess(response)) succeeded()
    if (!TAKES_SESSION.has(path)) leaveSession(response)
    return response
  }
  return async (request: Request): Promise<Response> => {
    try {
      const { pathname } = new URL(request.url)
      const path = pathname.slice(PREFIX.length)
      const way = Object.hasOwn(ACCOUNT_ROUTES, path) ? ACCOUNT_ROUTES[path] : undefined
      if (way === undefined) throw new AssayError('not_found', `There is nothing at ${pathname}.`)
      if (way.method !== request.method) throw notAllowed(way.method)
      checkOrigin(request.headers, ports.origins)
      if (ports.signOn?.settings.only === true && BESIDE_SIGN_ON.has(path)) throw signOnRoutes.onlyWay(ports.signOn)
      // The body is read before the turn, so a body without an end blocks no turn.
      const body = await readBody(ports, request, way, path)
      const group = addressGroup(clientAddressOf(request) ?? '')
      return await turn(group, () => answer(way, path, request, body))
    } catch (thrown) {
      return problem(asAssayError(thrown))
    }
  }
}
