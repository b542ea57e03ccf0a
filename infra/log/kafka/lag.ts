import type { Admin } from 'kafkajs'
import type { GroupPartition } from '../port.ts'
import { kafkaErrorType } from './errors.ts'
import type { createPeek } from './peek.ts'
import { loadPlaces, nameOf, type Place } from './places.ts'

/** A group's place on every partition that it has a commit or a starting place on. */
export const loadLag = async (
  admin: Admin,
  peek: ReturnType<typeof createPeek>,
  group: string,
): Promise<GroupPartition[]> => {
  const stored = await admin.fetchOffsets({ groupId: group })
  const topics = stored.map(({ topic }) => topic)
  const places = (await Promise.all(topics.map(topic => placesOf(admin, group, topic)))).flat()
  const known = places.flatMap(place => {
    const committed = place.committed?.offset ?? place.start
    return committed === null ? [] : [{ ...place, committed }]
  })
  const behind = known.filter(({ committed, high }) => committed < high)
  const timestamps = await peek.timestamps(
    behind.map(({ topic, partition, committed, low }) => ({ topic, partition, offset: Math.max(committed, low) })),
  )
  return known.map(place => ({
    group,
    topic: place.topic,
    partition: place.partition,
    committed: place.committed,
    highWatermark: place.high,
    oldestUncommittedAt: timestamps.get(nameOf(place)) ?? null,
  }))
}

/** None for a topic that was deleted since: a group's commits outlive it. */
const placesOf = async (admin: Admin, group: string, topic: string): Promise<Place[]> => {
  try {
    return await loadPlaces(admin, group, [topic])
  } catch (error) {
    if (kafkaErrorType(error) === 'UNKNOWN_TOPIC_OR_PARTITION') return []
    throw error
  }
}
