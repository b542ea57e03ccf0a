import { keepDraft, readDraft } from './drafts.ts'

/**
 * Idempotency keys of writes without a known result, by their draft or else by their request. The same request before
 * its result is known is the same write, also after a reload, because the keys are stored like drafts.
 */
const NAME = 'keys'
const MAX_KEYS = 100

// Only this file writes the value.
const readKeys = () => new Map<string, string>(JSON.parse(readDraft(NAME) ?? '[]') as [string, string][])

const keepKeys = (keys: ReadonlyMap<string, string>): void =>
  keepDraft(NAME, keys.size === 0 ? null : JSON.stringify([...keys].slice(-MAX_KEYS)))

/** A hash of a long request. The service compares requests with the same key, and refuses different ones. */
const shortened = (request: string): string => {
  let [high, low] = [0xde_ad_be_ef, 0x41_c6_ce_57]
  for (let place = 0; place < request.length; place += 1) {
    const code = request.charCodeAt(place)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  return `${request.length} ${high >>> 0} ${low >>> 0}`
}

/** The earlier key of an unfinished request, or a new one. */
export const keyFor = (request: string): string => {
  const keys = readKeys()
  const name = shortened(request)
  const key = keys.get(name) ?? newKey()
  keepKeys(keys.set(name, key))
  return key
}

/** The request is done or was refused; the next request gets another key. */
export const settle = (request: string): void => {
  const keys = readKeys()
  if (keys.delete(shortened(request))) keepKeys(keys)
}

/** Random bytes instead of `crypto.randomUUID`, which browsers lack without TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
