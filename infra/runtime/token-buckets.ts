export interface TokenBucketsOptions {
  readonly perSecond: number
  /** What a key may take at once after a while of less. */
  readonly burst: number
  readonly now: () => number
}

export interface TokenBuckets<Key> {
  /** What the key may take now; below 0 while it owes. */
  left(key: Key): number
  /** Takes, whether or not so much is left. */
  take(key: Key, tokens: number): void
}

/** Keys that are remembered; each that is forgotten begins with a full bucket. */
const MAX_KEYS = 10_000

/**
 * A token bucket for each key, in memory (https://en.wikipedia.org/wiki/Token_bucket). A clock that was set back gives
 * nothing.
 */
export const createTokenBuckets = <Key>({ perSecond, burst, now }: TokenBucketsOptions): TokenBuckets<Key> => {
  const buckets = new Map<Key, { left: number; at: number }>()
  const bucketOf = (key: Key) => {
    const at = now()
    const known = buckets.get(key)
    if (known !== undefined) {
      known.left = Math.min(burst, known.left + (Math.max(0, at - known.at) / 1000) * perSecond)
      known.at = at
      return known
    }
    const [oldest] = buckets.keys()
    if (buckets.size >= MAX_KEYS && oldest !== undefined) buckets.delete(oldest)
    const made = { left: burst, at }
    buckets.set(key, made)
    return made
  }
  return {
    left: key => bucketOf(key).left,
    take: (key, tokens) => {
      bucketOf(key).left -= tokens
    },
  }
}
