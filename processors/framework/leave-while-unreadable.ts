import { SchemaUnknown } from '../../infra/log/codec.ts'
import type { Batch, BatchContext, ConsumeOptions, Consumer, Continuation, Log } from '../../infra/log/port.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { waitFor } from '../../infra/runtime/promises.ts'
import { firstOffset } from './wait-for-dependency.ts'

/** A log whose consumers hold no partition that they cannot read. */
export interface ReadableLog extends Log {
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

  const leaveUntil = async (learn: () => Promise<void>, member: Consumer): Promise<Consumer> => {
    await member.stop()
    try {
      await waitFor(learn, { what: `the schema registry, with ${group} left to others`, logger, signal }).catch(
        error => {
          // A record that cannot be read at all is for those who read it.
          if (signal.aborted) throw error
        },
      )
      left.delete(group)
      return await waitFor(join, { what: 'the log', logger, signal })
    } catch (error) {
      if (!signal.aborted) throw error
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
