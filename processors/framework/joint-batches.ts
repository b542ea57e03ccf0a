import type { Batch, BatchContext } from '../../infra/log/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'

/** A batch as the log delivers it: of one partition. */
export interface Delivered {
  readonly batch: Batch
  readonly context: BatchContext
}

/** What a joint batch may have at most, beyond the first that is in it. */
interface Limits {
  readonly maxRecords: number
  readonly maxBytes: number
}

interface Waiting<Answer> extends Delivered {
  readonly bytes: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** So many joint batches of a consumer are under way at once: one computes while others wait for a store. */
const AT_ONCE = 4

/**
 * Has what several partitions of a consumer brought worked off as one: a batch of one record costs nearly as much as
 * one of a hundred. Nobody waits for company: batches that come in one turn of the event loop are joined, and those
 * that come while enough are under way, the oldest first. A partition brings its next batch after this one is done, so
 * its order stays.
 *
 * `work` answers for each in order. When it rejects, it does so for all of them. One whose partition was lost while it
 * waited rejects with `partition_lost`.
 */
export const joinBatches = <Answer>(
  limits: Limits,
  work: (joint: readonly Delivered[]) => Promise<readonly Answer[]>,
): ((batch: Batch, context: BatchContext) => Promise<Answer>) => {
  let waiting: Waiting<Answer>[] = []
  let underWay = 0
  let isDue = false

  /** The oldest, and of the others as many as fit. */
  const take = (): readonly Waiting<Answer>[] => {
    let [records, bytes] = [0, 0]
    const taken = waiting.filter(one => {
      const fits = records + one.batch.records.length <= limits.maxRecords && bytes + one.bytes <= limits.maxBytes
      if (records > 0 && !fits) return false
      records += one.batch.records.length
      bytes += one.bytes
      return true
    })
    const isTaken = new Set(taken)
    waiting = waiting.filter(one => !isTaken.has(one))
    return taken
  }

  const run = async (taken: readonly Waiting<Answer>[]): Promise<void> => {
    underWay += 1
    try {
      const answers = await work(taken)
      for (const [index, answer] of answers.entries()) taken[index]?.resolve(answer)
    } catch (error) {
      for (const { reject } of taken) reject(error)
    }
    underWay -= 1
    begin()
  }

  const begin = (): void => {
    isDue = false
    const [lost, held] = [waiting.filter(isLost), waiting.filter(one => !isLost(one))]
    waiting = held
    for (const { reject } of lost)
      reject(new AssayError('partition_lost', 'The partition was given up before its turn.'))
    while (underWay < AT_ONCE && waiting.length > 0) void run(take())
  }

  return (batch, context) =>
    new Promise((resolve, reject) => {
      const bytes = batch.records.reduce((sum, { value }) => sum + value.byteLength, 0)
      waiting.push({ batch, context, bytes, resolve, reject })
      if (!isDue) setImmediate(begin)
      isDue = true
    })
}

const isLost = ({ context }: Delivered): boolean => context.signal.aborted
