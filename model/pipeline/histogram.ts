/**
 * Durations counted in buckets that grow by an eighth, so that counts of several processes can be added and a quantile of the sum is right
 * to within 7 %. Sparse: the upper bound's exponent, as text, to the count.
 */
export type Histogram = Readonly<Record<string, number>>

const GROWTH = Math.log(1.125)
/** What is shorter counts as this long. */
const SHORTEST_MS = 0.01

const bucketOf = (milliseconds: number): string =>
  String(Math.ceil(Math.log(Math.max(milliseconds, SHORTEST_MS)) / GROWTH))

/** Counts a duration in `histogram`, `times` over. */
export const observe = (histogram: Record<string, number>, milliseconds: number, times = 1): void => {
  const bucket = bucketOf(milliseconds)
  histogram[bucket] = (histogram[bucket] ?? 0) + times
}

export const added = (histograms: readonly Histogram[]): Histogram => {
  const sum: Record<string, number> = {}
  for (const histogram of histograms)
    for (const [bucket, count] of Object.entries(histogram)) sum[bucket] = (sum[bucket] ?? 0) + count
  return sum
}

/** The duration, in milliseconds, that a share `of` all (0 to 1) stays within; null when nothing was counted. */
export const quantile = (histogram: Histogram, of: number): number | null => {
  const buckets = Object.entries(histogram)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .sort((one, other) => one.bucket - other.bucket)
  const wanted = of * buckets.reduce((sum, { count }) => sum + count, 0)
  let below = 0
  for (const { bucket, count } of buckets) {
    below += count
    // The middle of the bucket, by the ratio of its bounds.
    if (below >= wanted) return Math.exp((bucket - 0.5) * GROWTH)
  }
  return null
}
