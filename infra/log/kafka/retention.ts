import type { Admin } from 'kafkajs'
import type { Logger } from '../../runtime/logger.ts'
import { timerMs } from '../../runtime/timers.ts'
import type { Offset } from '../port.ts'
import { toAssayError } from './errors.ts'
import { nameOf } from './group-positions.ts'
import { loadRetentions, type Topics } from './topics.ts'

interface RetentionOptions {
  readonly admin: () => Promise<Admin>
  readonly topics: Topics
  readonly sweepMs: number
  readonly logger: Logger
}

interface Removable {
  readonly topic: string
  readonly partition: number
  readonly low: Offset
  readonly old: Offset
}

/**
 * Removes records older than their topic's retention once every group that reads the topic has committed past them.
 * Kafka's own retention looks at age alone: a short retention, set for personal data, would lose records after a long
 * outage.
 */
export const startRetention = ({ admin, topics, sweepMs, logger }: RetentionOptions) => {
  const removableOf = async (client: Admin, topic: string, retentionMs: number): Promise<Removable[]> => {
    const young = await client.fetchTopicOffsetsByTimestamp(topic, Date.now() - retentionMs)
    const bounds = await client.fetchTopicOffsets(topic)
    return young.flatMap(({ partition, offset }) => {
      const low = Number(bounds.find(bound => bound.partition === partition)?.low ?? 0)
      return Number(offset) > low ? [{ topic, partition, low, old: Number(offset) }] : []
    })
  }

  /** The lowest position of any group, by partition name. */
  const loadFloors = async (client: Admin): Promise<Map<string, Offset>> => {
    const floors = new Map<string, Offset>()
    const { groups } = await client.listGroups()
    for (const { groupId } of groups) {
      for (const { topic, partitions } of await client.fetchOffsets({ groupId })) {
        for (const { partition, offset } of partitions) {
          const name = nameOf({ topic, partition })
          if (Number(offset) >= 0) floors.set(name, Math.min(Number(offset), floors.get(name) ?? Number(offset)))
        }
      }
    }
    return floors
  }

  const sweep = async (): Promise<void> => {
    const names = topics.defined().map(({ name }) => name)
    if (names.length === 0) return
    const client = await admin()
    // Another program may have changed a topic's retention since.
    const retentions = await loadRetentions(client, names)
    const removable: Removable[] = []
    for (const [topic, retentionMs] of retentions) {
      if (Number.isFinite(retentionMs)) removable.push(...(await removableOf(client, topic, retentionMs)))
    }
    if (removable.length === 0) return
    const floors = await loadFloors(client)
    const targets = removable.map(one => ({ ...one, to: Math.min(one.old, floors.get(nameOf(one)) ?? one.old) }))
    const moving = targets.filter(({ to, low }) => to > low)
    for (const [topic, partitions] of Map.groupBy(moving, one => one.topic)) {
      const entries = partitions.map(({ partition, to }) => ({ partition, offset: `${to}` }))
      await client.deleteTopicRecords({ topic, partitions: entries })
    }
  }

  let sweeping: Promise<void> | null = null
  const timer = setInterval(() => {
    sweeping ??= sweep()
      .catch(error => logger.warn({ reason: toAssayError(error).publicMessage }, 'Old records were not removed'))
      .finally(() => {
        sweeping = null
      })
  }, timerMs(sweepMs)).unref()

  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      await sweeping
    },
  }
}
