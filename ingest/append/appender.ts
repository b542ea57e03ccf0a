import type { Log, OutgoingRecord } from '../../infra/log/port.ts'
import { AssayError, logged } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { timerMs } from '../../infra/runtime/timers.ts'
import type { IngestSettings } from '../config.ts'
import type { ByteBudget } from './byte-budget.ts'

/** What a record costs in a batch beyond its value: its key, its headers and the framing. */
const RECORD_OVERHEAD_BYTES = 200
const APART_BYTES = 64 * 1024

/** Records that share one append, and its fate. */
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
   * Resolves once the records are durable, which they become in one append of the log. Rejects with `busy` when too
   * many bytes are under way already, with `timeout` when the log did not answer in time, or with the log's own error.
   */
  append(records: readonly OutgoingRecord[]): Promise<void>
  /** Appends what still waits for company, and resolves when nothing is under way. */
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
 * Lets records that arrive close together share one append: the log's price is for each append, not for each record.
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
      // Said once for an outage, not for every request in it; the metrics count those.
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
      // It goes by itself: what is small would wait for as long as it takes.
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
