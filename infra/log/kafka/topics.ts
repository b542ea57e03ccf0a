import { setTimeout as sleep } from 'node:timers/promises'
import type { Admin } from 'kafkajs'
import { AssayError } from '../../runtime/errors.ts'
import { checkTopics, unknownTopic } from '../checks.ts'
import type { TopicDefinition } from '../port.ts'
import { kafkaErrorType } from './errors.ts'
import { configEntriesOf, loadOverrides, TOPIC_RESOURCE } from './topic-config.ts'

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

  /** Changes what differs. kafkajs replaces a topic's whole configuration, so what an operator set stays by being sent again. */
  const configure = async (existing: readonly TopicDefinition[]): Promise<void> => {
    if (existing.length === 0) return
    const admin = await connected()
    const stored = await loadOverrides(admin, existing)
    const resources = existing.flatMap(definition => {
      const wanted = configEntriesOf(definition)
      const overrides = stored.get(definition.name) ?? new Map<string, string>()
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
