import { AssayError, isAssayError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { timerMs } from '../runtime/timers.ts'
import { checkOffset } from './checks.ts'
import type {
  Batch,
  BatchContext,
  Commit,
  ConsumeOptions,
  Continuation,
  Offset,
  StoredRecord,
  TopicPartition,
} from './port.ts'

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 30_000

export interface FetchRequest {
  readonly offset: Offset
  readonly maxRecords: number
  readonly maxBytes: number
}

/** The first records that together are within the limits; at least one where there is one. */
export const firstWithin = (
  records: readonly StoredRecord[],
  { maxRecords, maxBytes }: Pick<FetchRequest, 'maxRecords' | 'maxBytes'>,
): readonly StoredRecord[] => {
  let bytes = 0
  const end = records.slice(0, maxRecords).findIndex(({ value }, place) => {
    bytes += value.byteLength
    return place > 0 && bytes > maxBytes
  })
  return records.slice(0, end === -1 ? maxRecords : end)
}

export interface Fetched {
  /** Empty when the wait was cancelled. */
  readonly records: readonly StoredRecord[]
  readonly highWatermark: Offset
}

/**
 * A partition as a member holds it, given to the loop by an adapter. Its calls reject with `partition_lost` once
 * another member has the partition.
 */
export interface PartitionSource extends TopicPartition {
  /** The offset where reading begins. */
  readonly position: Offset
  readonly committed: Commit | null
  /** Waits until there is a record at `offset` or after it. */
  fetch(request: FetchRequest): Promise<Fetched>
  /** Ends a waiting `fetch` with an empty answer. */
  cancel(): void
  commit(commit: Commit): Promise<void>
  heartbeat(): Promise<void>
  highWatermark(): Promise<Offset>
}

interface LoopOptions {
  readonly source: PartitionSource
  readonly options: ConsumeOptions
  readonly logger: Pick<Logger, 'error'> | undefined
  /** The end of an earlier loop of the same partition. */
  readonly after: Promise<void> | undefined
}

export type PartitionLoop = ReturnType<typeof startPartitionLoop>

/**
 * Passes the batches of one partition to the handler, one after another. The loop is
 * - fetching: waits for records at `position`;
 * - handling: `onBatch` works on a batch. The completion of the batch before may still run beside it (`before`);
 * - pausing: the continuation asked for a pause, or a batch failed. A failure sets `position` back to the last commit
 *   or seek (`resumeAt`), with a pause that doubles up to 30 s;
 * - ending: after `end`, or when the partition or the log is lost. The batch under way finishes, then `done`
 *   resolves.
 *
 * `seek` interrupts fetching and pausing; during handling the batch's continuation is ignored.
 */
export const startPartitionLoop = ({ source, options, logger, after }: LoopOptions) => {
  const { topic, partition } = source
  const ending = new AbortController()
  let committed = source.committed
  let position = source.position
  /** Where a failed batch is delivered again from: the last commit or seek. */
  let resumeAt = source.position
  let seeks = 0
  let failures = 0
  let interrupt = (): void => {}
  /** The completion of the last batch, and whether it failed. */
  let before = Promise.resolve()
  let hasFailed = false

  const fetch = async (): Promise<Fetched> => {
    const { maxRecords, maxBytes = DEFAULT_MAX_BYTES } = options
    if (hasFailed) return { records: [], highWatermark: position }
    interrupt = () => source.cancel()
    return source.fetch({ offset: position, maxRecords, maxBytes })
  }

  const pause = (ms: number): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(resolve, timerMs(ms))
      interrupt = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const contextOf = (): BatchContext => {
    const seeksBefore = seeks
    return {
      signal: ending.signal,
      async commit(offset, metadata = '') {
        await source.commit({ offset, metadata })
        committed = { offset, metadata }
        if (seeks === seeksBefore) resumeAt = offset
      },
      heartbeat: () => source.heartbeat(),
      before,
    }
  }

  /** The completion runs beside the next batch. Its failure interrupts a fetch or pause at once. */
  const complete = (completion: Promise<void>): void => {
    before = completion
    completion.then(
      () => {
        failures = 0
      },
      () => {
        hasFailed = true
        interrupt()
      },
    )
  }

  const goOn = async ({ next, pauseMs = 0 }: Continuation, seeksBefore: number): Promise<void> => {
    if (seeks !== seeksBefore) return
    position = next
    if (pauseMs > 0 && !ending.signal.aborted) await pause(pauseMs)
  }

  const startOver = async (error: unknown): Promise<void> => {
    // Records that the completion commits meanwhile are not delivered again.
    await before.catch(() => {})
    before = Promise.resolve()
    hasFailed = false
    if (ending.signal.aborted) return
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS)
    const { group } = options
    // A lost partition is no error: its new member works on the records.
    if (!isLost(error)) {
      logger?.error(
        { err: error, group, topic, partition, pauseMs },
        'A batch failed; it is delivered again after a pause.',
      )
    }
    failures += 1
    position = resumeAt
    await pause(pauseMs)
  }

  /** True for an error after which nothing can be read: the partition or the log is lost. */
  const isOver = (error: unknown): boolean => isLost(error) || (isAssayError(error) && error.code === 'unavailable')

  const step = async (): Promise<void> => {
    const seeksBefore = seeks
    try {
      const { records, highWatermark } = await fetch().catch(error => {
        if (isOver(error)) ending.abort(error)
        throw error
      })
      if (records.length === 0 || ending.signal.aborted || seeks !== seeksBefore) return await before
      const batch: Batch = { topic, partition, records, committed, highWatermark }
      const continuation = await options.onBatch(batch, contextOf())
      const earlier = before
      complete(continuation.completion ?? Promise.resolve())
      await earlier
      await goOn(continuation, seeksBefore)
    } catch (error) {
      await startOver(error)
    }
  }

  const run = async (): Promise<void> => {
    await after
    while (!ending.signal.aborted) await step()
    await before.catch(() => {})
  }

  return {
    topic,
    partition,
    done: run(),
    isEnding: (): boolean => ending.signal.aborted,
    /** Starts no further batch, and aborts the signal of the batch under way. */
    end(): void {
      ending.abort(new AssayError('partition_lost', 'The partition is given up.'))
      interrupt()
    },
    async seek(offset: Offset): Promise<void> {
      checkOffset(offset, await source.highWatermark())
      seeks += 1
      position = offset
      resumeAt = offset
      interrupt()
    },
  }
}

const isLost = (error: unknown): boolean => isAssayError(error) && error.code === 'partition_lost'
