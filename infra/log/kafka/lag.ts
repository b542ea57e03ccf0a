import type { Admin } from 'kafkajs'
import type { GroupPartition } from '../port.ts'
import { kafkaErrorType } from './errors.ts'
import { type GroupPosition, loadGroupPositions, nameOf } from './group-positions.ts'
import type { createPeek } from './peek.ts'

/** A group's place on every partition that it has a commit or a starting place on. */
export const loadLag = async (
  admin: Admin,
  peek: ReturnType<typeof createPeek>,
  group: string,
): Promise<GroupPartition[]> => {
  const stored = await admin.fetchOffsets({ groupId: group })
  const topics = stored.map(({ topic }) => topic)
  const positions = (await Promise.all(topics.map(topic => axisPositions(admin, group, topic)))).flat()
  const known = positions.flatMap(position => {
    const committed = position.committed?.offset ?? position.start
    return committed === null ? [] : [{ ...position, committed }]
  })
  const behind = known.filter(({ committed, high }) => committed < high)
  const timestamps = await peek.timestamps(
    behind.map(({ topic, partition, committed, low }) => ({ topic, partition, offset: Math.max(committed, low) })),
  )
  return known.map(position => ({
    group,
    topic: position.topic,
    partition: position.partition,
    committed: position.committed,
    highWatermark: position.high,
    oldestUncommittedAt: timestamps.get(nameOf(position)) ?? null,
  }))
}

/** None for a topic that was deleted since: a group's commits outlive it. */
const axisPositions = async (admin: Admin, group: string, topic: string): Promise<GroupPosition[]> => {
  try {
    return await loadGroupPositions(admin, group, [topic])
  } catch (error) {
    if (kafkaErrorType(error) === 'UNKNOWN_TOPIC_OR_PARTITION') return []
    throw error
  }
}
