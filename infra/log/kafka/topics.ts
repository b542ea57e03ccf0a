import { setTimeout as sleep } from 'node:timers/promises'
import type { Admin, ConfigEntries } from 'kafkajs'
import kafkajs from 'kafkajs'
import { DAY_MS, HOUR_MS } from '../../../schemas/domain/durations.ts'
import { AssayError } from '../../runtime/errors.ts'
import { checkTopics, unknownTopic } from '../checks.ts'
import type { TopicDefinition } from '../port.ts'
import { kafkaErrorType } from './errors.ts'

/**
 * A broker forgets a group that has been away for seven days (offsets.retention.minutes); until then its records must
 * stay.
 */
const GROUP_EXPIRY_MS = 7 * DAY_MS
const MEBIBYTE = 1024 * 1024
/** One append call may be one record batch. */
const MAX_BATCH_BYTES = 16 * MEBIBYTE
/** What was removed is off the disk only when its whole segment is. */
const SEGMENT_BYTES = 128 * MEBIBYTE
/**
 * The last resort against a full disk, which would stop every topic: about two million signals a partition that nobody
 * reads. An operator who has the room raises it at the topic.
 */
const SIZE_CAP = { name: 'retention.bytes', value: `${4096 * MEBIBYTE}` }

const TOPIC_RESOURCE = kafkajs.ConfigResourceTypes.TOPIC

/**
 * A topic's configuration, https://kafka.apache.org/documentation/#topicconfigs . The adapter removes what is old and
 * read; the brokers only what nobody can come back for, and what would fill the disk.
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

/** What is set for each of these topics itself, by its name: value by the setting's name. */
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

/** What one broker created the others learn a moment later. */
const PROPAGATION_MS = 10_000
const PROPAGATION_PAUSE_MS = 50

export type Topics = ReturnType<typeof createTopics>

/** The topics on the brokers, and how many partitions each has. */
export const createTopics = (connected: () => Promise<Admin>, replicationFactor: number) => {
  const definitions = new Map<string, TopicDefinition>()
  const partitions = new Map<string, number>()

  const load = async (): Promise<void> => {
    // Asked by name, a broker may create a topic that is missing.
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
   * Changes what differs. kafkajs replaces a topic's whole configuration, so what an operator set stays by being sent
   * again.
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

    /** How many partitions a topic has. Rejects with `not_found`. */
    async partitions(name: string): Promise<number> {
      if (!partitions.has(name)) await load()
      const count = partitions.get(name)
      if (count === undefined) throw unknownTopic(name)
      return count
    },

    /** The topics that this program takes care of. */
    defined: (): readonly TopicDefinition[] => [...definitions.values()],
  }
}

/** How a broker calls a topic that another has just created, or that has no leader yet. */
const NOT_YET: ReadonlySet<string> = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'])

const notYet = (cause?: unknown): AssayError =>
  new AssayError('unavailable', 'The brokers do not all know the new topics yet.', { cause })
