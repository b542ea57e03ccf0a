import kafkajs, { type Admin, type ConfigEntries } from 'kafkajs'
import { DAY_MS, HOUR_MS } from '../../../schemas/domain/durations.ts'
import type { TopicDefinition } from '../port.ts'

/** A broker forgets a group that has been away for seven days (offsets.retention.minutes); until then its records must stay. */
const GROUP_EXPIRY_MS = 7 * DAY_MS
const MEBIBYTE = 1024 * 1024
/** One append call may be one record batch. */
const MAX_BATCH_BYTES = 16 * MEBIBYTE
/** What was removed is off the disk only when its whole segment is. */
const SEGMENT_BYTES = 128 * MEBIBYTE
/** The last resort against a full disk, which would stop every topic: about two million signals a partition that nobody reads. */
const MAX_PARTITION_BYTES = 4096 * MEBIBYTE

export const TOPIC_RESOURCE = kafkajs.ConfigResourceTypes.TOPIC

/**
 * A topic's configuration, https://kafka.apache.org/documentation/#topicconfigs . The adapter removes what is old and read; the
 * brokers only what nobody can come back for, and what would fill the disk.
 */
export const configEntriesOf = ({ retentionMs }: TopicDefinition): { name: string; value: string }[] => [
  { name: 'cleanup.policy', value: 'delete' },
  { name: 'retention.ms', value: `${retentionMs + GROUP_EXPIRY_MS}` },
  { name: 'retention.bytes', value: `${MAX_PARTITION_BYTES}` },
  { name: 'segment.ms', value: `${Math.min(Math.max(retentionMs, HOUR_MS), DAY_MS)}` },
  { name: 'segment.bytes', value: `${SEGMENT_BYTES}` },
  { name: 'message.timestamp.type', value: 'LogAppendTime' },
  { name: 'max.message.bytes', value: `${MAX_BATCH_BYTES}` },
]

const describe = async (admin: Admin, names: readonly string[], configNames?: string[]) => {
  const query = names.map(name => ({ type: TOPIC_RESOURCE, name, ...(configNames && { configNames }) }))
  return (await admin.describeConfigs({ includeSynonyms: false, resources: query })).resources
}

const isOverride = ({ configSource }: ConfigEntries): boolean => configSource === kafkajs.ConfigSource.TOPIC_CONFIG

/** What is set for each of these topics itself, by its name: value by the setting's name. */
export const loadOverrides = async (
  admin: Admin,
  topics: readonly TopicDefinition[],
): Promise<ReadonlyMap<string, Map<string, string>>> => {
  const found = await describe(
    admin,
    topics.map(({ name }) => name),
  )
  return new Map(
    found.map(({ resourceName, configEntries }) => [
      resourceName,
      new Map(configEntries.filter(isOverride).map(({ configName, configValue }) => [configName, configValue])),
    ]),
  )
}

/** The retention that each topic was last defined with, in milliseconds; endless where the adapter set none. */
export const loadRetentions = async (admin: Admin, names: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const found = await describe(admin, names, ['retention.ms'])
  return new Map(
    found.map(({ resourceName, configEntries }) => {
      const stored = Number(configEntries.find(isOverride)?.configValue ?? Number.NaN) - GROUP_EXPIRY_MS
      return [resourceName, stored >= 0 ? stored : Number.POSITIVE_INFINITY]
    }),
  )
}
