/** Names of HTTP headers, in lower case. */

/** The client's address, set by the server on every request that it passes to a handler, never taken from a client. */
export const CLIENT_ADDRESS_HEADER = 'x-assay-client-address'

/** A sender's key for a request: retries with the same key are the same signal. */
export const IDEMPOTENCY_KEY_HEADER = 'x-idempotency-key'
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255

/** In every answer of the edge and the API. An operator finds the request's log lines and its trace by this id. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** `true`: the request is a test of its source. It is answered like any other, and counts nowhere. */
export const TEST_HEADER = 'x-service-test'

/** The person whom a page of the app shows: the tabs of a browser share one session, and another one may have begun. */
export const PERSON_HEADER = 'x-person-id'
