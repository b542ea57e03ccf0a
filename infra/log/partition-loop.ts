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

/** The first of these records that together are within limits: at least one, where there is one. */
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
  /** Empty when the wait was called off. */
  readonly records: readonly StoredRecord[]
  readonly highWatermark: Offset
}

/**
 * A partition as a member of a group holds it: what an adapter gives to the loop. Its calls reject with
 * `partition_lost` later.
 */
export interface PartitionSource extends TopicPartition {
  /** Where reading begins. */
  readonly position: Offset
  readonly committed: Commit | null
  /** Stays open until there is a record at `offset` or after it. */
  fetch(request: FetchRequest): Promise<Fetched>
  /** Ends an open `fetch` with an empty answer. */
  cancel(): void
  commit(commit: Commit): Promise<void>
  heartbeat(): Promise<void>
  highWatermark(): Promise<Offset>
}

interface LoopOptions {
  readonly source: PartitionSource
  readonly options: ConsumeOptions
  readonly logger: Pick<Logger, 'error'> | undefined
  /** An earlier loop of the same partition that is not through yet. */
  readonly after: Promise<void> | undefined
}

export type PartitionLoop = ReturnType<typeof startPartitionLoop>

/** Brings the batches of one partition to the handler, one after the other, for as long as the partition is held. */
export const startPartitionLoop = ({ source, options, logger, after }: LoopOptions) => {
  const { topic, partition } = source
  const ending = new AbortController()
  let committed = source.committed
  let position = source.position
  /** Where a batch that failed is delivered again from: the last commit, or the last seek. */
  let resumeAt = source.position
  let seeks = 0
  let failures = 0
  let interrupt = (): void => {}
  /** What of the last batch is under way still, and whether that has failed. */
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

  /** Goes on beside it; a loop that waits for records hears of its failure at once. */
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
    // What of it is committed meanwhile is not delivered again.
    await before.catch(() => {})
    before = Promise.resolve()
    hasFailed = false
    if (ending.signal.aborted) return
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS)
    const { group } = options
    // Whoever has the partition now does it again.
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

  /** Without the partition or the log there is nothing left to read. */
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
    /** Starts no further batch, and tells the one under way. */
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
