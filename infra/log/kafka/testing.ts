import { connect as connectSocket, type Socket } from 'node:net'
import pino from 'pino'
import type { Stack } from '../../stack/index.ts'
import type { LogClient, LogHarness, LogUnderTest } from '../conformance/harness.ts'
import type { Log } from '../port.ts'
import { createKafkaLog } from './index.ts'

/** The shortest that the test stack's broker allows for a session, and everything else in proportion. */
export const SHORT_PATIENCE = { retentionSweepMs: 500, sessionTimeoutMs: 3000, heartbeatMs: 200 }

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
    ...SHORT_PATIENCE,
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
      stop: () => stack.stop(),
    }
  },
})
