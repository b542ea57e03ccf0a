import { ClickHouseError } from '@clickhouse/client'
import { AssayError, type ErrorCode } from '../runtime/errors.ts'

/** ClickHouse's own codes (src/Common/ErrorCodes.cpp) that say something about trying again. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  159: 'timeout', // TIMEOUT_EXCEEDED
  202: 'busy', // TOO_MANY_SIMULTANEOUS_QUERIES
  241: 'busy', // MEMORY_LIMIT_EXCEEDED
  252: 'busy', // TOO_MANY_PARTS
  243: 'unavailable', // NOT_ENOUGH_SPACE
  210: 'unavailable', // NETWORK_ERROR
}

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  timeout: 'The analytics database took too long.',
  busy: 'The analytics database is busy. Try again.',
  unavailable: 'The analytics database is unavailable.',
}

/** A driver's error as the one type. What ClickHouse did not answer itself means that it could not be reached. */
export const analyticsError = (error: unknown): AssayError => {
  const away = !(error instanceof ClickHouseError)
  const late = error instanceof Error && /^Timeout error/.test(error.message)
  const code = late ? 'timeout' : away ? 'unavailable' : (CODES[error.code] ?? 'internal')
  return new AssayError(code, MESSAGES[code] ?? 'An unexpected error occurred.', { cause: error })
}
