/** The quantiles of how long something took each time, in the unit of `durations`. */
export const quantilesOf = (durations: readonly number[]): ((share: number) => number) => {
  const sorted = durations.toSorted((one, other) => one - other)
  return share => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Runs the work so often, one after another; answers the quantiles of how long it took, in milliseconds. */
export const timed = async (runs: number, work: () => Promise<unknown>): Promise<(share: number) => number> => {
  const durations: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now()
    await work()
    durations.push(performance.now() - startedAt)
  }
  return quantilesOf(durations)
}
