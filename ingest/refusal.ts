import type { Violation } from '../infra/runtime/errors.ts'

/** Why a request was not taken, for its sender: what was wrong, what is allowed, what to do. Holds nothing of what was sent. */
export interface Refusal {
  readonly kind: 'refusal'
  readonly status: 400 | 401 | 404 | 405 | 408 | 413 | 415 | 422 | 429 | 500 | 503
  /** Names the reason in the problem's type and in the metrics: `signature_differs`. */
  readonly reason: string
  readonly detail: string
  readonly violations: readonly Violation[]
  readonly headers: Readonly<Record<string, string>>
  /** Whether the connection ends with the answer. */
  readonly closes: boolean
}

export const refusal = (
  status: Refusal['status'],
  reason: string,
  detail: string,
  more: Partial<Pick<Refusal, 'violations' | 'headers' | 'closes'>> = {},
): Refusal => ({ kind: 'refusal', status, reason, detail, violations: [], headers: {}, closes: false, ...more })

/** A refusal that passes by itself: the sender should repeat the request after so many seconds. */
export const unavailable = (reason: string, detail: string, retryAfterSeconds: number): Refusal =>
  refusal(503, reason, detail, { headers: { 'retry-after': String(retryAfterSeconds) } })

/** For every way in: what comes from a source while it is paused. A sender that repeats it later loses nothing. */
export const SOURCE_PAUSED = unavailable(
  'source_paused',
  'This source is paused: its workspace takes nothing from it until somebody there resumes it. What was accepted before stays. Repeat the request later.',
  300,
)
