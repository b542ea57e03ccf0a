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

/** How long a client may keep the single session, ms. */
export const LIMITS = {
  /** A statement of a client without a limit of its own, and the longest limit that a client may set. */
  statement: 30_000,
  longestStatement: 12 * 3_600_000,
  /** A statement of the server itself: a checkpoint, the vacuum of a table. */
  ownStatement: 600_000,
  /** An open transaction without a statement. */
  idleInTransaction: 10_000,
  /** A whole transaction while others wait. */
  transaction: 300_000,
} as const

/** Maximum of prepared statements: the service has some five hundred. */
const MAX_STATEMENTS = 1000
/** Number of parts in which an idle client's time is counted. */
const IDLE_PARTS = 20

/**
 * The limit of a client's statements, from `statement_timeout` in its startup packet: milliseconds, as `pg` writes
 * them. 0 means no limit in PostgreSQL, and the longest limit here.
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
  /** Shows the watchdog what the engine does. */
  readonly clock?: Pick<ExchangeClock, 'begin' | 'end'>
  /** A client that leaves a transaction open and idle for this long is disconnected. Default 10 s. */
  readonly idleInTransactionMs?: number
  /**
   * A client whose transaction lasts longer than this, and longer than its statement limit, is disconnected when others
   * wait. Default 5 min.
   */
  readonly transactionMs?: number
  /** Maximum of prepared statements. Default 1,000. */
  readonly mostStatements?: number
}

export interface EmbeddedServer {
  /**
   * Runs a statement in a turn of its own, between the clients' turns. Resolves with the first column of its rows as
   * text, or rejects with PostgreSQL's error. The default priority is `people`.
   */
  run(statement: string, priority?: Priority): Promise<string[]>
  /** How long the engine has done nothing for people and live signals, ms. */
  quietMs(): number
  close(): Promise<void>
}

/**
 * Serves several clients on the engine's single session. A whole protocol cycle (up to Sync or a simple Query) runs at
 * a time, and a transaction to its end. Mixed messages of two clients would break: one's Parse would replace the
 * other's unnamed statement, and after an error the engine would skip the other's messages.
 */
export const serve = async (options: ServerOptions): Promise<EmbeddedServer> => {
  const { engine, socketPath, clock } = options
  const { idleInTransactionMs = LIMITS.idleInTransaction, transactionMs = LIMITS.transaction } = options
  const turns = new SessionQueue<object>()
  const sockets = new Set<Socket>()
  const statements = new PreparedStatements(options.mostStatements ?? MAX_STATEMENTS)
  // The engine ends next: later clients are not served.
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
     * Counts the time that the client lets pass, not time that a busy machine takes from this thread or the client's. A
     * stall counts as one part, and data that came during the stall is read before a client is disconnected.
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
    // `close` follows every error and frees the turn.
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      clearTimeout(idle)
      turns.drop(socket)
      if (isClosed || !turns.holds(socket)) return
      // Sync first: after an error inside a cycle the engine skips everything up to a Sync.
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
