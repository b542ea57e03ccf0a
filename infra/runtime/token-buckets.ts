export interface TokenBucketsOptions {
  readonly perSecond: number
  readonly burst: number
  readonly now: () => number
}

export interface TokenBuckets<Key> {
  /** Tokens that the key may take now; negative while the key is in debt. */
  left(key: Key): number
  /** Takes the tokens, whether or not so many are left. */
  take(key: Key, tokens: number): void
}

interface Bucket {
  left: number
  at: number
}

/** Remembered keys; a forgotten key begins with a full bucket. */
export const MAX_KEYS = 10_000
/** Number of least recently used keys that are compared before one is forgotten. */
const LOOKED_AT = 16

/**
 * A token bucket for each key, in memory (https://en.wikipedia.org/wiki/Token_bucket). A clock that was set back
 * refills nothing. When a new key needs room, the fullest of the least recently used buckets is forgotten: a key in
 * debt stays, however many other keys take a little.
 */
export const createTokenBuckets = <Key>({ perSecond, burst, now }: TokenBucketsOptions): TokenBuckets<Key> => {
  /** In the order of the last take, oldest first. */
  const buckets = new Map<Key, Bucket>()
  const leftIn = (bucket: Bucket): number => {
    const at = now()
    bucket.left = Math.min(burst, bucket.left + (Math.max(0, at - bucket.at) / 1000) * perSecond)
    bucket.at = at
    return bucket.left
  }

  const forgetOne = (): void => {
    let forgotten: { readonly key: Key; readonly left: number } | null = null
    let looked = 0
    for (const [key, bucket] of buckets) {
      const left = leftIn(bucket)
      if (forgotten === null || left > forgotten.left) forgotten = { key, left }
      looked += 1
      if (left === burst || looked === LOOKED_AT) break
    }
    if (forgotten !== null) buckets.delete(forgotten.key)
  }

  const left = (key: Key): number => {
    const bucket = buckets.get(key)
    return bucket === undefined ? burst : leftIn(bucket)
  }
  return {
    left,
    take: (key, tokens) => {
      const rest = left(key) - tokens
      const isKnown = buckets.delete(key)
      if (!isKnown && buckets.size >= MAX_KEYS) forgetOne()
      buckets.set(key, { left: rest, at: now() })
    },
  }
}
