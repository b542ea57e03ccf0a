import assert from 'node:assert/strict'

/** `COST=long` tries thousands of pairs of units, and bodies at the limits, and holds the bound of a whole body; without it a sample is tried. */
export const LONG = process.env.COST === 'long'

/** What takes less is cheap whatever its growth, and a collection of garbage in the midst of it is as long. */
export const FLOOR_MS = 80
/** Twice the input may take so many times the CPU. */
const MAX_GROWTH = 2.6
/** Only what is above the bound is measured again: the least of many runs is what a busy machine cannot add to. */
const ATTEMPTS = 10

/** What this thread has used, in milliseconds. */
export const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const once = async (work: () => unknown): Promise<number> => {
  const began = cpuMs()
  await work()
  return cpuMs() - began
}

/** CPU in milliseconds: the least of some runs, so that what the machine does beside does not count. */
const cpuOf = async (work: () => unknown, runs = 3): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) least = Math.min(least, await once(work))
  return least
}

/**
 * Asserts that work on an input of size n, 2n and 4n grows with it, by the mean of the two doublings; 4n is `limit`. Measures again before it
 * fails, and keeps the least of all it measured.
 */
export const assertLinear = async <Input>(
  what: string,
  limit: number,
  make: (size: number) => Input,
  work: (input: Input) => unknown,
): Promise<void> => {
  const whole = make(limit)
  if ((await once(() => work(whole))) < FLOOR_MS) return
  const inputs = new Map([limit / 4, limit / 2, limit].map(size => [size, size === limit ? whole : make(size)]))
  await assertGrowth(what, limit, size => cpuOf(() => work(inputs.get(size) ?? make(size))))
}

/** The same of anything that answers the CPU it took, in milliseconds, for an input of a size. */
export const assertGrowth = async (
  what: string,
  limit: number,
  cost: (size: number) => Promise<number>,
): Promise<void> => {
  const sizes = [limit / 4, limit / 2, limit]
  const least = sizes.map(() => Number.POSITIVE_INFINITY)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    for (const [place, size] of sizes.entries()) least[place] = Math.min(least[place] ?? 0, await cost(size))
    const [one = 0, , four = 0] = least
    if (four < FLOOR_MS || Math.sqrt(four / Math.max(one, FLOOR_MS / 4)) <= MAX_GROWTH) return
  }
  assert.fail(`${what} at n, 2n and 4n: ${least.map(ms => `${ms.toFixed(1)} ms`).join(', ')}`)
}
