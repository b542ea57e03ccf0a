import { setTimeout as sleep } from 'node:timers/promises'
import { type AnalyticsConnection, createAnalytics } from '../../infra/clickhouse/client.ts'
import type { AnalyticsTables } from '../../infra/clickhouse/migrate.ts'
import { connectLog, type LogConnection } from '../../infra/log/connect.ts'
import type { LogContents } from '../../infra/log/port.ts'
import type { OwnedDatabase } from '../../infra/postgres/pool.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { createMetrics } from '../../infra/runtime/metrics.ts'
import type { InstallationKey } from '../../infra/runtime/secrets.ts'
import { createCodecs } from '../../model/codecs.ts'
import { createObserver } from '../../processors/framework/metrics.ts'
import { createBreaker } from '../../processors/framework/wait-for-dependency.ts'
import { ACTIVITY_GROUP, hostActivity } from '../../processors/sinks/activity/activity.ts'

/** A place's note of a move out of it. */
interface Leaving {
  readonly id: string
  readonly state: 'leaving' | 'left'
}

/** The three stores of an installation, opened for a move. */
export interface Place {
  /** The place's name in messages, without secrets. */
  readonly name: string
  readonly database: OwnedDatabase
  readonly analytics: AnalyticsTables
  /** Null when the place has no key of its own. */
  readonly key: InstallationKey | null
  /** Opened only after `settle`. */
  openLog(): Promise<LogContents>
  /** For a source: completes the activity sink's work, so that no block is cut a second time in the target. */
  settle(): Promise<void>
  leaving(): Promise<Leaving | null>
  noteLeaving(leaving: Leaving, to: string): Promise<void>
  /** For a target: notes that it is being filled, and later that it is complete. */
  noteFilling(id: string, from: string): Promise<void>
  keepKey(key: InstallationKey): Promise<void>
  noteArrived(): Promise<void>
}

const PAUSE_MS = 50
const BREAKER = { firstMs: 500, maxMs: 5000 }

interface Options {
  readonly log: LogConnection
  readonly analytics: AnalyticsConnection
  readonly maxRecords: number
  readonly logger: Logger
}

/**
 * Writes all activity that waits on the log to ClickHouse. A block that was perhaps sent before a kill is recognised by
 * its token, which only the ClickHouse that received it knows: therefore the source's is completed before the move.
 */
export const settleActivity = async ({
  log: connection,
  analytics: place,
  maxRecords,
  logger,
}: Options): Promise<void> => {
  const { log, registry } = connectLog(connection, 'move', logger)
  const analytics = createAnalytics(place, { logger })
  try {
    const { activityCodec } = createCodecs(registry)
    const waits = async () =>
      (await log.lag(ACTIVITY_GROUP)).some(({ committed, highWatermark }) => committed < highWatermark)
    if (!(await waits())) return
    await hostActivity({
      log,
      analytics,
      activityCodec,
      breaker: createBreaker(BREAKER),
      observer: createObserver(createMetrics({ program: 'move' }), (message, facts) => logger.warn(facts, message)),
      lingerMs: 0,
      maxRecords,
      now: Date.now,
    })
    while (await waits()) await sleep(PAUSE_MS)
  } finally {
    await log.close()
    await analytics.close()
  }
}
