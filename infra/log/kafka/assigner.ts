import kafkajs, { type PartitionAssigner } from 'kafkajs'
import { assign } from '../assignment.ts'
import type { TopicPartition } from '../port.ts'

const NAME = 'assay-sticky'
const VERSION = 1

interface AssignerOptions {
  /** What the member reads at the moment; it tells the leader of the group, who leaves it there if it can. */
  readonly holdings: () => readonly TopicPartition[]
  /** A member joins, perhaps not for the first time until it succeeds. */
  readonly joining: () => void
}

/** kafkajs has only an assigner that deals partitions out anew each time, and gives members topics they did not ask for. */
export const stickyAssigner =
  ({ holdings, joining }: AssignerOptions): PartitionAssigner =>
  ({ cluster }) => ({
    name: NAME,
    version: VERSION,

    protocol({ topics }) {
      joining()
      const userData = Buffer.from(JSON.stringify(holdings().map(({ topic, partition }) => [topic, partition])))
      return {
        name: NAME,
        metadata: kafkajs.AssignerProtocol.MemberMetadata.encode({ version: VERSION, topics, userData }),
      }
    },

    async assign({ members: joined }) {
      const members = joined.map(({ memberId, memberMetadata }) => {
        const decoded = kafkajs.AssignerProtocol.MemberMetadata.decode(memberMetadata)
        return { memberId, topics: new Set(decoded?.topics), owned: ownedOf(decoded?.userData) }
      })
      members.sort((one, other) => (one.memberId < other.memberId ? -1 : 1))
      const topics = [...new Set(members.flatMap(member => [...member.topics]))].sort()
      await cluster.addMultipleTargetTopics(topics)
      const partitions = topics.flatMap(topic =>
        cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => ({ topic, partition: partitionId })),
      )
      partitions.sort((one, other) => (one.topic === other.topic ? one.partition - other.partition : 0))
      const holders = new Map(members.flatMap(member => member.owned.map(owned => [owned, member] as const)))
      const current = new Map(
        partitions.flatMap(at => {
          const holder = holders.get(JSON.stringify([at.topic, at.partition]))
          return holder === undefined ? [] : [[at, holder] as const]
        }),
      )
      const assigned = assign(partitions, members, current)
      return members.map(member => {
        const own = [...assigned].filter(([, holder]) => holder === member).map(([at]) => at)
        const byTopic = Map.groupBy(own, ({ topic }) => topic)
        const assignment = Object.fromEntries(
          [...byTopic].map(([topic, owned]) => [topic, owned.map(({ partition }) => partition)]),
        )
        const userData = Buffer.alloc(0)
        const memberAssignment = kafkajs.AssignerProtocol.MemberAssignment.encode({
          version: VERSION,
          assignment,
          userData,
        })
        return { memberId: member.memberId, memberAssignment }
      })
    },
  })

/** Each partition as the JSON it was sent as: `["topic",0]`. */
const ownedOf = (userData: Buffer | undefined): string[] => {
  if (userData === undefined || userData.byteLength === 0) return []
  const owned: unknown = JSON.parse(userData.toString())
  return Array.isArray(owned) ? owned.map(one => JSON.stringify(one)) : []
}
