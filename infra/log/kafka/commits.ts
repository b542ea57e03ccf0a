import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { checkOffset } from '../checks.ts'
import type { Commit, TopicPartition } from '../port.ts'
import { toAssayError } from './errors.ts'
import type { FetchBuffer } from './fetch-buffer.ts'
import { partitionLost } from './membership.ts'

const PAUSE_MS = 50
/** A rebalance ends within this time, or the member is out of the group. */
const DEADLINE_MS = 60_000

interface CommitterOptions extends TopicPartition {
  readonly buffer: FetchBuffer
  /** Whether the member has the partition, as of the last time it joined. */
  readonly isAssigned: () => boolean
}

/**
 * Commits for a partition. The coordinator refuses members of an older generation; while the group rebalances it refuses everybody,
 * so the commit is tried again once the member knows whether it keeps the partition.
 */
export const createCommitter = ({ topic, partition, buffer, isAssigned }: CommitterOptions) => {
  return async ({ offset, metadata }: Commit): Promise<void> => {
    checkOffset(offset, buffer.highWatermark())
    const topics = [{ topic, partitions: [{ partition, offset: `${offset}`, metadata }] }]
    const deadline = Date.now() + DEADLINE_MS
    for (;;) {
      // kafkajs knows the new generation a few microtasks before it says so. In a new turn of the event loop both agree.
      await nextTurn()
      const commit = buffer.commit()
      if (!isAssigned() || commit === null) throw partitionLost({ topic, partition })
      try {
        return await commit({ topics })
      } catch (error) {
        const translated = toAssayError(error)
        if (translated.code !== 'partition_lost' || Date.now() > deadline) throw translated
        await sleep(PAUSE_MS)
      }
    }
  }
}
