import { createServer, type Server, type Socket } from 'node:net'
import { timerMs } from '../../runtime/timers.ts'
import { type Priority, priorityOf } from '../port.ts'
import type { Engine } from './engine.ts'
import type { ExchangeClock } from './exchange-clock.ts'
import { PreparedStatements } from './prepared-statements.ts'
import {
  endsCycle,
  errorIn,
  fatalMessage,
  firstColumn,
  greeting,
  isTerminate,
  MessageReader,
  openingOf,
  queryMessage,
  startupParameters,
  stateAfter,
  syncMessage,
} from './protocol.ts'
import { SessionQueue } from './session-queue.ts'

/** How long clients may keep the one session, in milliseconds. */
export const LIMITS = {
  /** One statement of a client that asks for no limit, and the longest that it may ask for. */
  statement: 30_000,
  longestStatement: 12 * 3_600_000,
  /** A statement of the server's own: a checkpoint, the vacuum of a table. */
  ownStatement: 600_000,
  /** A transaction that was begun, and in which nothing is asked. */
  idleInTransaction: 10_000,
  /** A transaction from its beginning to its end, while others wait. */
  transaction: 300_000,
} as const

/** So many statements are kept prepared: the service has some five hundred. */
const MOST_STATEMENTS = 1000
/** In so many parts an idle client's time is counted. */
const IDLE_PARTS = 20

/**
 * The limit of a client's statements, by the `statement_timeout` that its startup packet has: milliseconds, as `pg`
 * writes them. As PostgreSQL has it, 0 is none; here it is the longest.
 */
export const statementLimit = (requestedMs: string | undefined): number => {
  const limit = requestedMs !== undefined && /^\d+$/.test(requestedMs) ? Number(requestedMs) : LIMITS.statement
  return limit === 0 ? LIMITS.longestStatement : Math.min(limit, LIMITS.longestStatement)
}

const SETTINGS = {
  server_version: '18.6',
  server_encoding: 'UTF8',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  integer_datetimes: 'on',
  standard_conforming_strings: 'on',
}

export interface ServerOptions {
  readonly engine: Engine
  readonly socketPath: string
  /** Told what the engine does, for whoever looks after it. */
  readonly clock?: Pick<ExchangeClock, 'begin' | 'end'>
  /** A client that leaves a transaction open and says nothing for so long is cut off. Default 10 s. */
  readonly idleInTransactionMs?: number
  /**
   * A client whose transaction lasts longer, or longer than one of its statements may, is cut off when others wait.
   * Default 5 min.
   */
  readonly transactionMs?: number
  /** So many statements are kept prepared. Default 1,000. */
  readonly mostStatements?: number
}

export interface EmbeddedServer {
  /**
   * Runs a statement in a turn of its own, between the clients', and answers the first column of its rows as text.
   * Rejects with what PostgreSQL says against it. The turn is one of people's unless another priority is given.
   */
  run(statement: string, priority?: Priority): Promise<string[]>
  /** For how long the engine did nothing for people and live signals, in milliseconds. */
  quietMs(): number
  close(): Promise<void>
}

/**
 * Several clients on the engine's one session. A whole cycle of the protocol (up to Sync or a simple Query) runs at a
 * time, and a transaction to its end: were single messages of two clients mixed, one's Parse would replace the other's
 * unnamed statement, and an error of one would have the engine skip what the other sends.
 */
export const serve = async (options: ServerOptions): Promise<EmbeddedServer> => {
  const { engine, socketPath, clock } = options
  const { idleInTransactionMs = LIMITS.idleInTransaction, transactionMs = LIMITS.transaction } = options
  const turns = new SessionQueue<object>()
  const sockets = new Set<Socket>()
  const statements = new PreparedStatements(options.mostStatements ?? MOST_STATEMENTS)
  // The engine ends next: whoever comes late finds nobody.
  let isClosed = false

  const exchange = (messages: Buffer, limitMs: number): Buffer => {
    clock?.begin(limitMs)
    try {
      return engine.exchange(messages)
    } finally {
      clock?.end()
    }
  }

  const accept = (socket: Socket) => {
    sockets.add(socket)
    const reader = new MessageReader()
    let cycle: Buffer[] = []
    let priority: Priority = 'people'
    let limitMs: number = LIMITS.statement
    let begunAt: number | null = null
    let idle: NodeJS.Timeout | undefined
    let cycles = 0

    const cutOff = (sqlState: string, message: string) => {
      if (socket.writable) socket.end(fatalMessage(sqlState, message))
      socket.destroySoon()
    }

    /**
     * Idle time is what the client lets pass, not what a machine under load takes from this thread or from the
     * client's: a stall counts as one part of the time, and what came during it is read before anybody is cut off.
     */
    const cutOffWhenIdle = () => {
      const cyclesBefore = cycles
      let left = IDLE_PARTS
      const passPart = () => {
        left -= 1
        if (left > 0) idle = setTimeout(passPart, timerMs(idleInTransactionMs / IDLE_PARTS))
        else setImmediate(() => cyclesBefore === cycles && cutOff('25P03', 'a transaction was left open for too long'))
      }
      idle = setTimeout(passPart, timerMs(idleInTransactionMs / IDLE_PARTS))
    }

    const perform = (asked: readonly Buffer[]) => () => {
      clearTimeout(idle)
      if (isClosed) return 'done'
      if (begunAt === null && statements.isToBeEmptied) {
        exchange(queryMessage('deallocate all'), LIMITS.ownStatement)
        statements.forget()
      }
      if (begunAt === null && statements.isPlannedTooLongAgo) {
        exchange(queryMessage('discard plans'), LIMITS.ownStatement)
        statements.planAnew()
      }
      begunAt ??= performance.now()
      const { messages, answered } = statements.prepare(asked)
      const answer = answered(exchange(messages, limitMs))
      if (socket.writable) socket.write(answer)
      if (stateAfter(answer) === 'I') {
        begunAt = null
        return 'done'
      }
      if (turns.hasOthers(socket) && performance.now() - begunAt > Math.max(transactionMs, limitMs))
        cutOff('25P04', 'a transaction lasted for too long while others waited')
      cutOffWhenIdle()
      return 'hold'
    }

    const open = (packet: Buffer) => {
      const opening = openingOf(packet)
      if (opening === 'encryption') return void socket.write('N')
      if (opening === 'cancel') return void socket.end()
      if (opening === 'unknown') return cutOff('0A000', 'only version 3 of the protocol is spoken here')
      reader.started = true
      const parameters = startupParameters(packet)
      priority = priorityOf(parameters.get('application_name'))
      limitMs = statementLimit(parameters.get('statement_timeout'))
      socket.write(greeting(SETTINGS))
    }

    const receive = (message: Buffer) => {
      if (!reader.started) return open(message)
      if (isTerminate(message)) return void socket.end()
      cycle.push(message)
      if (!endsCycle(message)) return
      cycles += 1
      turns.take(socket, perform(cycle), priority)
      cycle = []
    }

    socket.on('data', chunk => {
      reader.push(chunk)
      try {
        for (let message = reader.next(); message !== null; message = reader.next()) receive(message)
      } catch {
        cutOff('08P01', 'the message cannot be read')
      }
    })
    // What an error means for the turns is done on close, which follows it.
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      clearTimeout(idle)
      turns.drop(socket)
      if (isClosed || !turns.holds(socket)) return
      // Sync first: after an error inside a cycle the engine skips everything up to one.
      exchange(Buffer.concat([syncMessage(), queryMessage('rollback')]), LIMITS.ownStatement)
      turns.release(socket)
    })
  }

  const server = createServer(accept)
  await listen(server, socketPath)

  return {
    run: (statement, priority) =>
      new Promise((resolve, reject) => {
        const perform = () => {
          const answer = exchange(queryMessage(statement), LIMITS.ownStatement)
          const error = errorIn(answer)
          if (error === null) resolve(firstColumn(answer))
          else reject(new Error(error))
          return 'done' as const
        }
        turns.take({}, perform, priority)
      }),
    quietMs: () => turns.quietMs,
    close: () =>
      new Promise(resolve => {
        server.close(() =>
          setImmediate(() => {
            isClosed = true
            resolve()
          }),
        )
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
