import { AssayError, isAssayError } from '../../runtime/errors.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Batch, BatchContext, ConsumeOptions, Continuation, Offset } from '../port.ts'
import type { Connection } from './connection.ts'
import { unpackValues } from './packing.ts'
import type { Assigned, Fetched } from './protocol.ts'

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000
/** Timers cannot wait longer; the loop then simply looks again. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

interface LoopOptions {
  readonly assigned: Assigned
  readonly options: ConsumeOptions
  readonly connection: Connection
  readonly logger: Pick<Logger, 'error'> | undefined
  /** An earlier loop of the same partition that is not through yet. */
  readonly after: Promise<void> | undefined
}

export type PartitionLoop = ReturnType<typeof startPartitionLoop>

/** Brings the batches of one partition to the handler, one after the other, for as long as the partition is held. */
export const startPartitionLoop = ({ assigned, options, connection, logger, after }: LoopOptions) => {
  const { topic, partition, generation } = assigned
  const ending = new AbortController()
  let committed = assigned.committed
  let position = assigned.position
  /** Where a batch that failed is delivered again from: the last commit, or the last seek. */
  let resumeAt = assigned.position
  let seeks = 0
  let failures = 0
  let interrupt = (): void => {}

  const fetch = async (): Promise<Fetched> => {
    const { maxRecords, maxBytes = DEFAULT_MAX_BYTES } = options
    const fetched = connection.call('fetch', { generation, offset: position, maxRecords, maxBytes })
    interrupt = () => void connection.call('cancel', { generation }).catch(() => {})
    return fetched
  }

  const pause = (ms: number): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS))
      interrupt = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const batchOf = ({ heads, highWatermark, ...packed }: Fetched): Batch => {
    const values = unpackValues(packed)
    const records = heads.map(({ headers, ...head }, index) => {
      const value = values[index] ?? new Uint8Array()
      // The log stores headers as it got them from `append`.
      return { topic, partition, ...head, headers: JSON.parse(headers) as Record<string, string>, value }
    })
    return { topic, partition, records, committed, highWatermark }
  }

  const contextOf = (): BatchContext => {
    const seeksBefore = seeks
    return {
      signal: ending.signal,
      async commit(offset, metadata = '') {
        await connection.call('commit', { generation, offset, metadata })
        committed = { offset, metadata }
        if (seeks === seeksBefore) resumeAt = offset
      },
      async heartbeat() {
        await connection.call('heartbeat', null)
      },
    }
  }

  const goOn = async ({ next, pauseMs = 0 }: Continuation, seeksBefore: number): Promise<void> => {
    failures = 0
    if (seeks !== seeksBefore) return
    position = next
    if (pauseMs > 0 && !ending.signal.aborted) await pause(pauseMs)
  }

  const startOver = async (error: unknown): Promise<void> => {
    if (ending.signal.aborted) return
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
    const { group } = options
    logger?.error(
      { err: error, group, topic, partition, pauseMs },
      'A batch failed; it is delivered again after a pause.',
    )
    failures += 1
    position = resumeAt
    await pause(pauseMs)
  }

  /** Without the partition or the log there is nothing left to read. */
  const isOver = (error: unknown): boolean =>
    isAssayError(error) && (error.code === 'partition_lost' || error.code === 'unavailable')

  const step = async (): Promise<void> => {
    const seeksBefore = seeks
    try {
      const fetched = await fetch().catch(error => {
        if (isOver(error)) ending.abort(error)
        throw error
      })
      if (fetched.heads.length === 0 || ending.signal.aborted || seeks !== seeksBefore) return
      await goOn(await options.onBatch(batchOf(fetched), contextOf()), seeksBefore)
    } catch (error) {
      await startOver(error)
    }
  }

  const run = async (): Promise<void> => {
    await after
    while (!ending.signal.aborted) await step()
  }

  return {
    topic,
    partition,
    generation,
    done: run(),
    isEnding: (): boolean => ending.signal.aborted,
    /** Starts no further batch, and tells the one under way. */
    end(): void {
      ending.abort(new AssayError('partition_lost', 'The partition is given up.'))
      interrupt()
    },
    async seek(offset: Offset): Promise<void> {
      const highWatermark = await connection.call('high_watermark', { generation })
      if (!Number.isInteger(offset) || offset < 0 || offset > highWatermark) {
        throw new AssayError('invalid_input', `Offset ${offset} is not between 0 and ${highWatermark}.`)
      }
      seeks += 1
      position = offset
      resumeAt = offset
      interrupt()
    },
  }
}
