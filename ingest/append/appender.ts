import type { Log, OutgoingRecord } from '../../infra/log/port.ts'
import { AssayError, logged } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { IngestSettings } from '../config.ts'
import type { ByteBudget } from './byte-budget.ts'

/** What a record costs in a batch beyond its value: its key, its headers and the framing. */
const RECORD_OVERHEAD_BYTES = 200
const APART_BYTES = 64 * 1024

interface Group {
  readonly records: readonly OutgoingRecord[]
  readonly bytes: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
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
  let waiting: Group[] = []
  let waitingRecords = 0
  let waitingBytes = 0
  let timer: NodeJS.Timeout | null = null
  let failing = false
  const underWay = new Set<Promise<void>>()

  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    if (waiting.length === 0) return
    const groups = waiting
    waiting = []
    waitingRecords = 0
    waitingBytes = 0
    start(groups)
  }

  const start = (groups: readonly Group[]) => {
    const run = appendGroups(groups).finally(() => underWay.delete(run))
    underWay.add(run)
  }

  const appendGroups = async (groups: readonly Group[]): Promise<void> => {
    const began = performance.now()
    const late = setTimeout(() => {
      const error = new AssayError('timeout', 'The log did not confirm the record in time.')
      for (const group of groups) group.reject(error)
    }, settings.appendTimeoutMs)
    try {
      await log.append(groups.flatMap(group => group.records))
      if (failing) logger.warn('the log takes records again')
      failing = false
      onAppended(
        groups.reduce((sum, group) => sum + group.records.length, 0),
        (performance.now() - began) / 1000,
      )
      for (const group of groups) group.resolve()
    } catch (error) {
      // Said once for an outage, not for every request in it; the metrics count those.
      if (!failing) logger.warn(logged(error), 'the log does not take records; requests are answered 503')
      failing = true
      for (const group of groups) group.reject(error)
    } finally {
      clearTimeout(late)
      for (const group of groups) budget.give(group.bytes)
    }
  }

  return {
    append: records => {
      const bytes = records.reduce((sum, record) => sum + record.value.byteLength + RECORD_OVERHEAD_BYTES, 0)
      if (!budget.take(bytes)) {
        return Promise.reject(new AssayError('busy', 'Too much is waiting for the log.', { retryAfterSeconds: 1 }))
      }
      if (waitingBytes + bytes > settings.maxBatchBytes) flush()
      // It goes by itself: what is small would wait for as long as it takes.
      if (bytes > APART_BYTES) {
        const alone = Promise.withResolvers<void>()
        start([{ records, bytes, resolve: alone.resolve, reject: alone.reject }])
        return alone.promise
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ records, bytes, resolve, reject })
      waitingRecords += records.length
      waitingBytes += bytes
      if (waitingRecords >= settings.maxBatchRecords || waitingBytes >= settings.maxBatchBytes) flush()
      else timer ??= setTimeout(flush, settings.lingerMs)
      return promise
    },
    drain: async () => {
      flush()
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}
