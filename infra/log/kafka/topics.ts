import { setTimeout as sleep } from 'node:timers/promises'
import type { Admin, ConfigEntries } from 'kafkajs'
import kafkajs from 'kafkajs'
import { DAY_MS, HOUR_MS } from '../../../schemas/domain/durations.ts'
import { AssayError } from '../../runtime/errors.ts'
import { checkTopics, unknownTopic } from '../checks.ts'
import type { TopicDefinition } from '../port.ts'
import { kafkaErrorType } from './errors.ts'

/**
 * Brokers forget a group that has been away for seven days (offsets.retention.minutes). Its records stay until then.
 */
const GROUP_EXPIRY_MS = 7 * DAY_MS
const MEBIBYTE = 1024 * 1024
/** An append may be one record batch. */
const MAX_BATCH_BYTES = 16 * MEBIBYTE
/** Removed records leave the disk only with their whole segment. */
const SEGMENT_BYTES = 128 * MEBIBYTE
/**
 * Last resort against a full disk, which would stop every topic: about two million unread signals in a partition. An
 * operator with more room raises the value at the topic.
 */
const SIZE_CAP = { name: 'retention.bytes', value: `${4096 * MEBIBYTE}` }

const TOPIC_RESOURCE = kafkajs.ConfigResourceTypes.TOPIC

/**
 * A topic's configuration, https://kafka.apache.org/documentation/#topicconfigs . The adapter removes old records that
 * were read. The brokers remove only records whose readers are forgotten, and what would fill the disk.
 */
const configEntriesOf = ({ retentionMs }: TopicDefinition): { name: string; value: string }[] => [
  { name: 'cleanup.policy', value: 'delete' },
  { name: 'retention.ms', value: `${retentionMs + GROUP_EXPIRY_MS}` },
  SIZE_CAP,
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

/** Settings made at each topic itself: by topic name, then by setting. */
const loadOverrides = async (
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

/** Each topic's retention as last defined, ms; infinite where the adapter set none. */
export const loadRetentions = async (admin: Admin, names: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const found = await describe(admin, names, ['retention.ms'])
  return new Map(
    found.map(({ resourceName, configEntries }) => {
      const stored = Number(configEntries.find(isOverride)?.configValue ?? Number.NaN) - GROUP_EXPIRY_MS
      return [resourceName, stored >= 0 ? stored : Number.POSITIVE_INFINITY]
    }),
  )
}

/** Other brokers learn of a new topic a moment later. */
const PROPAGATION_MS = 10_000
const PROPAGATION_PAUSE_MS = 50

export type Topics = ReturnType<typeof createTopics>

/** The topics on the brokers, with their number of partitions. */
export const createTopics = (connected: () => Promise<Admin>, replicationFactor: number) => {
  const definitions = new Map<string, TopicDefinition>()
  const partitions = new Map<string, number>()

  const load = async (): Promise<void> => {
    // A request for a missing topic by name may create it; this request names none.
    const { topics } = await (await connected()).fetchTopicMetadata()
    for (const { name, partitions: found } of topics) {
      if (found.length > 0 && found.every(({ leader }) => leader >= 0)) partitions.set(name, found.length)
    }
  }

  const create = async (definition: TopicDefinition): Promise<void> => {
    const topic = {
      topic: definition.name,
      numPartitions: definition.partitions,
      replicationFactor,
      configEntries: configEntriesOf(definition),
    }
    try {
      await (await connected()).createTopics({ topics: [topic], waitForLeaders: false })
    } catch (error) {
      // Another program was quicker.
      if (kafkaErrorType(error) !== 'TOPIC_ALREADY_EXISTS') throw error
    }
  }

  /**
   * Changes settings that differ. kafkajs replaces a topic's whole configuration, therefore an operator's settings are
   * sent again.
   */
  const configure = async (existing: readonly TopicDefinition[]): Promise<void> => {
    if (existing.length === 0) return
    const admin = await connected()
    const stored = await loadOverrides(admin, existing)
    const resources = existing.flatMap(definition => {
      const overrides = stored.get(definition.name) ?? new Map<string, string>()
      const wanted = configEntriesOf(definition).filter(entry => entry !== SIZE_CAP || !overrides.has(SIZE_CAP.name))
      if (wanted.every(({ name, value }) => overrides.get(name) === value)) return []
      for (const { name, value } of wanted) overrides.set(name, value)
      const configEntries = [...overrides].map(([name, value]) => ({ name, value }))
      return [{ type: TOPIC_RESOURCE, name: definition.name, configEntries }]
    })
    if (resources.length > 0) await admin.alterConfigs({ validateOnly: false, resources })
  }

  const arrange = async (wanted: readonly TopicDefinition[]): Promise<void> => {
    await load()
    const isThere = ({ name }: TopicDefinition): boolean => partitions.has(name)
    await configure(wanted.filter(isThere))
    for (const definition of wanted) if (!isThere(definition)) await create(definition)
    const deadline = Date.now() + PROPAGATION_MS
    for (;;) {
      await load()
      if (wanted.every(isThere)) return
      if (Date.now() > deadline) throw notYet()
      await sleep(PROPAGATION_PAUSE_MS)
    }
  }

  return {
    async ensure(wanted: readonly TopicDefinition[]): Promise<void> {
      checkTopics(wanted)
      try {
        await arrange(wanted)
      } catch (error) {
        throw NOT_YET.has(kafkaErrorType(error) ?? '') ? notYet(error) : error
      }
      for (const definition of wanted) definitions.set(definition.name, definition)
    },

    /** Topics whose partitions all have a leader. */
    async names(): Promise<readonly string[]> {
      await load()
      return [...partitions.keys()]
    },

    /** Rejects with `not_found` for an unknown topic. */
    async partitions(name: string): Promise<number> {
      if (!partitions.has(name)) await load()
      const count = partitions.get(name)
      if (count === undefined) throw unknownTopic(name)
      return count
    },

    /** The topics that this program defined. */
    defined: (): readonly TopicDefinition[] => [...definitions.values()],
  }
}

/** A broker's errors for a topic that is new, or has no leader yet. */
const NOT_YET: ReadonlySet<string> = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'])

const notYet = (cause?: unknown): AssayError =>
  new AssayError('unavailable', 'The brokers do not all know the new topics yet.', { cause })
