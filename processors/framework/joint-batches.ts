import type { Batch, BatchContext } from '../../infra/log/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'

/** A batch of one partition, as the log delivers it. */
export interface PartitionBatch {
  readonly batch: Batch
  readonly context: BatchContext
}

/** Limits of a joint batch. Its first batch may exceed them. */
interface Limits {
  readonly maxRecords: number
  readonly maxBytes: number
}

interface Waiting<Answer> extends PartitionBatch {
  readonly bytes: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** Joint batches of a consumer that run at once: one computes while others wait for a store. */
const BATCH_CONCURRENCY = 4

/**
 * Joins the batches of several partitions into one, because a batch of one record costs nearly as much as a batch of a
 * hundred.
 *
 * A batch is in one of three states:
 * - waiting: it has arrived. It stays here until the next turn of the event loop, or longer while `BATCH_CONCURRENCY`
 *   joint batches run.
 * - running: the oldest waiting batch was taken, with as many others as fit the limits.
 * - settled: `work` answered for each batch in order. When `work` rejects, all batches of the joint batch reject. A
 *   waiting batch whose partition is lost rejects with `partition_lost`.
 *
 * No batch waits for others to fill a joint batch. A partition delivers its next batch after this one is settled, so
 * its order stays.
 *
 * @example
 * const onBatch = coalesceBatches({ maxRecords: 200, maxBytes: 2 * 1024 * 1024 }, async joint => joint.map(store))
 */
export const coalesceBatches = <Answer>(
  limits: Limits,
  work: (joint: readonly PartitionBatch[]) => Promise<readonly Answer[]>,
): ((batch: Batch, context: BatchContext) => Promise<Answer>) => {
  let waiting: Waiting<Answer>[] = []
  let underWay = 0
  let isDue = false

  /** Takes the oldest batch, and the others that fit. */
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
    while (underWay < BATCH_CONCURRENCY && waiting.length > 0) void run(take())
  }

  return (batch, context) =>
    new Promise((resolve, reject) => {
      const bytes = batch.records.reduce((sum, { value }) => sum + value.byteLength, 0)
      waiting.push({ batch, context, bytes, resolve, reject })
      if (!isDue) setImmediate(begin)
      isDue = true
    })
}

const isLost = ({ context }: PartitionBatch): boolean => context.signal.aborted
