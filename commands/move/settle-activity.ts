import { setTimeout as sleep } from 'node:timers/promises'
import { type AnalyticsConnection, createAnalytics } from '../../infra/clickhouse/client.ts'
import { connectLog, type LogConnection } from '../../infra/log/connect.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { createMetrics } from '../../infra/runtime/metrics.ts'
import { createCodecs } from '../../model/codecs.ts'
import { createObserver } from '../../processors/framework/metrics.ts'
import { createBreaker } from '../../processors/framework/wait-for-dependency.ts'
import { ACTIVITY_GROUP, hostActivity } from '../../processors/sinks/activity/activity.ts'

const PAUSE_MS = 50
const BREAKER = { firstMs: 500, maxMs: 5000 }

interface Options {
  readonly log: LogConnection
  readonly analytics: AnalyticsConnection
  readonly maxRecords: number
  readonly logger: Logger
}

/**
 * Writes all activity that waits on the log to ClickHouse. A block that was cut and perhaps sent before a kill is told
 * by its token from one that was not, which only the engine that got it knows: so this ends where it began.
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
