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

/** What the tests hold our own encoding to. */
declare module 'kafkajs/src/protocol/requests/produce/v7/request.js' {
  const request: (fields: object) => { encode(): Promise<{ readonly buffer: Buffer }> }
  export default request
}
declare module 'kafkajs/src/protocol/recordBatch/crc32C/crc32C.js' {
  const crc32C: (bytes: Uint8Array) => number
  export default crc32C
}
