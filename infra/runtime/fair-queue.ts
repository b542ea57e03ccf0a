import { AssayError } from './errors.ts'

export interface FairQueueOptions<Holder> {
  /** So much work of one holder is under way at once. */
  readonly each: number
  /** So much work of all holders together; without limit unless given. */
  readonly total?: number
  /** So much work of one holder waits, beside what is under way; without limit unless given. */
  readonly waiting?: number
  /** What a holder has spent lately: whoever has spent least comes next. All are alike unless given. */
  readonly spentBy?: (holder: Holder) => number
}

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Lets each holder, such as a tenant, have a little work under way; its other work waits behind that in the order in
 * which it came. The holders take turns: however much and however dear the work of one is, another's finds room. The
 * answer runs work when it is its holder's turn, and rejects with `rate_limited` when too much of the holder waits.
 */
export const createFairQueue = <Holder>({
  each,
  total = Infinity,
  waiting: mostWaiting = Infinity,
  spentBy,
}: FairQueueOptions<Holder>) => {
  /** Whose turn is next comes first. */
  const lines = new Map<Holder, Line>()
  let running = 0

  /** What else the holder has comes behind what others have, both as its work begins and as it ends. */
  const count = (holder: Holder, line: Line, change: 1 | -1): void => {
    line.running += change
    running += change
    lines.delete(holder)
    if (line.running > 0 || line.waiting.length > 0) lines.set(holder, line)
  }

  /** A call's queue has no spending, and goes through its lines as they are: it does so at the end of every call. */
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
