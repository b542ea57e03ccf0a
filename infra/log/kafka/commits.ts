import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { TopicPartitionOffsetAndMetadata } from 'kafkajs'
import { checkOffset } from '../checks.ts'
import type { Commit } from '../port.ts'
import { toAssayError } from './errors.ts'
import type { FetchBuffer } from './fetch-buffer.ts'
import { partitionLost } from './membership.ts'

const PAUSE_MS = 50
/** Within this time a rebalance ends, or the member is out of the group. */
const DEADLINE_MS = 60_000

interface Committing {
  readonly buffer: FetchBuffer
  /** True while the member has the partition, as of its last join. */
  readonly isAssigned: () => boolean
}

interface Waiting extends Committing {
  readonly offset: TopicPartitionOffsetAndMetadata
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export type Commits = ReturnType<typeof createCommits>

/**
 * The commits of one member of a group. Commits requested in one turn of the event loop share a request. The
 * coordinator refuses members of an older generation, and during a rebalance all members; such a commit is repeated
 * while the member still has the partition.
 */
export const createCommits = () => {
  let waiting: Waiting[] = []

  const send = async (some: readonly Waiting[]): Promise<void> => {
    // Each partition's commit function commits for the whole member, so that any one serves for all.
    const commit = some[0]?.buffer.commit()
    try {
      await commit?.({ topics: topicsOf(some) })
      for (const { resolve } of some) resolve()
    } catch (error) {
      const { code, retriable } = toAssayError(error)
      // A commit that is refused for its own content must not fail the others.
      if (some.length > 1 && !retriable && code !== 'partition_lost') await Promise.all(some.map(one => send([one])))
      else for (const { reject } of some) reject(error)
    }
  }

  const sendWaiting = async (): Promise<void> => {
    // kafkajs learns the new generation a few microtasks before its event. After a turn of the event loop both agree.
    await nextTurn()
    const all = waiting
    waiting = []
    const isHeld = ({ buffer, isAssigned }: Waiting): boolean => isAssigned() && buffer.commit() !== null
    for (const { buffer, reject } of all.filter(one => !isHeld(one))) reject(partitionLost(buffer))
    const held = all.filter(isHeld)
    if (held.length > 0) await send(held)
  }

  const tryOnce = ({ buffer, isAssigned }: Committing, { offset, metadata }: Commit): Promise<void> =>
    new Promise((resolve, reject) => {
      const { topic, partition } = buffer
      const one = { topic, partition, offset: `${offset}`, metadata }
      waiting.push({ buffer, isAssigned, offset: one, resolve, reject })
      if (waiting.length === 1) void sendWaiting()
    })

  let pause: Promise<void> | null = null
  /** Commits that were refused together share a pause, so that they are repeated together. */
  const pauseTogether = (): Promise<void> => {
    pause ??= sleep(PAUSE_MS).finally(() => {
      pause = null
    })
    return pause
  }

  return {
    /** Commits for one partition. */
    of:
      (committing: Committing) =>
      async (commit: Commit): Promise<void> => {
        checkOffset(commit.offset, committing.buffer.highWatermark())
        const deadline = Date.now() + DEADLINE_MS
        for (;;) {
          try {
            return await tryOnce(committing, commit)
          } catch (error) {
            const translated = toAssayError(error)
            const mayPass = translated.code === 'partition_lost' && committing.isAssigned()
            if (!mayPass || Date.now() > deadline) throw translated
            await pauseTogether()
          }
        }
      },
  }
}

const topicsOf = (some: readonly Waiting[]) =>
  [...Map.groupBy(some, ({ offset }) => offset.topic)].map(([topic, ofTopic]) => ({
    topic,
    partitions: ofTopic.map(({ offset: { partition, offset, metadata = null } }) => ({ partition, offset, metadata })),
  }))
