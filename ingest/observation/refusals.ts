import type { Log } from '../../infra/log/port.ts'
import { logged } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { withDeadline } from '../../infra/runtime/promises.ts'
import { timerMs } from '../../infra/runtime/timers.ts'
import { formatTraceparent, newTrace } from '../../infra/runtime/traces.ts'
import { type EventId, newId } from '../../schemas/domain/ids.ts'
import { activity } from '../../schemas/events/activity.ts'
import { encodeDraft, type IngestCodecs } from '../append/encode-drafts.ts'
import type { ObservedRequest } from '../intake/intake.ts'
import type { Source } from '../registry/source.ts'

/** Refusals of one source for one reason since the last report. */
interface Refused {
  readonly source: Source
  readonly reason: string
  times: number
  lastAt: number
}

export interface Refusals {
  /** Counts a refused request; ignores others. */
  observe(observed: ObservedRequest): void
  /** Reports what was counted, and counts no more. */
  stop(): Promise<void>
}

export interface RefusalsPorts {
  readonly log: Pick<Log, 'append'>
  readonly codecs: IngestCodecs
  readonly logger: Pick<Logger, 'warn'>
  /** Called with the number of refusals that the activity will never show. */
  readonly onUnreported: (times: number) => void
  readonly now: () => number
  /** Interval of reports, ms. Default 5 s. */
  readonly reportMs?: number
  /** Maximum of distinct pairs of source and reason in a report. Default 10,000, some megabytes. */
  readonly maxPairs?: number
  /** Time for the last report, ms. Default 3 s. */
  readonly stopMs?: number
}

/** A record has about a hundred bytes, and a broker takes 1 MB at once. */
const RECORDS_PER_APPEND = 1000

/**
 * Reports refusals as activity: one `source.refused` record for a source and reason every few seconds, so that a flood
 * of requests is not passed on. Answers do not wait for reports. Counts of a failed append are dropped, since they may
 * be stored nevertheless; `onUnreported` gets their number.
 */
export const createRefusals = (ports: RefusalsPorts): Refusals => {
  const { log, codecs, logger, onUnreported, now, reportMs = 5000, maxPairs = 10_000, stopMs = 3000 } = ports
  let counted = new Map<string, Refused>()
  let reporting: Promise<void> | null = null
  let failing = false

  const record = ({ source, reason, times, lastAt }: Refused) => {
    const event = activity({
      event_id: newId<EventId>(),
      workspace_id: source.workspaceId,
      kind: 'source.refused',
      occurred_at: lastAt,
      source_id: source.id,
      source: source.name,
      reason,
      times,
    })
    return encodeDraft({ what: 'activity', record: event }, codecs, formatTraceparent(newTrace()), () => 'live')
  }

  const append = async (part: readonly Refused[]): Promise<void> => {
    try {
      await log.append(await Promise.all(part.map(record)))
      failing = false
    } catch (error) {
      // Logged once for an outage; `onUnreported` counts the rest.
      if (!failing) logger.warn(logged(error), 'refused requests are not reported as activity')
      failing = true
      onUnreported(part.reduce((sum, { times }) => sum + times, 0))
    }
  }

  const report = async (): Promise<void> => {
    const all = [...counted.values()]
    counted = new Map()
    for (let start = 0; start < all.length; start += RECORDS_PER_APPEND) {
      await append(all.slice(start, start + RECORDS_PER_APPEND))
    }
  }

  /** One report at a time: while the log is away the counts grow, not the number of reports. */
  const timer = setInterval(() => {
    if (counted.size === 0) return
    reporting ??= report().finally(() => {
      reporting = null
    })
  }, timerMs(reportMs)).unref()

  return {
    observe: ({ source, refused: reason }) => {
      if (source === null || reason === null) return
      const key = `${source.id} ${reason}`
      const known = counted.get(key)
      if (known) {
        known.times += 1
        known.lastAt = now()
      } else if (counted.size < maxPairs) counted.set(key, { source, reason, times: 1, lastAt: now() })
      else onUnreported(1)
    },
    stop: async () => {
      clearInterval(timer)
      const last = Promise.resolve(reporting).then(report)
      await withDeadline(last, stopMs, 'Reporting refused requests').catch(error =>
        logger.warn(logged(error), 'refused requests are not reported as activity'),
      )
    },
  }
}
