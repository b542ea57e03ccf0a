import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Target } from '../support/load.ts'

/** Far above what a round sends to one endpoint, so that the check costs what it costs and refuses nobody. */
const limiter = new RateLimiterMemory({ points: 100_000, duration: 60 })

/**
 * The endpoints that a peer serves, from the file of targets that the load is sent to: the secret by the id in the
 * path.
 */
export const loadEndpoints = (file: string): ReadonlyMap<string, string> => {
  const targets: readonly Target[] = JSON.parse(readFileSync(file, 'utf8'))
  return new Map(targets.map(({ url, secret }) => [url.slice(url.lastIndexOf('/') + 1), secret]))
}

/** Whether the header is the HMAC-SHA256 of the body under the secret. */
export const isSigned = (body: Buffer, header: string | undefined, secret: string): boolean => {
  const given = Buffer.from((header ?? '').replace('sha256=', ''), 'hex')
  const right = createHmac('sha256', secret).update(body).digest()
  return given.length === right.length && timingSafeEqual(given, right)
}

/** Counts a request of the endpoint; false when it has used its limit up. */
export const isWithinLimit = (endpoint: string): Promise<boolean> =>
  limiter.consume(endpoint).then(
    () => true,
    () => false,
  )
