/** Random, and without `crypto.randomUUID`, which a browser lacks where the service is reached without TLS. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
