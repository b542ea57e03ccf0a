import { AssayError, asAssayError } from '../../infra/runtime/errors.ts'
import { checkOrigin } from '../http/origins.ts'
import { problem } from '../http/problem.ts'
import type { Auth } from './auth.ts'

/** What of the library is open: signing up, in and out, and who one is. Everything else it could do has no page and no door. */
const OPEN = new Set([
  '/api/auth/sign-up/email',
  '/api/auth/sign-in/email',
  '/api/auth/sign-out',
  '/api/auth/get-session',
])

/** `/api/auth/*`. */
export const createAccountsDoor =
  (auth: Auth, origins: readonly string[]) =>
  async (request: Request): Promise<Response> => {
    try {
      const { pathname } = new URL(request.url)
      if (!OPEN.has(pathname)) throw new AssayError('not_found', `There is nothing at ${pathname}.`)
      checkOrigin(request.headers, origins)
      const response = await auth.handler(request)
      const wait = response.headers.get('x-retry-after')
      if (response.status !== 429 || wait === null) return response
      const message = `Too many tries from this address. Try again in ${wait} s.`
      throw new AssayError('rate_limited', message, { retryAfterSeconds: Number(wait) })
    } catch (error) {
      return problem(asAssayError(error))
    }
  }
