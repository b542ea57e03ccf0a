import type { JsonLimits } from '../../../schemas/http/json-limits.ts'

export interface BodyLimits extends JsonLimits {
  readonly bytes: number
}

/** Limits of every body, unless its operation declares others. Reading and checking takes less than 10 ms. */
export const CALL_BODY: BodyLimits = { bytes: 256 * 1024, values: 5000, depth: 64 }

/** Limits of an operation that takes a signal, as long as the webhook's. */
export const SIGNAL_BODY: BodyLimits = { ...CALL_BODY, bytes: 768 * 1024 }

/**
 * Limits of an operation that takes a Living Document: 100,000 characters fit in any escaped form, at most 12 bytes
 * each.
 */
export const LONG_TEXT_BODY: BodyLimits = { ...CALL_BODY, bytes: 1280 * 1024 }
