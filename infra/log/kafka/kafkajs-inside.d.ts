/** The part of an untyped kafkajs file that `producer.ts` uses. */
declare module 'kafkajs/src/broker/index.js' {
  interface Protocol {
    readonly request: { readonly apiVersion: number; readonly encode: () => Promise<unknown> }
    readonly response: unknown
  }
  type LookupRequest = (key: number, versions: unknown) => (given: never) => Protocol
  class Broker {
    lookupRequest: LookupRequest
    produce(fields: never): Promise<unknown>
  }
  export default Broker
}

/** The part that `request-queue.ts` and its test use. */
declare module 'kafkajs/src/network/requestQueue/index.js' {
  interface SentRequest {
    /** Milliseconds since the epoch. */
    readonly sentAt: number
    readonly requestTimeout: number
    timeoutRequest(): void
  }
  /** The requests of one connection. */
  export default class RequestQueue {
    constructor(options: object)
    /** Requests that may not be sent yet. */
    readonly pending: readonly unknown[]
    readonly inflight: ReadonlyMap<number, SentRequest>
    readonly enforceRequestTimeout: boolean
    readonly requestTimeout: number
    readonly maxInFlightRequests: number | null
    /** The broker throttles until this time of `performance.now()`; -1 without throttling. */
    throttledUntil: number
    throttleCheckTimeoutId: NodeJS.Timeout | null
    requestTimeoutIntervalId: NodeJS.Timeout
    readonly isConnected: () => boolean
    checkPendingRequests(): void
    scheduleCheckPendingRequests(): void
    scheduleRequestTimeoutCheck(): void
    destroy(): void
    push(request: object): void
    fulfillRequest(response: object): void
    maybeThrottle(milliseconds: number): void
    canSendSocketRequestImmediately(): boolean
  }
}

/** kafkajs' own encoding, which the tests compare with ours. */
declare module 'kafkajs/src/protocol/requests/produce/v7/request.js' {
  const request: (fields: object) => { encode(): Promise<{ readonly buffer: Buffer }> }
  export default request
}
declare module 'kafkajs/src/protocol/recordBatch/crc32C/crc32C.js' {
  const crc32C: (bytes: Uint8Array) => number
  export default crc32C
}
