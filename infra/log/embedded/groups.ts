import { AssayError } from '../../runtime/errors.ts'
import { timerMs } from '../../runtime/timers.ts'
import { assign } from '../partitions.ts'
import type { Catalogue, Partition } from './catalogue.ts'
import type { Calls, Notice } from './protocol.ts'
import type { Commits } from './records.ts'

/** A client of the log, as the log's thread sees it. */
export interface Connection {
  readonly notify: (notice: Notice) => void
  readonly isOpen: () => boolean
}

interface Member {
  readonly connection: Connection
  readonly number: number
  readonly group: string
  readonly topics: ReadonlySet<string>
}

interface Holding {
  readonly generation: number
  readonly member: Member
  readonly partition: Partition
  /**
   * Set while the partition is being taken away: the time after which the member loses it without having released it.
   */
  deadline: NodeJS.Timeout | null
}

interface GroupsOptions {
  readonly catalogue: Catalogue
  readonly commits: Commits
  /** How long a member may take to release a partition, ms. */
  readonly rebalanceTimeoutMs: number
  /** Called when a member no longer holds this generation. */
  readonly ended: (generation: number) => void
}

export type Groups = ReturnType<typeof createGroups>

/**
 * The consumer groups: their members, and who holds which partition. A holding has three states:
 *
 * - held: `assigned` was sent, and the member reads, commits and fetches under its generation;
 * - revoked: `revoked` was sent, since the partition is meant for another member. The member finishes its batch;
 * - ended: the member released the partition, left, was expelled, or let the deadline pass. Calls under the old
 * generation fail with `partition_lost`, and the next member gets the partition under a new generation.
 *
 * Every join, leave and end of a holding starts a rebalance of the group.
 */
export const createGroups = ({ catalogue, commits, rebalanceTimeoutMs, ended }: GroupsOptions) => {
  const members = new Set<Member>()
  const holdings = new Map<number, Holding>()
  const unsettled = new Set<string>()
  let lastGeneration = 0

  const ofGroup = (group: string): Member[] => [...members].filter(member => member.group === group)

  const give = (partition: Partition, member: Member): void => {
    lastGeneration += 1
    const generation = lastGeneration
    holdings.set(generation, { generation, member, partition, deadline: null })
    const { position, committed } = commits.readPosition(member.group, partition) ?? { position: 0, committed: null }
    const assigned = { topic: partition.topic, partition: partition.partition, generation, position, committed }
    member.connection.notify({ notice: 'assigned', member: member.number, assigned })
  }

  const take = (holding: Holding): void => {
    if (holding.deadline !== null) clearTimeout(holding.deadline)
    holdings.delete(holding.generation)
    ended(holding.generation)
    rebalance(holding.member.group)
  }

  const revoke = (holding: Holding): void => {
    const { generation, member } = holding
    holding.deadline = setTimeout(() => take(holding), timerMs(rebalanceTimeoutMs))
    member.connection.notify({ notice: 'revoked', member: member.number, generation })
  }

  const settle = (group: string): void => {
    unsettled.delete(group)
    const readers = ofGroup(group)
    const joinedPartitions = new Map<Partition, Holding>()
    for (const holding of holdings.values())
      if (holding.member.group === group) joinedPartitions.set(holding.partition, holding)
    const topics = new Set(readers.flatMap(member => [...member.topics]))
    const partitions = [...topics].sort().flatMap(name => catalogue.topic(name).partitions)
    const current = new Map([...joinedPartitions].map(([partition, { member }]) => [partition, member]))
    for (const [partition, member] of assign(partitions, readers, current)) {
      const holding = joinedPartitions.get(partition)
      if (holding === undefined) give(partition, member)
      else if (holding.member !== member && holding.deadline === null) revoke(holding)
    }
  }

  /** Members that come and go within one turn of the event loop cause one rebalance. */
  const rebalance = (group: string): void => {
    if (unsettled.has(group)) return
    unsettled.add(group)
    setImmediate(() => settle(group))
  }

  const remove = (member: Member): void => {
    members.delete(member)
    for (const holding of [...holdings.values()]) if (holding.member === member) take(holding)
    rebalance(member.group)
  }

  const ofConnection = (connection: Connection): Member[] =>
    [...members].filter(member => member.connection === connection)

  return {
    join(connection: Connection, { member: number, group, topics }: Calls['join']['request']): void {
      if (!connection.isOpen()) return
      members.add({ connection, number, group, topics: new Set(topics) })
      rebalance(group)
    },

    leave(connection: Connection, number: number): void {
      ofConnection(connection)
        .filter(member => member.number === number)
        .forEach(remove)
    },

    /** The client has ended: removes its members. */
    drop(connection: Connection): void {
      ofConnection(connection).forEach(remove)
    },

    /** The client was silent for too long: removes its members and tells them. */
    expel(connection: Connection): void {
      for (const member of ofConnection(connection)) {
        remove(member)
        connection.notify({ notice: 'expelled', member: member.number })
      }
    },

    release(generation: number): void {
      const holding = holdings.get(generation)
      if (holding !== undefined) take(holding)
    },

    /** The group and the partition of this generation. Throws `partition_lost` when the generation has ended. */
    joinedPartitions(generation: number): { readonly group: string; readonly partition: Partition } {
      const holding = holdings.get(generation)
      if (holding === undefined) {
        throw new AssayError('partition_lost', 'Another member of the consumer group has this partition by now.')
      }
      return { group: holding.member.group, partition: holding.partition }
    },

    /** The members with what they read. */
    reading: (): readonly { readonly group: string; readonly topics: ReadonlySet<string> }[] => [...members],

    close(): void {
      for (const { deadline } of holdings.values()) if (deadline !== null) clearTimeout(deadline)
    },
  }
}
