/** Runs the work so often, one after another; answers the quantiles of how long it took, in milliseconds. */
export const timed = async (runs: number, work: () => Promise<unknown>): Promise<(share: number) => number> => {
  const durations: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now()
    await work()
    durations.push(performance.now() - startedAt)
  }
  durations.sort((one, other) => one - other)
  return share => durations[Math.min(durations.length - 1, Math.floor(durations.length * share))] ?? Number.NaN
}
