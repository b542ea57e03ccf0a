/** Names of the headers that programs and senders agree on, in lower case. */

/**
 * Set by the server on every request it hands to a handler, never taken from a client: the address the request came
 * from.
 */
export const CLIENT_ADDRESS_HEADER = 'x-assay-client-address'

/** A sender's own key for a request: its retries are then the same signal. */
export const IDEMPOTENCY_KEY_HEADER = 'x-idempotency-key'
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255

/**
 * Of every answer of the edge and of the API: what to tell an operator, who finds the request’s log lines and its trace
 * by it.
 */
export const REQUEST_ID_HEADER = 'x-request-id'

/** `true`: the request is a test of its source. It is answered like any other, and what it says counts nowhere. */
export const TEST_HEADER = 'x-service-test'
