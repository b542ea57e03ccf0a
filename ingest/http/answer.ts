import type { HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import type { Refusal } from '../refusal.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** True when nothing that comes after it on this connection can be understood or is worth waiting for. */
  readonly closes?: boolean
}

export const json = (value: object, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

/** A refusal as `application/problem+json` (RFC 9457), with `ok: false` for senders that look at nothing else. */
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

/** Sends a whole answer. `close` ends the connection after it, for a client whose unread body is not worth reading. */
export const send = (res: HttpResponse, answer: Answer, options: { head?: boolean; close?: boolean } = {}): void => {
  res.cork(() => {
    res.writeStatus(`${answer.status} ${STATUS_CODES[answer.status] ?? ''}`)
    for (const [name, value] of Object.entries(answer.headers)) res.writeHeader(name, value)
    if (options.head) res.endWithoutBody(Buffer.byteLength(answer.body), options.close)
    else res.end(answer.body, options.close)
  })
}
