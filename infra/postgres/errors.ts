import pg from 'pg'
import { AssayError, isAssayError } from '../runtime/errors.ts'

/** SQLSTATEs, or their first characters (PostgreSQL manual, appendix A), that mean the server as a whole is not there for us. */
const AWAY = ['08', '53', '57P', '58']
const AWAY_SYSTEM_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])
/** pg reports these without a code. */
const AWAY_MESSAGES =
  /^Connection terminated|^timeout exceeded when trying to connect|^Client has encountered a connection error|^Cannot use a pool after calling end/
const BUSY = new Set(['40001', '40P01', '55P03'])
const CANCELED = '57014'
const IDLE_TIMEOUT = '25P03'

const codeOf = (error: object): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

const fromServer = (error: pg.DatabaseError): AssayError => {
  const code = codeOf(error)
  if (code === CANCELED) return new AssayError('timeout', 'The database took too long.', { cause: error })
  if (AWAY.some(prefix => code.startsWith(prefix)) || code === IDLE_TIMEOUT)
    return new AssayError('unavailable', 'The database is unavailable.', { cause: error })
  if (BUSY.has(code))
    return new AssayError('busy', 'The database is busy with a competing change. Try again.', { cause: error })
  if (code.startsWith('23'))
    return new AssayError('conflict', 'The change conflicts with what is stored.', { cause: error })
  if (code.startsWith('22'))
    return new AssayError('invalid_input', 'A value cannot be stored as it is.', { cause: error })
  return new AssayError('internal', 'An unexpected error occurred.', { cause: error })
}

/** A driver's error as the one type; `cause` is the driver's, so `cause.code` has the SQLSTATE. Other errors pass unchanged. */
export const databaseError = (error: unknown): unknown => {
  if (isAssayError(error) || !(error instanceof Error)) return error
  if (error instanceof pg.DatabaseError) return fromServer(error)
  if (error.message === 'Query read timeout')
    return new AssayError('timeout', 'The database took too long.', { cause: error })
  if (AWAY_SYSTEM_ERRORS.has(codeOf(error)) || AWAY_MESSAGES.test(error.message))
    return new AssayError('unavailable', 'The database is unavailable.', { cause: error })
  return error
}
