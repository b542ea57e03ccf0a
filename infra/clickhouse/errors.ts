import { ClickHouseError } from '@clickhouse/client'
import { AssayError, type ErrorCode } from '../runtime/errors.ts'

/** ClickHouse's codes (src/Common/ErrorCodes.cpp) with a meaning for retries. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  159: 'timeout', // TIMEOUT_EXCEEDED
  209: 'timeout', // SOCKET_TIMEOUT
  158: 'too_large', // TOO_MANY_ROWS, also raised for groups
  307: 'too_large', // TOO_MANY_BYTES
  396: 'too_large', // TOO_MANY_ROWS_OR_BYTES
  202: 'busy', // TOO_MANY_SIMULTANEOUS_QUERIES
  241: 'busy', // MEMORY_LIMIT_EXCEEDED
  252: 'busy', // TOO_MANY_PARTS
  439: 'busy', // CANNOT_SCHEDULE_TASK
  173: 'unavailable', // CANNOT_ALLOCATE_MEMORY
  210: 'unavailable', // NETWORK_ERROR
  236: 'unavailable', // ABORTED: the server shuts down
  242: 'unavailable', // TABLE_IS_READ_ONLY
  243: 'unavailable', // NOT_ENOUGH_SPACE
  279: 'unavailable', // ALL_CONNECTION_TRIES_FAILED
  285: 'unavailable', // TOO_FEW_LIVE_REPLICAS
}
/** UNKNOWN_USER, WRONG_PASSWORD, AUTHENTICATION_FAILED. */
const REFUSED_LOGIN: ReadonlySet<string> = new Set(['192', '193', '516'])

const ASK_FOR_LESS = 'Ask for a shorter time, longer periods, fewer group_by or narrower filters.'

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  timeout: 'The analytics database took too long.',
  too_large: `The question is too large: it has too many groups, or needs too much memory. ${ASK_FOR_LESS}`,
  busy: 'The analytics database is busy. Try again.',
  unavailable: 'The analytics database is unavailable.',
}

/** True for the query's own memory limit, not the server's: a retry does not help. */
const isOwnMemory = ({ code, message }: ClickHouseError): boolean =>
  code === '241' && /\bquery memory limit\b|for query\b/i.test(message)

/** The error of a question with limits: adds advice for a smaller question. */
export const questionError = (error: unknown): AssayError => {
  const translated = analyticsError(error)
  if (translated.code !== 'timeout') return translated
  return new AssayError('timeout', `${translated.publicMessage} ${ASK_FOR_LESS}`, { cause: translated.cause })
}

/** Beginnings of Node's codes for a failed TLS connection. */
const INSECURE = /^(EPROTO|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/

const insecureFor = (error: unknown): string | null => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!INSECURE.test(code)) return null
  return /^(EPROTO|ERR_SSL)/.test(code)
    ? 'The analytics database speaks no TLS at this port, or another kind. CLICKHOUSE_URL with http:// takes the plain one.'
    : 'The certificate of the analytics database is not one that is trusted here. NODE_EXTRA_CA_CERTS names a file with the certificate of your own authority.'
}

/** Translates a driver's error. An error that ClickHouse did not answer itself means that it cannot be reached. */
export const analyticsError = (error: unknown): AssayError => {
  const away = !(error instanceof ClickHouseError)
  // `unavailable`, not `invalid_configuration`: the password may be corrected, and work waits for that.
  if (!away && REFUSED_LOGIN.has(error.code))
    return new AssayError('unavailable', 'The analytics database refuses the user or the password of CLICKHOUSE_URL.', {
      cause: error,
    })
  const insecure = insecureFor(error)
  if (insecure !== null) return new AssayError('unavailable', insecure, { cause: error })
  const late = error instanceof Error && /^Timeout error/.test(error.message)
  const code = late
    ? 'timeout'
    : away
      ? 'unavailable'
      : isOwnMemory(error)
        ? 'too_large'
        : (CODES[error.code] ?? 'internal')
  return new AssayError(code, MESSAGES[code] ?? 'An unexpected error occurred.', { cause: error })
}
