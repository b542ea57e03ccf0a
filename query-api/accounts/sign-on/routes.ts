import { AssayError } from '../../../infra/runtime/errors.ts'
import { sha256 } from '../../../infra/runtime/secrets.ts'
import { isInApp } from '../../../schemas/http/workspace-address.ts'
import { type AccountRoute, at, clientAddressOf, forwarded } from '../account-route.ts'
import { type Passage, PROVIDER, type SignOn } from './sign-on.ts'

type Answer = AccountRoute['answer']

/** Refusal of a password when single sign-on is the only way in. */
export const onlyWay = ({ settings: { name } }: SignOn): AssayError =>
  new AssayError(
    'forbidden',
    `People sign in with ${name} here, and with nothing else. Its own pages change a password or an address.`,
  )

const requireSignOn = (signOn: SignOn | null): SignOn => {
  if (signOn !== null) return signOn
  throw new AssayError('not_found', 'This installation has no single sign-on.')
}

/** An address within the app, whatever the link contains. */
const addressInApp = (back: unknown): string => (isInApp(String(back)) ? String(back) : '/app')

/**
 * Answers the issuer's address to go to. The library makes the state, the verifier and the nonce, and binds them to
 * this browser with a cookie. The state carries the hash of the person's invitation, so that a new account joins the
 * invitation's workspace.
 */
export const begin: Answer = async ({ auth, signOn }, request, { back, invitation }) => {
  requireSignOn(signOn)
  const signInBody = {
    provider: PROVIDER,
    callbackURL: addressInApp(back),
    errorCallbackURL: '/sign-in',
    disableRedirect: true,
    ...(invitation !== undefined && { additionalData: { invitationHash: sha256(String(invitation)).toString('hex') } }),
  }
  return auth.handleWithSignOn(forwarded(at('/api/auth/sign-in/social', request), signInBody))
}

/** The issuer redirects a browser to this route. */
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

/** The issuer's error text stays away from the page; only the code goes there. */
const toSignIn = (response: Response, failed: string | null): Response => {
  const headers = new Headers({ location: `/sign-in?error=${encodeURIComponent(failed?.slice(0, 80) ?? 'unknown')}` })
  for (const cookie of response.headers.getSetCookie()) headers.append('set-cookie', cookie)
  return new Response(null, { status: 302, headers })
}

/** Ends the session. Answers the address that ends the issuer's session, if the issuer offers one. */
export const signOut: Answer = async ({ auth, baseUrl }, request) => {
  if (!auth.knowsIssuer()) return auth.handle(forwarded(request, {}))
  return auth.handleWithSignOn(forwarded(request, { callbackURL: `${baseUrl}/sign-in`, disableRedirect: true }))
}
