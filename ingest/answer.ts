import type { HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import type { Violation } from '../infra/runtime/errors.ts'

/**
 * Why a request was refused, for its sender: what was wrong, what is allowed, what to do. Quotes nothing of the
 * request.
 */
export interface Refusal {
  readonly kind: 'refusal'
  readonly status: 400 | 401 | 404 | 405 | 408 | 413 | 415 | 422 | 429 | 500 | 503
  /** The reason in the problem's type and in the metrics, such as `signature_differs`. */
  readonly reason: string
  readonly detail: string
  readonly violations: readonly Violation[]
  readonly headers: Readonly<Record<string, string>>
  /** True when the connection ends with the answer. */
  readonly closes: boolean
}

export const refusal = (
  status: Refusal['status'],
  reason: string,
  detail: string,
  more: Partial<Pick<Refusal, 'violations' | 'headers' | 'closes'>> = {},
): Refusal => ({ kind: 'refusal', status, reason, detail, violations: [], headers: {}, closes: false, ...more })

/** A temporary refusal: the sender should repeat the request after `retryAfterSeconds`. */
export const unavailable = (reason: string, detail: string, retryAfterSeconds: number): Refusal =>
  refusal(503, reason, detail, { headers: { 'retry-after': String(retryAfterSeconds) } })

/** Refuses everything that comes from a paused source, whichever the way in. The sender should repeat later. */
export const SOURCE_PAUSED = unavailable(
  'source_paused',
  'This source is paused: its workspace takes nothing from it until somebody there resumes it. What was accepted before stays. Repeat the request later.',
  300,
)

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** True when the rest of this connection cannot be parsed, or is not worth reading. */
  readonly closes?: boolean
}

export const json = (value: object, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

/** A refusal as `application/problem+json` (RFC 9457), with `ok: false` for senders that read only this field. */
export const problem = (refused: Refusal, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: refused.status,
  headers: { 'content-type': 'application/problem+json', ...headers, ...refused.headers },
  body: JSON.stringify({
    ok: false,
    type: `urn:assay:problem:${refused.reason}`,
    title: STATUS_CODES[refused.status],
    status: refused.status,
    detail: refused.detail,
    ...(refused.violations.length > 0 && { violations: refused.violations }),
  }),
  closes: refused.closes,
})

/** Sends a complete answer. `close` ends the connection afterwards, for a request whose body is not read to its end. */
export const send = (res: HttpResponse, answer: Answer, options: { head?: boolean; close?: boolean } = {}): void => {
  res.cork(() => {
    // uWebSockets.js writes 200 by default.
    if (answer.status !== 200) res.writeStatus(`${answer.status} ${STATUS_CODES[answer.status] ?? ''}`)
    for (const name in answer.headers) res.writeHeader(name, answer.headers[name] ?? '')
    if (options.head) res.endWithoutBody(Buffer.byteLength(answer.body), options.close)
    else res.end(answer.body, options.close)
  })
}
