import { SchemaUnknown } from '../../infra/log/codec.ts'
import type { Batch, BatchContext, ConsumeOptions, Consumer, Continuation, Log } from '../../infra/log/port.ts'
import { AssayError, asAssayError, logged } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { shareConcurrentRuns, waitFor, withDeadline } from '../../infra/runtime/promises.ts'
import type { GroupState } from '../../model/pipeline/processor-report.ts'
import { type Breaker, firstOffset } from './wait-for-dependency.ts'

/**
 * State of a consumer group. `paused`: people paused its segment. `stuck`: records wait, nothing moves, and no
 * dependency is known to be away.
 */
export interface GroupHealth {
  readonly group: string
  readonly state: GroupState
  readonly lag: number
  /** Time at which the log took the oldest uncommitted record, milliseconds since the epoch; null without lag. */
  readonly oldestUncommittedAt: number | null
  /** The dependency that the group waits for; empty when there is none. */
  readonly reason: string
}

export interface WatchedGroup {
  readonly group: string
  readonly breaker: Breaker
  /** True for a delay queue, where records wait on purpose. */
  readonly delays: boolean
  /** True while people pause the group's segment. */
  readonly isPaused?: () => boolean
}

export interface HealthOptions {
  readonly log: Pick<ReadableLog, 'lag' | 'left'>
  readonly groups: readonly WatchedGroup[]
  /** A group whose lag has not moved for this time is stuck. */
  readonly stuckAfterMs: number
  readonly now: () => number
}

/** Deadline of one look at the log. */
const LOOK_DEADLINE_MS = 30_000

/**
 * Answers the state of each group. Movement is judged between two calls, so the answer needs regular calls. Calls
 * during a running look share its answer: a look costs the log many requests, and probes of a slow program must not
 * make the program slower.
 */
export const createHealth = ({
  log,
  groups,
  stuckAfterMs,
  now,
}: HealthOptions): (() => Promise<readonly GroupHealth[]>) => {
  /**
   * Committed offsets of each group at the last look, and the time since which the group stands there; null without
   * lag.
   */
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

/** Throws `unavailable`, with each group's reason, when a group waits or is stuck. A paused group is no error. */
export const assertWorking = (groups: readonly GroupHealth[]): void => {
  const halted = groups.filter(({ state }) => state === 'waiting' || state === 'stuck')
  if (halted.length === 0) return
  const reasons = halted.map(({ group, state, reason }) => `${group} is ${state}${reason === '' ? '' : `: ${reason}`}`)
  throw new AssayError('unavailable', reasons.join('; '))
}

/** A log whose consumers leave a group when they cannot read its records. */
interface ReadableLog extends Log {
  /** Reason why this process has left the group; null while it is a member. */
  left(group: string): string | null
}

/** Longer than the consumer needs to leave, so that the batch does not come again. */
const LEAVING_MS = 60_000

/**
 * Wraps a log so that a consumer leaves its group while it cannot read a record. This happens when only the schema
 * registry knows a record's schema and the registry is away. The consumer joins again once it has the schema. Until
 * then other members, which may know the schema, get its partitions.
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

  // Every error is retried: the process goes on, because its other groups work.
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

  /** Never rejects: nobody awaits the result before the stop. */
  const leaveUntil = async (learn: () => Promise<void>, member: Consumer): Promise<Consumer> => {
    await member.stop().catch(error => logger.error(logged(error), `${group} was not left as it should be`))
    try {
      await waitFor(learn, { what: `the schema registry, with ${group} left to others`, logger, signal }).catch(
        error => {
          // The schema cannot be learnt: the group joins again, and the handler decides about the record.
          if (signal.aborted) throw error
        },
      )
      return await waitFor(joinAgain, { what: 'the log', logger, signal })
    } catch {
      // The consumer stops.
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
