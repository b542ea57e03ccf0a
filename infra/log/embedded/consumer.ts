import { AssayError } from '../../runtime/errors.ts'
import type { Logger } from '../../runtime/logger.ts'
import { checkBatchSize } from '../checks.ts'
import { type PartitionLoop, type PartitionSource, startPartitionLoop } from '../partition-loop.ts'
import type { ConsumeOptions, Consumer, TopicPartition } from '../port.ts'
import type { Connection } from './connection.ts'
import { type Assigned, type Fetched, type Notice, unpackValues } from './protocol.ts'

/** The calls for a partition that the member holds. */
const partitionSource = (connection: Connection, assigned: Assigned): PartitionSource => {
  const { topic, partition, generation, position, committed } = assigned

  const recordsOf = ({ heads, ...packed }: Fetched) => {
    const values = unpackValues(packed)
    return heads.map(({ headers, ...head }, index) => {
      const value = values[index] ?? new Uint8Array()
      // The log stores the headers' JSON as `append` wrote it.
      return { topic, partition, ...head, headers: JSON.parse(headers) as Record<string, string>, value }
    })
  }

  return {
    topic,
    partition,
    position,
    committed,
    async fetch(request) {
      const fetched = await connection.call('fetch', { generation, ...request })
      return { records: recordsOf(fetched), highWatermark: fetched.highWatermark }
    },
    cancel() {
      connection.call('cancel', { generation }).catch(() => {})
    },
    async commit(commit) {
      await connection.call('commit', { generation, ...commit })
    },
    async heartbeat() {
      await connection.call('heartbeat', null)
    },
    highWatermark: () => connection.call('high_watermark', { generation }),
  }
}

export interface JoinedConsumer extends Consumer {
  /** Maximum time between two calls of the client, ms; a client that is silent for longer counts as dead. */
  readonly heartbeatMs: number
}

/** Joins the group, and runs a loop for each partition that the log assigns. */
export const startConsumer = async (
  connection: Connection,
  options: ConsumeOptions,
  logger: Pick<Logger, 'error'> | undefined,
): Promise<JoinedConsumer> => {
  checkBatchSize(options)
  const loops = new Map<number, PartitionLoop>()
  let member = 0
  let joining: Promise<unknown> = Promise.resolve()
  let stopping: Promise<void> | null = null

  const find = ({ topic, partition }: TopicPartition): PartitionLoop | undefined =>
    [...loops.values()].findLast(loop => loop.topic === topic && loop.partition === partition)

  const begin = (assigned: Assigned): void => {
    if (stopping !== null) return
    const after = find(assigned)?.done
    const source = partitionSource(connection, assigned)
    loops.set(assigned.generation, startPartitionLoop({ source, options, logger, after }))
  }

  const endLoop = async (generation: number): Promise<void> => {
    const loop = loops.get(generation)
    if (loop === undefined) return
    loop.end()
    await loop.done
    loops.delete(generation)
  }

  const endAll = async (): Promise<void> => {
    await Promise.all([...loops.keys()].map(endLoop))
  }

  const join = async (): Promise<number> => {
    const { group, topics, from = 'earliest' } = options
    member = connection.addMember(notice => void react(notice).catch(warn))
    try {
      const { heartbeatMs } = await connection.call('join', { member, group, topics, from })
      return heartbeatMs
    } catch (error) {
      connection.removeMember(member)
      throw error
    }
  }

  const react = async (notice: Notice): Promise<void> => {
    if (notice.notice === 'assigned') return begin(notice.assigned)
    if (notice.notice === 'revoked') {
      await endLoop(notice.generation)
      await connection.call('release', { generation: notice.generation })
      return
    }
    connection.removeMember(notice.member)
    await endAll()
    if (stopping !== null) return
    joining = join()
    await joining
  }

  const warn = (error: unknown): void => {
    logger?.error({ err: error, group: options.group }, 'A consumer lost touch with the log.')
  }

  const leave = async (): Promise<void> => {
    // Otherwise a join under way would reach the log after `leave`.
    await joining.catch(() => {})
    await endAll()
    connection.removeMember(member)
    // The call fails only when the log has stopped, which ends the membership too.
    await connection.call('leave', { member }).catch(() => {})
  }

  return {
    heartbeatMs: await join(),
    assignment: () =>
      [...loops.values()].filter(loop => !loop.isEnding()).map(({ topic, partition }) => ({ topic, partition })),
    async seek(at, offset) {
      const loop = find(at)
      if (loop === undefined || loop.isEnding()) {
        throw new AssayError('partition_lost', `Partition ${at.partition} of "${at.topic}" is not assigned here.`)
      }
      await loop.seek(offset)
    },
    stop() {
      stopping ??= leave()
      return stopping
    },
  }
}
