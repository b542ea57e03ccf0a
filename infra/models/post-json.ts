import { AssayError, type ErrorCode } from '../runtime/errors.ts'
import { timerMs } from '../runtime/timers.ts'

/** An OpenAI-compatible server and the model there. */
export interface ModelEndpoint {
  /** With or without `/v1` at the end. */
  readonly baseUrl: string
  readonly model: string
  /** Null for servers that need none. */
  readonly apiKey: string | null
  readonly timeoutMs: number
}

/**
 * Posts to `/v1/<path>` and returns the parsed JSON. Every failure is an AssayError: `unavailable` when nothing
 * answers, the server is away (502, 503, 504) or refuses our configuration (401, 403, 404); `rate_limited`, `timeout`
 * and `busy` (other 5xx) for a call that may succeed later; `invalid_input` when this request is refused. No message
 * quotes the request or the answer.
 */
export const postJson = async (endpoint: ModelEndpoint, path: string, body: object): Promise<unknown> => {
  const url = `${endpoint.baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '')}/v1/${path}`
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (endpoint.apiKey !== null) headers.authorization = `Bearer ${endpoint.apiKey}`
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: endpoint.model, ...body }),
      signal: AbortSignal.timeout(timerMs(endpoint.timeoutMs)),
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw refusal(endpoint.model, response)
    }
    return await response.json()
  } catch (error) {
    throw asModelError(endpoint, error)
  }
}

const refusal = (model: string, response: Response): AssayError => {
  const seconds = retryAfter(response.headers.get('retry-after'))
  return new AssayError(
    codeOf(response.status),
    `The server of the model ${model} answered with HTTP status ${response.status}.`,
    seconds > 0 ? { retryAfterSeconds: seconds } : {},
  )
}

/** Whole seconds from now, from a header with seconds or a date (RFC 9110); 0 for anything else. */
const retryAfter = (header: string | null): number => {
  if (header === null) return 0
  const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : 0
}

const codeOf = (status: number): ErrorCode => {
  if (status === 429) return 'rate_limited'
  if (status === 408) return 'timeout'
  if ([401, 403, 404, 502, 503, 504].includes(status)) return 'unavailable'
  return status >= 500 ? 'busy' : 'invalid_input'
}

const asModelError = (endpoint: ModelEndpoint, error: unknown): AssayError => {
  if (error instanceof AssayError) return error
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new AssayError('timeout', `The model ${endpoint.model} did not answer within ${endpoint.timeoutMs} ms.`, {
      cause: error,
    })
  }
  if (error instanceof SyntaxError) {
    return new AssayError('internal', `The server of the model ${endpoint.model} answered something other than JSON.`)
  }
  return new AssayError('unavailable', `The server of the model ${endpoint.model} cannot be reached.`, { cause: error })
}
