import { AssayError } from '../../../infra/runtime/errors.ts'
import { type AccountRoute, at, clientAddressOf, forwarded } from '../account-route.ts'
import { type Passage, PROVIDER, type SignOn } from './sign-on.ts'

type Answer = AccountRoute['answer']

/** For whoever comes with a password where that is no way in. */
export const onlyWay = ({ settings: { name } }: SignOn): AssayError =>
  new AssayError(
    'forbidden',
    `People sign in with ${name} here, and with nothing else. Its own pages change a password or an address.`,
  )

const requireSignOn = (signOn: SignOn | null): SignOn => {
  if (signOn !== null) return signOn
  throw new AssayError('not_found', 'This installation has no single sign-on.')
}

/** Only ever an address of the app, whatever a link says. */
const addressInApp = (back: unknown): string => (/^\/app(\/|\?|$)/.test(String(back)) ? String(back) : '/app')

/**
 * Answers the issuer's address to go to. The state, the verifier and the nonce are the library's, bound to this browser
 * by a cookie.
 */
export const begin: Answer = async ({ auth, signOn }, request, { back }) => {
  requireSignOn(signOn)
  const signInBody = {
    provider: PROVIDER,
    callbackURL: addressInApp(back),
    errorCallbackURL: '/sign-in',
    disableRedirect: true,
  }
  return auth.handleWithSignOn(forwarded(at('/api/auth/sign-in/social', request), signInBody))
}

/** Where the issuer sends a browser back to. */
export const comeBack: Answer = async ({ auth, signOn, events, baseUrl }, request) => {
  const { passages } = requireSignOn(signOn)
  const passage: Passage = {}
  const clientAddress = clientAddressOf(request)
  const response = await passages.run(passage, () => auth.handleWithSignOn(request))
  const { user, email = null, isNew = false, isLinked = false } = passage
  const location = new URL(response.headers.get('location') ?? '/sign-in', baseUrl)
  const failed = location.searchParams.get('error')
  if (failed !== null || user === undefined) {
    await events.signInFailed(email, failed?.slice(0, 80) ?? 'unknown', clientAddress)
    return toSignIn(response, failed)
  }
  const detail = { method: 'sign_on' }
  if (isNew) await events.recordOf('signed_up', user, { clientAddress, detail })
  if (isLinked) await events.recordOf('sign_on_linked', user, { clientAddress })
  await events.recordOf('signed_in', user, { clientAddress, detail })
  return response
}

/** What the issuer says of its errors is not for the page: the code alone goes there. */
const toSignIn = (response: Response, failed: string | null): Response => {
  const headers = new Headers({ location: `/sign-in?error=${encodeURIComponent(failed?.slice(0, 80) ?? 'unknown')}` })
  for (const cookie of response.headers.getSetCookie()) headers.append('set-cookie', cookie)
  return new Response(null, { status: 302, headers })
}

/** Ends the session, and answers where the one at the issuer ends too, if it offers that. */
export const signOut: Answer = async ({ auth, baseUrl }, request) => {
  if (!auth.knowsIssuer()) return auth.handle(forwarded(request, {}))
  return auth.handleWithSignOn(forwarded(request, { callbackURL: `${baseUrl}/sign-in`, disableRedirect: true }))
}
