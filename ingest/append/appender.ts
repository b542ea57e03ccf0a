import type { Log, OutgoingRecord } from '../../infra/log/port.ts'
import { AssayError, logged } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { timerMs } from '../../infra/runtime/timers.ts'
import type { IngestSettings } from '../config.ts'
import type { ByteBudget } from './byte-budget.ts'

/** Bytes of a record in a batch besides its value: key, headers, framing. */
const RECORD_OVERHEAD_BYTES = 200
const APART_BYTES = 64 * 1024

/** Records that are appended together, and succeed or fail together. */
interface Batch {
  readonly records: OutgoingRecord[]
  bytes: number
  readonly stored: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const createBatch = (): Batch => {
  const { promise: stored, resolve, reject } = Promise.withResolvers<void>()
  return { records: [], bytes: 0, stored, resolve, reject }
}

const addTo = (batch: Batch, records: readonly OutgoingRecord[], bytes: number): void => {
  for (const record of records) batch.records.push(record)
  batch.bytes += bytes
}

export interface Appender {
  /**
   * Resolves once the records are durable. All of them are in one append of the log. Rejects with `busy` when too many
   * bytes are under way, with `timeout` when the log did not answer in time, or with the log's error.
   */
  append(records: readonly OutgoingRecord[]): Promise<void>
  /** Appends waiting records, and resolves when nothing is under way. */
  drain(): Promise<void>
}

export interface AppenderPorts {
  readonly log: Pick<Log, 'append'>
  readonly budget: ByteBudget
  readonly settings: Pick<IngestSettings, 'lingerMs' | 'maxBatchRecords' | 'maxBatchBytes' | 'appendTimeoutMs'>
  readonly logger: Pick<Logger, 'warn'>
  readonly onAppended: (records: number, seconds: number) => void
}

/**
 * Collects records that arrive within `lingerMs` into one append, since the log's cost is per append. A batch is
 * waiting until the linger ends or the batch is full, then under way until the log confirms or refuses. Requests above
 * 64 KiB start a batch of their own at once.
 *
 * @example await appender.append([record])
 */
export const createAppender = ({ log, budget, settings, logger, onAppended }: AppenderPorts): Appender => {
  let waiting: Batch | null = null
  let timer: NodeJS.Timeout | null = null
  let failing = false
  const underWay = new Set<Promise<void>>()

  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    if (waiting === null) return
    const batch = waiting
    waiting = null
    start(batch)
  }

  const start = (batch: Batch) => {
    const run = appendBatch(batch).finally(() => underWay.delete(run))
    underWay.add(run)
  }

  const appendBatch = async ({ records, bytes, resolve, reject }: Batch): Promise<void> => {
    const began = performance.now()
    const late = setTimeout(
      () => reject(new AssayError('timeout', 'The log did not confirm the record in time.')),
      timerMs(settings.appendTimeoutMs),
    )
    try {
      await log.append(records)
      if (failing) logger.warn('the log takes records again')
      failing = false
      onAppended(records.length, (performance.now() - began) / 1000)
      resolve()
    } catch (error) {
      // Logged once for an outage; the metrics count every request.
      if (!failing) logger.warn(logged(error), 'the log does not take records; requests are answered 503')
      failing = true
      reject(error)
    } finally {
      clearTimeout(late)
      budget.give(bytes)
    }
  }

  return {
    append: records => {
      const bytes = records.reduce((sum, record) => sum + record.value.byteLength + RECORD_OVERHEAD_BYTES, 0)
      if (!budget.take(bytes)) {
        return Promise.reject(new AssayError('busy', 'Too much is waiting for the log.', { retryAfterSeconds: 1 }))
      }
      if (waiting !== null && waiting.bytes + bytes > settings.maxBatchBytes) flush()
      // Small records must not wait for a large append.
      if (bytes > APART_BYTES) {
        const alone = createBatch()
        addTo(alone, records, bytes)
        start(alone)
        return alone.stored
      }
      waiting ??= createBatch()
      const batch = waiting
      addTo(batch, records, bytes)
      if (batch.records.length >= settings.maxBatchRecords || batch.bytes >= settings.maxBatchBytes) flush()
      else timer ??= setTimeout(flush, timerMs(settings.lingerMs))
      return batch.stored
    },
    drain: async () => {
      flush()
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}
