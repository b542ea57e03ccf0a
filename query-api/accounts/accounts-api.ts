import type { TObject } from 'typebox'
import { AssayError, asAssayError } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { visibleText } from '../../schemas/domain/visible-text.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'
import { checkOrigin } from '../http/origins.ts'
import { notAllowed, problem } from '../http/problem.ts'
import { readJsonText } from '../http/read-body.ts'
import { validate } from '../operations/call/validate.ts'
import type { Auth } from './auth.ts'
import * as bodies from './bodies.ts'
import { endOwnSession, listOwnSessions } from './own-sessions.ts'
import type { PasswordReset } from './password-reset.ts'
import type { SignUpCheck } from './sign-up-check.ts'
import { verifyAddress } from './verify-address.ts'

export interface AccountsApiPorts {
  readonly auth: Auth
  readonly admission: SignUpCheck
  readonly passwordReset: PasswordReset
  readonly origins: readonly string[]
  readonly log: Pick<Logger, 'error'>
}

type Body = Readonly<Record<string, unknown>>

interface AccountRoute {
  readonly method: 'GET' | 'POST'
  readonly body: TObject
  readonly answer: (ports: AccountsApiPorts, request: Request, body: Body) => Promise<Response>
}

/** Hands a request on to the library, with nothing in its body but what the door knows. */
const forwarded = (request: Request, body: object): Request => {
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  const { method, url } = request
  return new Request(url, method === 'GET' ? { headers } : { method, headers, body: JSON.stringify(body) })
}

const get = (answer: AccountRoute['answer']): AccountRoute => ({ method: 'GET', body: bodies.NOTHING, answer })
const post = (body: TObject, answer: AccountRoute['answer']): AccountRoute => ({ method: 'POST', body, answer })

/** A way of the library, opened as it is; `always` is added to what came. */
const library = (method: AccountRoute['method'], body: TObject, always: object = {}): AccountRoute => ({
  method,
  body,
  answer: ({ auth }, request, given) => auth.handle(forwarded(request, { ...given, ...always })),
})

const signUp: AccountRoute['answer'] = async ({ auth, admission }, request, { invitation, ...fields }) => {
  const token = invitation === undefined ? undefined : String(invitation)
  const admitted = await admission.admit(token)
  const response = await auth.handle(forwarded(request, { ...fields, ...admitted }))
  // Where somebody else was quicker, it is said as if they had come before.
  if (response.status === 422) await admission.admit(token)
  return response
}

/** What is open of the accounts, after `/api/auth/`. Everything else that the library could do has no page and no door. */
export const ACCOUNT_ROUTES: Readonly<Record<string, AccountRoute>> = {
  'sign-up': get(async ({ admission }) => Response.json({ admits: await admission.admits() })),
  'sign-up/email': post(bodies.SIGN_UP, signUp),
  'sign-in/email': library('POST', bodies.SIGN_IN),
  'sign-out': library('POST', bodies.NOTHING),
  'get-session': library('GET', bodies.NOTHING),
  'update-user': library('POST', bodies.NAME),
  'change-email': library('POST', bodies.EMAIL),
  'change-password': library('POST', bodies.PASSWORD, { revokeOtherSessions: true }),
  'list-sessions': get(({ auth }, { headers }) => listOwnSessions(auth, headers)),
  'revoke-session': post(bodies.SESSION, ({ auth }, { headers }, { id }) => endOwnSession(auth, headers, String(id))),
  'revoke-other-sessions': library('POST', bodies.NOTHING),
  'password-reset': get(async ({ passwordReset }) => Response.json({ by: passwordReset.by })),
  'request-password-reset': post(bodies.RESET_REQUEST, async ({ passwordReset }, { headers }, { email }) => {
    await passwordReset.request(String(email), headers.get(CLIENT_ADDRESS_HEADER) ?? '')
    return Response.json({ status: true })
  }),
  'reset-password': library('POST', bodies.RESET),
  'verify-email': post(bodies.VERIFICATION, ({ auth }, request, { token }) =>
    verifyAddress(auth, request, String(token)),
  ),
  'send-verification-email': post(bodies.NOTHING, async ({ auth }, request) => {
    const signedIn = await auth.sessionOf(request.headers)
    if (!signedIn) throw new AssayError('unauthorized', 'Not signed in. Sign in at /sign-in and repeat the request.')
    return auth.handle(forwarded(request, { email: signedIn.user.email }))
  }),
  'delete-user': library('POST', bodies.DELETION),
}

const PREFIX = '/api/auth/'
const MAX_BODY_BYTES = 16 * 1024

const readBody = async (request: Request, { method, body }: AccountRoute, path: string): Promise<Body> => {
  if (method === 'GET') return {}
  const text = await readJsonText(request, MAX_BODY_BYTES)
  const given = parsed(text)
  validate({ input: body }, given, path)
  if (typeof given.name !== 'string') return given
  // What people call themselves reaches others and their agents as it is read; a password stays as it is.
  const shown = { ...given, name: visibleText(given.name) }
  validate({ input: body }, shown, path)
  return shown
}

const parsed = (text: string): Body => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Refused below, like JSON that is no object.
  }
  throw new AssayError('invalid_input', 'The body must be a JSON object.')
}

/** `/api/auth/*`. */
export const createAccountsApi =
  (ports: AccountsApiPorts) =>
  async (request: Request): Promise<Response> => {
    try {
      const { pathname } = new URL(request.url)
      const path = pathname.slice(PREFIX.length)
      const way = Object.hasOwn(ACCOUNT_ROUTES, path) ? ACCOUNT_ROUTES[path] : undefined
      if (way === undefined) throw new AssayError('not_found', `There is nothing at ${pathname}.`)
      if (way.method !== request.method) throw notAllowed(way.method)
      checkOrigin(request.headers, ports.origins)
      const response = await way.answer(ports, request, await readBody(request, way, path))
      const wait = response.headers.get('x-retry-after')
      if (response.status !== 429 || wait === null) return response
      const message = `Too many tries from this address. Try again in ${wait} s.`
      throw new AssayError('rate_limited', message, { retryAfterSeconds: Number(wait) })
    } catch (thrown) {
      const error = asAssayError(thrown)
      if (error.code === 'internal') ports.log.error({ err: error }, 'A request to the accounts failed.')
      return problem(error)
    }
  }
