import { connect as connectSocket, type Socket } from 'node:net'
import pino from 'pino'
import { eventually } from '../../runtime/testing.ts'
import type { Stack } from '../../stack/index.ts'
import type { LogClient, LogHarness, LogUnderTest } from '../conformance/harness.ts'
import type { Log } from '../port.ts'
import { createKafka } from './connection.ts'
import { createKafkaLog } from './index.ts'

/** The shortest that the test stack's broker allows for a session, and everything else in proportion. */
export const SHORT_TIMEOUTS = { retentionSweepMs: 500, sessionTimeoutMs: 3000, heartbeatMs: 200 }

const logger = pino({ level: 'silent' })

/** A line to the brokers that can be cut, as the end of a process cuts it: nobody says goodbye. */
const cuttableLine = () => {
  const sockets = new Set<Socket>()
  let isCut = false
  const fail = (socket: Socket): void => void socket.destroy(new Error('The line is cut.'))
  return {
    socketFactory: ({ host, port, onConnect }: { host: string; port: number; onConnect: () => void }): Socket => {
      const socket = connectSocket({ host, port }, onConnect)
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      if (isCut) fail(socket)
      return socket
    },
    cut(): void {
      isCut = true
      for (const socket of sockets) fail(socket)
    },
  }
}

export const connectTo = (brokers: readonly string[]): LogClient => {
  const line = cuttableLine()
  const log = createKafkaLog({
    brokers,
    clientId: 'conformance',
    logger,
    ...SHORT_TIMEOUTS,
    socketFactory: line.socketFactory,
  })
  let dead = false
  const mortal: Log = {
    ...log,
    consume: options =>
      log.consume({
        ...options,
        onBatch: async (batch, context) => {
          if (dead) throw new Error('The process is gone.')
          return options.onBatch(batch, context)
        },
      }),
  }
  return {
    log: mortal,
    async abandon() {
      dead = true
      line.cut()
      // What a process loses by itself; it waits for handlers that never end.
      log.close().catch(() => {})
    },
  }
}

/** The suite's log on the broker of a stack that is up. */
export const kafkaHarness = (stack: Stack): LogHarness => ({
  async start(): Promise<LogUnderTest> {
    const brokers = (stack.urls.KAFKA_BROKERS ?? '').split(',')
    return {
      connect: async () => connectTo(brokers),
      async reopen() {
        await stack.stopEngine('kafka')
        await stack.startEngine('kafka')
      },
      // Whoever started the stack stops it.
      stop: async () => {},
    }
  },
})

/**
 * Sets every consumer group of the brokers back to the oldest records of what it reads, so that each is delivered once
 * more. Waits until the groups have no members; answers how many records will be delivered again.
 */
export const rewindGroups = async (brokers: readonly string[]): Promise<number> => {
  const admin = createKafka({ brokers, clientId: 'rewind', logger }).admin()
  await admin.connect()
  const rewind = async (groupId: string): Promise<number> => {
    let records = 0
    for (const { topic, partitions: committed } of await admin.fetchOffsets({ groupId })) {
      const bounds = await admin.fetchTopicOffsets(topic)
      const partitions = bounds.map(({ partition, low }) => ({ partition, offset: low }))
      for (const { partition, low } of bounds) {
        const at = Number(committed.find(one => one.partition === partition)?.offset ?? low)
        records += Math.max(0, at - Number(low))
      }
      await admin.setOffsets({ groupId, topic, partitions })
    }
    return records
  }
  try {
    const { groups } = await admin.listGroups()
    const ids = groups.map(({ groupId }) => groupId)
    await eventually('the groups have no members', async () => {
      const { groups: described } = await admin.describeGroups(ids)
      return described.every(({ members }) => members.length === 0)
    })
    const counts = await Promise.all(ids.map(rewind))
    return counts.reduce((sum, count) => sum + count, 0)
  } finally {
    await admin.disconnect()
  }
}

/**
 * How many records the brokers have on the topics whose names begin like this, and how many were ever written there.
 */
export const countRecords = async (
  brokers: readonly string[],
  prefix: string,
): Promise<{ readonly kept: number; readonly written: number }> => {
  const admin = createKafka({ brokers, clientId: 'count', logger }).admin()
  await admin.connect()
  try {
    const topics = (await admin.listTopics()).filter(name => name.startsWith(prefix))
    const bounds = (await Promise.all(topics.map(topic => admin.fetchTopicOffsets(topic)))).flat()
    const sum = (of: (bound: (typeof bounds)[number]) => number) =>
      bounds.reduce((total, bound) => total + of(bound), 0)
    return { kept: sum(({ high, low }) => Number(high) - Number(low)), written: sum(({ high }) => Number(high)) }
  } finally {
    await admin.disconnect()
  }
}
