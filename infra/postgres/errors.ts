import pg from 'pg'
import { AssayError, isAssayError } from '../runtime/errors.ts'

/** SQLSTATEs, or their prefixes (PostgreSQL manual, appendix A), which mean that the server as a whole is away. */
const AWAY = ['08', '53', '57P', '58']
/** The resource that the server has used up, by SQLSTATE. */
const USED_UP: Readonly<Record<string, string>> = {
  '53100': 'The database’s disk is full.',
  '53200': 'The database has no memory left.',
  '53300': 'The database has no free connection.',
}
const AWAY_SYSTEM_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNABORTED',
])
/** Codes of Node's TLS, and pg's message for a server without TLS. */
const INSECURE = /^(ERR_TLS|ERR_SSL|CERT|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)|^The server does not support SSL/
/** Errors that pg reports without a code. */
const AWAY_MESSAGES =
  /^Connection terminated|^timeout exceeded when trying to connect|^Client has encountered a connection error|^Cannot use a pool after calling end/
/** Reasons of a failed secure connection, without hosts, addresses and names that the driver's message has. */
const INSECURE_FOR: readonly (readonly [RegExp, string])[] = [
  [/support SSL/, 'the server does not support SSL'],
  [/ALTNAME/, 'the certificate of the server is of another host'],
  [/EXPIRED/, 'the certificate of the server has expired'],
  [/NOT_YET_VALID/, 'the certificate of the server is not valid yet'],
  [/REVOKED/, 'the certificate of the server was revoked'],
  [/SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|UNTRUSTED|CERT/, 'the certificate of the server is not one that is trusted here'],
]
const insecureFor = (said: string): string =>
  INSECURE_FOR.find(([pattern]) => pattern.test(said))?.[1] ?? 'server and client do not agree on how'
const BUSY = new Set(['40001', '40P01', '55P03'])
const CANCELED = '57014'
/** The server ended an idle or too long transaction. */
const CUT_OFF = new Set(['25P03', '25P04'])
/** An index row or a search vector exceeds its limit (program_limit_exceeded). */
const BEYOND_LIMITS = '54000'
/** Raised by `require_whole_workspace`. */
const BEING_IMPORTED = 'AS001'
/** A reference to a claim that was merged; see `0050_evidence_of_living_claims.sql`. */
const OF_LIVING_CLAIM = /_of_living_claim$/
/** Raised by `require_standing`. */
const PROOF_ENDED = 'AS002'
const ROLE_LOST = 'AS003'
const NO_SUCH_DATABASE = '3D000'
const REFUSED_LOGIN = '28'

/** A pooler such as PgBouncer refuses a session setting. */
const REFUSED_PARAMETER = /unsupported startup parameter(?: in options)?: "?(\w+)/
/** The server's message to a client without TLS, where it requires TLS. */
const EXPECTS_TLS = /no encryption|SSL off|requires? (an )?(encrypted|SSL|TLS)|SSL (connection )?(is )?required/i

const codeOf = (error: object): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

const fromServer = (error: pg.DatabaseError): AssayError => {
  const code = codeOf(error)
  if (code === CANCELED) return new AssayError('timeout', 'The database took too long.', { cause: error })
  const [, parameter] = REFUSED_PARAMETER.exec(error.message) ?? []
  if (parameter !== undefined)
    return new AssayError(
      'invalid_configuration',
      `What answers at DATABASE_URL takes no ${parameter}: it is a pooler, such as PgBouncer. Give it ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout, or have DATABASE_URL lead to PostgreSQL itself.`,
      { cause: error },
    )
  if (EXPECTS_TLS.test(error.message))
    return new AssayError(
      'unavailable',
      'The database expects an encrypted connection. DATABASE_URL takes one with ?sslmode=verify-full at its end.',
      { cause: error },
    )
  if (AWAY.some(prefix => code.startsWith(prefix)) || CUT_OFF.has(code))
    return new AssayError('unavailable', USED_UP[code] ?? 'The database is unavailable.', { cause: error })
  // `unavailable`, not `invalid_configuration`: the password or database may be corrected, and work waits for that.
  if (code.startsWith(REFUSED_LOGIN))
    return new AssayError('unavailable', 'The database refuses the user or the password of DATABASE_URL.', {
      cause: error,
    })
  if (code === NO_SUCH_DATABASE)
    return new AssayError('unavailable', 'The server has no database of that name. Create it, or mend DATABASE_URL.', {
      cause: error,
    })
  if (BUSY.has(code))
    return new AssayError('busy', 'The database is busy with a competing change. Try again.', { cause: error })
  if (code === BEING_IMPORTED)
    return new AssayError(
      'conflict',
      'An export is being imported into this workspace. It opens when all of it is there; Run → Import & export says how far it is.',
      { cause: error },
    )
  if (OF_LIVING_CLAIM.test(error.constraint ?? ''))
    return new AssayError('busy', 'A claim was merged into another one at the same moment. Try again.', {
      cause: error,
    })
  if (code === PROOF_ENDED)
    return new AssayError(
      'unauthorized',
      'The key was deleted, or the session has ended. Nothing was changed. Sign in again, or use another key.',
      { cause: error },
    )
  if (code === ROLE_LOST)
    return new AssayError(
      'forbidden',
      'You have another role in this workspace by now, or are no member of it any more. Nothing was changed. Repeat the call to see what your role allows; an owner can change it.',
      { cause: error },
    )
  if (code.startsWith('23'))
    return new AssayError('conflict', 'The change conflicts with what is stored.', { cause: error })
  if (code.startsWith('22'))
    return new AssayError('invalid_input', 'A value cannot be stored as it is.', { cause: error })
  if (code === BEYOND_LIMITS)
    return new AssayError('too_large', 'A value is too large to be stored as it is.', { cause: error })
  return new AssayError('internal', 'An unexpected error occurred.', { cause: error })
}

/**
 * Translates a driver's error. `cause` is the driver's error, hence `cause.code` has the SQLSTATE. Other errors are
 * returned unchanged.
 */
export const databaseError = (error: unknown): unknown => {
  if (isAssayError(error) || !(error instanceof Error)) return error
  if (error instanceof pg.DatabaseError) return fromServer(error)
  if (error.message === 'Query read timeout')
    return new AssayError('timeout', 'The database took too long.', { cause: error })
  if (AWAY_SYSTEM_ERRORS.has(codeOf(error)) || AWAY_MESSAGES.test(error.message))
    return new AssayError('unavailable', 'The database is unavailable.', { cause: error })
  const said = codeOf(error) || error.message
  if (INSECURE.test(said))
    return new AssayError('unavailable', `No secure connection to the database: ${insecureFor(said)}.`, {
      cause: error,
    })
  return error
}

/** True when the error is a violation of this constraint. */
export const violates = (error: unknown, constraint: string): boolean =>
  isAssayError(error) && error.cause instanceof pg.DatabaseError && error.cause.constraint === constraint
