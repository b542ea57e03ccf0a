import type { JsonLimits } from '../../../schemas/http/json-limits.ts'

/** How large a request's body may be, and how much it may hold. */
export interface BodyLimits extends JsonLimits {
  readonly bytes: number
}

/** The limits of every body, unless its operation declares others. Reading and checking one costs less than 10 ms. */
export const CALL_BODY: BodyLimits = { bytes: 256 * 1024, values: 5000, depth: 64 }

/** The limits of an operation that takes a signal: as long as the webhook takes it. */
export const SIGNAL_BODY: BodyLimits = { ...CALL_BODY, bytes: 768 * 1024 }

/**
 * The limits of an operation that takes a text as long as a Living Document: 100,000 characters fit however they are
 * escaped, at most 12 bytes each.
 */
export const LONG_TEXT_BODY: BodyLimits = { ...CALL_BODY, bytes: 1280 * 1024 }
