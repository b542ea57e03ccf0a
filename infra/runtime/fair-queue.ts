import { AssayError } from './errors.ts'

export interface FairQueueOptions<Holder> {
  /** Maximum of one holder's jobs under way. */
  readonly each: number
  /** Maximum of all holders' jobs under way; unlimited unless given. */
  readonly total?: number
  /** Maximum of one holder's waiting jobs; unlimited unless given. */
  readonly waiting?: number
  /** A holder's recent spending: the holder that spent least comes next. Without this, holders take turns. */
  readonly spentBy?: (holder: Holder) => number
}

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Runs work for holders such as tenants: at most `each` jobs of one holder at a time, the rest waits in order of
 * arrival. The holders take turns, so that one holder's amount of work does not delay another's. The returned function
 * runs work when its holder's turn comes, and rejects with `rate_limited` when too many of the holder's jobs wait.
 *
 * @example
 * const turn = createFairQueue<TenantId>({ each: 4, total: 16 })
 * const answer = await turn(tenantId, () => analyse(query))
 */
export const createFairQueue = <Holder>({
  each,
  total = Infinity,
  waiting: mostWaiting = Infinity,
  spentBy,
}: FairQueueOptions<Holder>) => {
  /** In the order of their next turn. */
  const lines = new Map<Holder, Line>()
  let running = 0

  /** Moves the holder to the end of the order whenever a job of the holder begins or ends. */
  const count = (holder: Holder, line: Line, change: 1 | -1): void => {
    line.running += change
    running += change
    lines.delete(holder)
    if (line.running > 0 || line.waiting.length > 0) lines.set(holder, line)
  }

  /** Without `spentBy` the map is used as it is, unsorted: this runs at the end of every call. */
  const inTurn = (): Iterable<[Holder, Line]> =>
    spentBy === undefined ? lines : [...lines].toSorted(([one], [other]) => spentBy(one) - spentBy(other))

  const beginNext = (): void => {
    for (const [holder, line] of inTurn()) {
      if (running === total) return
      const next = line.running < each ? line.waiting.shift() : undefined
      if (next === undefined) continue
      count(holder, line, 1)
      next()
    }
  }

  return async <T>(holder: Holder, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(holder) ?? { running: 0, waiting: [] }
    if (line.running < each && running < total) count(holder, line, 1)
    else if (line.waiting.length === mostWaiting) throw tooMany(mostWaiting)
    else {
      lines.set(holder, line)
      await new Promise<void>(resolve => line.waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      count(holder, line, -1)
      beginNext()
    }
  }
}

const tooMany = (waiting: number): AssayError =>
  new AssayError('rate_limited', `${waiting} calls wait for their turn already. Wait for their answers.`, {
    retryAfterSeconds: 1,
  })
