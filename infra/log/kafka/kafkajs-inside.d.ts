/** What `producer.ts` needs of a file of kafkajs that has no types. */
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

/** What `request-queue.ts` and its test need. */
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
    /** Those that may not be sent yet. */
    readonly pending: readonly unknown[]
    readonly inflight: ReadonlyMap<number, SentRequest>
    readonly enforceRequestTimeout: boolean
    readonly requestTimeout: number
    readonly maxInFlightRequests: number | null
    /** Until when the broker wants to hear nothing, in `performance.now()`; -1 when it does not mind. */
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

/** What the tests hold our own encoding to. */
declare module 'kafkajs/src/protocol/requests/produce/v7/request.js' {
  const request: (fields: object) => { encode(): Promise<{ readonly buffer: Buffer }> }
  export default request
}
declare module 'kafkajs/src/protocol/recordBatch/crc32C/crc32C.js' {
  const crc32C: (bytes: Uint8Array) => number
  export default crc32C
}
