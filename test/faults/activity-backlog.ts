import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createAnalytics } from '../../infra/clickhouse/client.ts'
import { parseClickHouseUrl } from '../../infra/clickhouse/config.ts'
import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Codec } from '../../infra/log/codec.ts'
import { createConfluentRegistry, createKafkaLog } from '../../infra/log/kafka/index.ts'
import type { Log } from '../../infra/log/port.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import type { Stack } from '../../infra/stack/index.ts'
import { createCodecs } from '../../model/codecs.ts'
import { testObserver } from '../../processors/framework/testing.ts'
import { createBreaker } from '../../processors/framework/wait-for-dependency.ts'
import { ACTIVITY_GROUP, hostActivity } from '../../processors/sinks/activity/activity.ts'
import { type EventId, newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { type ActivityRecord, activity } from '../../schemas/events/activity.ts'
import { ACTIVITY_TOPIC } from '../../schemas/events/topics.ts'
import { SIZES } from './sizes.ts'

const BLOCK_RECORDS = 2000
const APPEND_RECORDS = 1000
const TIMEOUT_MS = 180_000
/** The log may remove what is older than this, and looks several times a second. */
const RETENTION_MS = 1
const SWEEP_MS = 200

const logger = createLogger({ level: 'silent', program: 'test' })

/** What an hour without ClickHouse leaves is a backlog; how long it took to come does not matter to it. */
export const describeActivityBacklog = (stack: Stack): void => {
  describe(`ClickHouse is away while ${SIZES.backlog} events are told`, () => {
    const workspaceId = newId<WorkspaceId>()
    const blocks: number[] = []
    let log: Log
    let analytics: Analytics
    let activityCodec: Codec<ActivityRecord>

    before(async () => {
      const { KAFKA_BROKERS = '', SCHEMA_REGISTRY_URL = '', CLICKHOUSE_URL = '' } = stack.urls
      activityCodec = createCodecs(createConfluentRegistry({ url: SCHEMA_REGISTRY_URL })).activityCodec
      analytics = createAnalytics(parseClickHouseUrl(CLICKHOUSE_URL), { logger })
      const brokers = KAFKA_BROKERS.split(',')
      log = createKafkaLog({ brokers, clientId: 'backlog', logger, retentionSweepMs: SWEEP_MS })
      await log.ensureTopics([{ name: ACTIVITY_TOPIC, partitions: 2, retentionMs: RETENTION_MS }])
    })
    after(async () => {
      await log?.close()
      await analytics?.close()
    })

    const tell = async (): Promise<void> => {
      for (let told = 0; told < SIZES.backlog; told += APPEND_RECORDS) {
        const records = Array.from({ length: APPEND_RECORDS }, async (_, index) => {
          const subject = newId()
          const event = activity({
            event_id: newId<EventId>(),
            workspace_id: workspaceId,
            kind: 'signal.received',
            occurred_at: Date.UTC(2026, 5, 1) + told + index,
            subject_id: subject,
          })
          return { topic: ACTIVITY_TOPIC, key: subject, value: await activityCodec.encode(event) }
        })
        await log.append(await Promise.all(records))
      }
    }

    const places = async () => {
      const lag = await log.lag(ACTIVITY_GROUP)
      return {
        written: lag.reduce((sum, { highWatermark }) => sum + highWatermark, 0),
        committed: lag.reduce((sum, { committed }) => sum + committed, 0),
      }
    }

    it('keeps what nobody has read, whatever its age, and stores it once and in blocks when ClickHouse is back', async () => {
      const observer = testObserver()
      const consumer = await hostActivity({
        log,
        analytics: {
          ...analytics,
          async insert(table, rows, token) {
            await analytics.insert(table, rows, token)
            blocks.push(rows.length)
          },
        },
        activityCodec,
        breaker: createBreaker({ firstMs: 100, maxMs: 1000 }),
        observer,
        lingerMs: 50,
        maxRecords: BLOCK_RECORDS,
        now: Date.now,
      })
      const before = await eventually('what programs left is worked off', async () => {
        const { written, committed } = await places()
        return written === committed ? written : null
      })
      blocks.length = 0
      const written = before + SIZES.backlog
      await stack.stopEngine('clickhouse')
      await tell()
      assert.deepEqual({ ...(await places()), blocks }, { written, committed: before, blocks: [] })
      await stack.startEngine('clickhouse')
      await eventually('everything is worked off', async () => (await places()).committed === written, TIMEOUT_MS)
      await consumer.stop()

      const [stored] = await analytics.query<{ rows: number; events: number }>(
        'SELECT count() AS rows, uniqExact(event_id) AS events FROM activity WHERE workspace_id = {id: UUID}',
        { id: workspaceId },
      )
      assert.deepEqual(stored, { rows: SIZES.backlog, events: SIZES.backlog })
      assert.ok(Math.max(...blocks) <= BLOCK_RECORDS, `a block of ${Math.max(...blocks)} rows`)
      const notes = [...new Set(observer.notes.map(({ message }) => message))]
      assert.deepEqual(notes, ['Waiting for a dependency', 'No longer waiting for a dependency'])
    })
  })
}
