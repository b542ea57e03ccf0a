/** Runs work when a place is free: at most so many at a time, the others in the order in which they came. */
export type Limit = <Result>(work: () => Promise<Result>) => Promise<Result>

export const createLimit = (places: number): Limit => {
  const waiting: (() => void)[] = []
  let free = places
  return async work => {
    if (free > 0) free -= 1
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place is handed over, so that nobody who comes just now can take it first.
      if (next === undefined) free += 1
      else next()
    }
  }
}
