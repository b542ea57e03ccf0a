import { ClickHouseError } from '@clickhouse/client'
import { AssayError, type ErrorCode } from '../runtime/errors.ts'

/** ClickHouse's own codes (src/Common/ErrorCodes.cpp) that say something about trying again. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  159: 'timeout', // TIMEOUT_EXCEEDED
  209: 'timeout', // SOCKET_TIMEOUT
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

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  timeout: 'The analytics database took too long.',
  busy: 'The analytics database is busy. Try again.',
  unavailable: 'The analytics database is unavailable.',
}

/** A driver's error as the one type. What ClickHouse did not answer itself means that it could not be reached. */
export const analyticsError = (error: unknown): AssayError => {
  const away = !(error instanceof ClickHouseError)
  // Another password may be what is right tomorrow: work waits for it, like for a server that is away.
  if (!away && REFUSED_LOGIN.has(error.code))
    return new AssayError('unavailable', 'The analytics database refuses the user or the password that it is given.', {
      cause: error,
    })
  const late = error instanceof Error && /^Timeout error/.test(error.message)
  const code = late ? 'timeout' : away ? 'unavailable' : (CODES[error.code] ?? 'internal')
  return new AssayError(code, MESSAGES[code] ?? 'An unexpected error occurred.', { cause: error })
}
