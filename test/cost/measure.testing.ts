import assert from 'node:assert/strict'

/**
 * `COST=long` tries thousands of pairs of units, and bodies at the limits, and holds the bound of a whole body; without
 * it a sample is tried.
 */
export const LONG = process.env.COST === 'long'

/** What takes less is cheap whatever its growth, and a collection of garbage in the midst of it is as long. */
export const FLOOR_MS = 80
/** Twice the input may take so many times the CPU, by the mean of two doublings, and by each of them. */
const MAX_GROWTH = { mean: 2.6, each: 3 } as const
/** Only what is above the bound is measured again: the least of many runs is what a busy machine cannot add to. */
const ATTEMPTS = 10

/** What this thread has used, in milliseconds. */
export const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** CPU in milliseconds of one run. */
export const cpuOnce = async (work: () => unknown): Promise<number> => {
  const began = cpuMs()
  await work()
  return cpuMs() - began
}

/**
 * CPU in milliseconds of one of so many runs: where the clock counts in steps of some milliseconds, one short run may
 * be none of them.
 */
export const cpuOfEach = async (work: () => unknown, runs: number): Promise<number> => {
  const all = await cpuOnce(async () => {
    for (let run = 0; run < runs; run += 1) await work()
  })
  return all / runs
}

const REFERENCE = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`n${at}`, [at, {}]])))
const REFERENCE_RUNS = 6
/** CPU in milliseconds of one run of the reference, on the machine that the bounds were set on and with it alone. */
const REFERENCE_MS = 16

/**
 * How many times more CPU than on that machine the same work takes now, at least 1: a core that is shared with another
 * machine counts more of it.
 */
export const slownessNow = async (): Promise<number> =>
  Math.max(1, (await cpuOfEach(() => JSON.stringify(JSON.parse(REFERENCE)), REFERENCE_RUNS)) / REFERENCE_MS)

/** CPU in milliseconds: the least of some runs, so that what the machine does beside does not count. */
const cpuOf = async (work: () => unknown, runs: number): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) least = Math.min(least, await cpuOnce(work))
  return least
}

/**
 * Asserts that work on inputs of size n, 2n and 4n grows with them; 4n is `limit`. Measures again before it fails, and
 * keeps the least of all it measured.
 */
export const assertLinear = async <Input>(
  what: string,
  limit: number,
  make: (size: number) => Input,
  work: (input: Input) => unknown,
): Promise<void> => {
  const inputs = new Map<number, Input>()
  const inputOf = (size: number): Input => {
    const input = inputs.get(size) ?? make(size)
    inputs.set(size, input)
    return input
  }
  // A small one that a pause made dear would excuse a large one; a large one is measured again.
  await assertGrowth(what, limit, size => cpuOf(() => work(inputOf(size)), size === limit / 4 ? 3 : 1))
}

/**
 * The same of anything that answers the CPU it took, in milliseconds, for an input of a size. What takes less than
 * `floorMs` is cheap whatever its growth.
 */
export const assertGrowth = async (
  what: string,
  limit: number,
  cost: (size: number) => Promise<number>,
  floorMs = FLOOR_MS,
): Promise<void> => {
  let [one, two, four] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    four = Math.min(four, await cost(limit))
    if (four < floorMs) return
    two = Math.min(two, await cost(limit / 2))
    one = Math.min(one, await cost(limit / 4))
    const [least, half] = [Math.max(one, floorMs / 4), Math.max(two, floorMs / 2)]
    const isLinear = Math.sqrt(four / least) <= MAX_GROWTH.mean
    if (isLinear && half / least <= MAX_GROWTH.each && four / half <= MAX_GROWTH.each) return
  }
  assert.fail(`${what} at n, 2n and 4n: ${[one, two, four].map(ms => `${ms.toFixed(1)} ms`).join(', ')}`)
}
