/**
 * Pairs of texts by index, `ones` below `others`, with their likeness. Stored as columns, because millions of objects
 * take ten times the memory.
 */
export interface Pairs {
  readonly ones: Uint32Array
  readonly others: Uint32Array
  readonly likenesses: Float64Array
}

/** Collects up to `most` pairs. */
export const collectPairs = (most: number) => {
  const [ones, others, likenesses] = [new Uint32Array(most), new Uint32Array(most), new Float64Array(most)]
  let count = 0
  return {
    add: (one: number, other: number, likeness: number): void => {
      ones[count] = Math.min(one, other)
      others[count] = Math.max(one, other)
      likenesses[count] = likeness
      count += 1
    },
    done: (): Pairs => ({
      ones: ones.subarray(0, count),
      others: others.subarray(0, count),
      likenesses: likenesses.subarray(0, count),
    }),
  }
}

export const eachPair = (
  { ones, others, likenesses }: Pairs,
  hear: (one: number, other: number, likeness: number) => void,
): void => {
  for (let at = 0; at < ones.length; at += 1) hear(ones[at] ?? 0, others[at] ?? 0, likenesses[at] ?? 0)
}

/** Pairs without the texts in `leftOut`. */
export const pairsWithout = (pairs: Pairs, leftOut: ReadonlySet<number>): Pairs => {
  if (leftOut.size === 0) return pairs
  const kept = collectPairs(pairs.ones.length)
  eachPair(pairs, (one, other, likeness) => {
    if (!leftOut.has(one) && !leftOut.has(other)) kept.add(one, other, likeness)
  })
  return kept.done()
}
