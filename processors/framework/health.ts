import { SchemaUnknown } from '../../infra/log/codec.ts'
import type { Batch, BatchContext, ConsumeOptions, Consumer, Continuation, Log } from '../../infra/log/port.ts'
import { AssayError, asAssayError, logged } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { shareConcurrentRuns, waitFor, withDeadline } from '../../infra/runtime/promises.ts'
import type { GroupState } from '../../model/pipeline/processor-report.ts'
import { type Breaker, firstOffset } from './wait-for-dependency.ts'

/**
 * What a consumer group is doing. `paused`: people hold it still. `stuck`: records wait, nothing moves, and no
 * dependency is known to be away.
 */
export interface GroupHealth {
  readonly group: string
  readonly state: GroupState
  readonly lag: number
  /**
   * When the oldest record that is not committed was taken by the log, milliseconds since the epoch; null without lag.
   */
  readonly oldestUncommittedAt: number | null
  /** What it waits for; empty unless it waits. */
  readonly reason: string
}

export interface WatchedGroup {
  readonly group: string
  readonly breaker: Breaker
  /** A delay queue: records wait there on purpose. */
  readonly delays: boolean
  /** Whether people hold it still. */
  readonly isPaused?: () => boolean
}

export interface HealthOptions {
  readonly log: Pick<ReadableLog, 'lag' | 'left'>
  readonly groups: readonly WatchedGroup[]
  /** A group with lag that has not moved for so long is stuck. */
  readonly stuckAfterMs: number
  readonly now: () => number
}

/** A log that says nothing for so long is asked anew. */
const LOOK_DEADLINE_MS = 30_000

/**
 * Answers the state of each group. Movement is judged between calls, so it wants to be called now and then. Calls while
 * it looks share that look: it asks the log a lot, and those who probe a slow program must not make it slower.
 */
export const createHealth = ({
  log,
  groups,
  stuckAfterMs,
  now,
}: HealthOptions): (() => Promise<readonly GroupHealth[]>) => {
  /** Where each group stood at the last look, and since when it stands there with records waiting; null without any. */
  const seen = new Map<string, { readonly committed: number; readonly since: number | null }>()

  const look = async ({ group, breaker, delays, isPaused }: WatchedGroup): Promise<GroupHealth> => {
    const positions = await log.lag(group)
    const committed = positions.reduce((sum, place) => sum + place.committed, 0)
    const lag = positions.reduce((sum, place) => sum + place.highWatermark - place.committed, 0)
    const ages = positions.flatMap(place => place.oldestUncommittedAt ?? [])
    const before = seen.get(group)
    const stood = before?.committed === committed ? before.since : null
    const paused = isPaused?.() ?? false
    const since = lag > 0 && !paused ? (stood ?? now()) : null
    seen.set(group, { committed, since })

    const reason = breaker.open()?.reason ?? log.left(group) ?? ''
    const still = since !== null && !delays && now() - since >= stuckAfterMs
    return {
      group,
      state: paused ? 'paused' : reason !== '' ? 'waiting' : still ? 'stuck' : 'working',
      lag,
      oldestUncommittedAt: ages.length === 0 ? null : Math.min(...ages),
      reason,
    }
  }
  return shareConcurrentRuns(() =>
    withDeadline(Promise.all(groups.map(look)), LOOK_DEADLINE_MS, 'Looking at the groups'),
  )
}

/** Throws `unavailable`, with what each waits for, when a group cannot work. One that people hold still could. */
export const assertWorking = (groups: readonly GroupHealth[]): void => {
  const halted = groups.filter(({ state }) => state === 'waiting' || state === 'stuck')
  if (halted.length === 0) return
  const reasons = halted.map(({ group, state, reason }) => `${group} is ${state}${reason === '' ? '' : `: ${reason}`}`)
  throw new AssayError('unavailable', reasons.join('; '))
}

/** A log whose consumers hold no partition that they cannot read. */
interface ReadableLog extends Log {
  /** Why nothing of a group is read here; null while it is. */
  left(group: string): string | null
}

/** Long enough for the consumer to have left before the batch could come again. */
const LEAVING_MS = 60_000

/**
 * A consumer that meets a record of a schema which only the registry knows, and the registry is away, leaves its group,
 * and joins it again once it has learnt the schema: it would hold its partitions still, and others may be able to read
 * them.
 */
export const leaveWhileUnreadable = (log: Log, logger: Logger): ReadableLog => {
  const left = new Map<string, string>()
  return {
    ...log,
    left: group => left.get(group) ?? null,
    consume: options => consume(log, logger, options, left),
  }
}

const consume = async (
  log: Log,
  logger: Logger,
  options: ConsumeOptions,
  left: Map<string, string>,
): Promise<Consumer> => {
  const { group } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let consumer: Consumer | null = null

  const onBatch = async (batch: Batch, context: BatchContext): Promise<Continuation> => {
    try {
      return await options.onBatch(batch, context)
    } catch (error) {
      if (!(error instanceof SchemaUnknown)) throw error
      if (!left.has(group)) {
        left.set(group, error.publicMessage)
        joined = leaveUntil(error.learn, await joined)
      }
      return { next: firstOffset(batch), pauseMs: LEAVING_MS }
    }
  }
  const join = async (): Promise<Consumer> => {
    consumer = await log.consume({ ...options, onBatch })
    return consumer
  }

  // Whatever is in the way, it is tried again: the groups beside it work.
  const joinAgain = async (): Promise<Consumer> => {
    left.delete(group)
    try {
      return await join()
    } catch (error) {
      const { publicMessage, retriable } = asAssayError(error)
      if (!retriable) logger.error(logged(error), `${group} cannot be joined again`)
      left.set(group, publicMessage)
      throw new AssayError('unavailable', publicMessage, { cause: error })
    }
  }

  /** Rejects for nothing: nobody waits for it before the stop. */
  const leaveUntil = async (learn: () => Promise<void>, member: Consumer): Promise<Consumer> => {
    await member.stop().catch(error => logger.error(logged(error), `${group} was not left as it should be`))
    try {
      await waitFor(learn, { what: `the schema registry, with ${group} left to others`, logger, signal }).catch(
        error => {
          // A record that cannot be read at all is for those who read it.
          if (signal.aborted) throw error
        },
      )
      return await waitFor(joinAgain, { what: 'the log', logger, signal })
    } catch {
      // It is being stopped.
      return member
    }
  }

  let joined = join()
  await joined
  return {
    assignment: () => consumer?.assignment() ?? [],
    seek: async (partition, offset) => (await joined).seek(partition, offset),
    async stop() {
      stopping.abort()
      await (await joined).stop()
    },
  }
}
