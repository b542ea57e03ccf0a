import { setTimeout as sleep } from 'node:timers/promises'
import type { Admin } from 'kafkajs'
import { AssayError } from '../../runtime/errors.ts'
import { timerMs } from '../../runtime/timers.ts'
import { checkBatchSize } from '../checks.ts'
import type { ConsumeOptions, Consumer } from '../port.ts'
import type { KafkaConnectionOptions } from './connection.ts'
import { toAssayError } from './errors.ts'
import type { FetchBuffer } from './fetch-buffer.ts'
import { nameOf } from './group-positions.ts'
import { type GroupTimings, partitionLost } from './membership.ts'
import { openSession, type Session } from './session.ts'
import type { Topics } from './topics.ts'

interface Watched {
  aliveAt(): number
  feeds(): readonly FetchBuffer[]
}

interface WatchdogOptions {
  readonly session: Watched
  readonly admin: () => Promise<Admin>
  readonly stallMs: number
  readonly onStall: (error: AssayError) => void
}

/**
 * Notices a consumer that stands still: kafkajs sometimes stops fetching without an error, for all partitions or for
 * one. Reports when kafkajs shows no sign of life for a period, or when an awaited partition has had records for a
 * whole period.
 */
export const createWatchdog = ({ session, admin, stallMs, onStall }: WatchdogOptions) => {
  let suspects = new Map<string, number>()

  const isBehind = async (feed: FetchBuffer): Promise<boolean> => {
    const awaited = feed.awaited()
    if (awaited === null) return false
    const offsets = await (await admin()).fetchTopicOffsets(feed.topic)
    const high = offsets.find(({ partition }) => partition === feed.partition)?.high ?? '0'
    return Number(high) > awaited && feed.awaited() === awaited
  }

  const look = async (): Promise<void> => {
    if (Date.now() - session.aliveAt() > stallMs) return onStall(stalled('The consumer shows no sign of life'))
    const behind = new Map<string, number>()
    for (const feed of session.feeds()) {
      const awaited = feed.awaited()
      if (awaited === null || !(await isBehind(feed))) continue
      const name = nameOf(feed)
      if (suspects.get(name) === awaited)
        return onStall(stalled(`Partition ${name} is not fetched at offset ${awaited}`))
      behind.set(name, awaited)
    }
    suspects = behind
  }

  // A failed query is no stall: the consumer itself will notice that the log is away.
  const timer = setInterval(() => void look().catch(() => {}), timerMs(stallMs)).unref()
  return { stop: () => clearInterval(timer) }
}

const stalled = (what: string): AssayError => new AssayError('unavailable', `${what}; it is built anew.`)

interface ConsumerOptions extends GroupTimings {
  readonly connection: KafkaConnectionOptions
  readonly options: ConsumeOptions
  readonly admin: () => Promise<Admin>
  readonly topics: Topics
  /** A consumer without progress for this long is replaced, ms. */
  readonly stallMs: number
}

const FIRST_PAUSE_MS = 200
const MAX_PAUSE_MS = 10_000
/** A broker that has just started answers before it knows its groups. */
const FIRST_JOIN_MS = 10_000

/**
 * Joins the group, and joins again whenever the membership breaks, until `stop`. Rejects when the first join fails for
 * good.
 */
export const startConsumer = async (given: ConsumerOptions): Promise<Consumer> => {
  const { options, connection, admin, topics, stallMs } = given
  const { group } = options
  const { logger } = connection
  checkBatchSize(options)
  let partitions = 0
  for (const topic of options.topics) partitions += await topics.partitions(topic)
  const stop = new AbortController()
  let session: Session | null = null
  const stoppingLoops = new Map<string, Promise<void>>()

  /** Runs one session. Resolves with the error that broke it, or null when the consumer stops. */
  const attempt = async (onOpen: () => void): Promise<unknown> => {
    const broken = Promise.withResolvers<unknown>()
    const stopped = new Promise<null>(resolve => stop.signal.addEventListener('abort', () => resolve(null)))
    const opened = await openSession({ ...given, partitions, stoppingLoops, onCrash: broken.resolve })
    session = opened
    const watchdog = createWatchdog({ session: opened, admin, stallMs, onStall: broken.resolve })
    if (opened.hasJoined()) onOpen()
    const error = await Promise.race([broken.promise, stopped])
    watchdog.stop()
    if (error === null) await opened.close()
    else opened.abandon()
    return error
  }

  const run = async (onOpen: () => void, onFailure: (error: unknown) => void): Promise<void> => {
    let pause = FIRST_PAUSE_MS
    while (!stop.signal.aborted) {
      const error = await attempt(() => {
        pause = FIRST_PAUSE_MS
        onOpen()
      }).catch(failure => failure)
      if (error === null || stop.signal.aborted) return
      onFailure(error)
      logger.warn(
        { reason: toAssayError(error).publicMessage, group, pauseMs: pause },
        'A consumer lost the log; it joins again.',
      )
      await sleep(timerMs(pause), undefined, { signal: stop.signal }).catch(() => {})
      pause = Math.min(pause * 2, MAX_PAUSE_MS)
    }
  }

  const first = Promise.withResolvers<void>()
  const deadline = Date.now() + FIRST_JOIN_MS
  const running = run(first.resolve, error => {
    const failure = toAssayError(error)
    // Has an effect before the first success only: then the caller decides about a retry.
    if (!failure.retriable || Date.now() > deadline) first.reject(failure)
  })
  try {
    await first.promise
  } catch (error) {
    stop.abort()
    throw error
  }

  return {
    assignment: () => session?.assignment() ?? [],
    async seek(at, offset) {
      const loop = session?.assignedPartitions(at)
      if (loop === undefined || loop.isEnding()) throw partitionLost(at)
      await loop.seek(offset)
    },
    async stop() {
      stop.abort()
      await running
      await Promise.all(stoppingLoops.values())
    },
  }
}
