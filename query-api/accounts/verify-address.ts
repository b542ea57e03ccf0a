import { AssayError } from '../../infra/runtime/errors.ts'
import type { Auth } from './auth.ts'

const SIGN_IN =
  'Sign in with the address that you have had so far, in this browser, and open the link again: it changes the address of your account.'

/** Whether a token changes an address. Only what the library signed does anything: this decides what else is asked for. */
export const changesAddress = (token: string): boolean => {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return typeof payload === 'object' && payload !== null && 'updateTo' in payload
  } catch {
    return false
  }
}

/**
 * Takes the token of a link that was sent to an address. The library would sign in whoever opens the link of a changed address; where that was
 * mistyped, it is a stranger's. So a change asks for the account's own session.
 */
export const verifyAddress = async (auth: Auth, { headers, url }: Request, token: string): Promise<Response> => {
  if (changesAddress(token) && !(await auth.sessionOf(headers))) throw new AssayError('unauthorized', SIGN_IN)
  const asked = new URL('/api/auth/verify-email', url)
  asked.searchParams.set('token', token)
  return auth.handle(new Request(asked, { headers }))
}
