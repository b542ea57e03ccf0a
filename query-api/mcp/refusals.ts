import { type RequestId, ErrorCode as Rpc } from '@modelcontextprotocol/sdk/types.js'
import type { AssayError, ErrorCode } from '../../infra/runtime/errors.ts'
import { InvalidArguments } from '../operations/call/contract.ts'
import { failure, type RpcResponse } from './messages.ts'

/** The service's own codes, from JSON-RPC's range for servers. */
const INVALID_KEY = -32000
const RATE_LIMITED = -32002

type Status = 200 | 401 | 429 | 503

interface Refusal {
  /** JSON-RPC code of a message's error. */
  readonly code: number
  /** HTTP status of a single message's error. */
  readonly status: Status
  /** HTTP status when the whole request is wrong, before any message is read; null when the body is not JSON. */
  readonly ofRequest: number | null
}

const said: Refusal = { code: Rpc.InvalidParams, status: 200, ofRequest: null }
const away: Refusal = { code: Rpc.InternalError, status: 503, ofRequest: 503 }
const broken: Refusal = { code: Rpc.InternalError, status: 200, ofRequest: 500 }

/** Codes and statuses of every error at the MCP endpoint. `problem.ts` has those of the app's door. */
export const REFUSALS: Readonly<Record<ErrorCode, Refusal>> = {
  invalid_input: said,
  unauthorized: { code: INVALID_KEY, status: 401, ofRequest: 401 },
  forbidden: { ...said, ofRequest: 403 },
  not_found: said,
  ambiguous: said,
  conflict: said,
  quota_exceeded: said,
  too_large: { ...said, ofRequest: 413 },
  too_costly: said,
  unsupported: { ...said, ofRequest: 415 },
  method_not_allowed: { ...said, ofRequest: 405 },
  rate_limited: { code: RATE_LIMITED, status: 429, ofRequest: 429 },
  unavailable: away,
  busy: away,
  timeout: away,
  partition_lost: broken,
  damaged: broken,
  already_running: broken,
  invalid_configuration: broken,
  internal: broken,
}

/**
 * True when a tool call's error is a protocol error: a malformed call, a missing key, or a rate limit. Other errors are
 * results with `isError`, so that the agent reads the reason and goes on.
 */
export const isOfProtocol = (error: AssayError): boolean =>
  error instanceof InvalidArguments || error.code === 'rate_limited' || error.code === 'unauthorized'

/** True when HTTP would call the error a 500, whatever the answer's status. */
export const isFailure = (error: AssayError): boolean => REFUSALS[error.code].ofRequest === 500

/** HTTP status of a message that failed before its tool ran. */
export const statusOf = (error: AssayError): Status => REFUSALS[error.code].status

/** An error of the endpoint, not of a tool, as a JSON-RPC error. */
export const errorResponse = (id: RequestId | null, error: AssayError): RpcResponse => {
  const { code } = REFUSALS[error.code]
  if (code === RATE_LIMITED)
    return failure(id, code, `Rate limit exceeded. Retry after ${error.retryAfterSeconds ?? 60}s.`)
  return code === Rpc.InvalidParams
    ? failure(id, code, error.publicMessage, { violations: error.violations })
    : failure(id, code, error.publicMessage)
}
