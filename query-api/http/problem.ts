import { STATUS_CODES } from 'node:http'
import { AssayError, type ErrorCode } from '../../infra/runtime/errors.ts'
import { InvalidArguments } from '../operations/call/contract.ts'
import { noteError } from './failed-answers.ts'

const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_configuration: 500,
  invalid_input: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  ambiguous: 409,
  conflict: 409,
  quota_exceeded: 409,
  too_large: 413,
  too_costly: 422,
  unsupported: 415,
  method_not_allowed: 405,
  rate_limited: 429,
  unavailable: 503,
  busy: 503,
  timeout: 503,
  partition_lost: 503,
  damaged: 500,
  already_running: 500,
  internal: 500,
}

const statusOf = (error: AssayError): number => (error instanceof InvalidArguments ? 422 : STATUS[error.code])

/** An error as `application/problem+json` (RFC 9457), with its code, the faulty places, and facts to act on. */
export const problem = (error: AssayError): Response => {
  noteError(error)
  const status = statusOf(error)
  const body = {
    ...error.context,
    type: `urn:assay:problem:${error.code}`,
    title: STATUS_CODES[status],
    status,
    detail: error.publicMessage,
    code: error.code,
    ...(error.violations.length > 0 ? { violations: error.violations } : {}),
  }
  const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headersOf(error) }
  return new Response(JSON.stringify(body), { status, headers })
}

/** Headers that HTTP requires for an error: the time to try again, and the allowed methods. */
export const headersOf = (error: AssayError): Readonly<Record<string, string>> => {
  const status = statusOf(error)
  if (status === 429 || status === 503) return { 'retry-after': String(error.retryAfterSeconds ?? 5) }
  return status === 405 ? { allow: String(error.context.allowed_methods) } : {}
}

/** Refuses a method that an existing address does not have. */
export const notAllowed = (methods: string): AssayError =>
  new AssayError('method_not_allowed', `Only ${methods} is answered here.`, { context: { allowed_methods: methods } })
