import { AssayError, asAssayError } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
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
  (auth: Auth, origins: readonly string[], log: Pick<Logger, 'error'>) =>
  async (request: Request): Promise<Response> => {
    try {
      const { pathname } = new URL(request.url)
      if (!OPEN.has(pathname)) throw new AssayError('not_found', `There is nothing at ${pathname}.`)
      checkOrigin(request.headers, origins)
      const response = await auth.handle(request)
      const wait = response.headers.get('x-retry-after')
      if (response.status !== 429 || wait === null) return response
      const message = `Too many tries from this address. Try again in ${wait} s.`
      throw new AssayError('rate_limited', message, { retryAfterSeconds: Number(wait) })
    } catch (thrown) {
      const error = asAssayError(thrown)
      if (error.code === 'internal') log.error({ err: error }, 'A request to the accounts failed.')
      return problem(error)
    }
  }
