import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { AssayError, codeOf } from '../runtime/errors.ts'
import type { StackConfig } from './config.ts'
import { removePostgresHome } from './postgres-home.ts'
import { type Daemon, stopDaemons } from './process.ts'

export const ENGINE_NAMES = ['kafka', 'registry', 'postgres', 'clickhouse', 'valkey'] as const

export type EngineName = (typeof ENGINE_NAMES)[number]

/**
 * A real engine as a process of its own on this machine. What it holds is still there when it is stopped and started
 * again.
 */
export interface Engine {
  readonly name: EngineName | 'prometheus'
  /** The environment variables by which the programs reach it. */
  readonly variables: Readonly<Record<string, string>>
  /** Where it listens, by the variables that set it. */
  readonly ports: Readonly<Record<string, number>>
  readonly daemon: Daemon
  /** Downloads what is missing. */
  install(): Promise<void>
  /** Starts the process, which must not run yet, preparing its data directory the first time. */
  start(): Promise<void>
  /** Resolves when the engine does its work; rejects while it does not yet. */
  ready(): Promise<void>
}

/** What every engine is made from. */
export interface EngineOptions {
  /** Absolute: where downloads are kept, shared by all stacks. */
  readonly cache: string
  /** Absolute: where this stack keeps its data, log files and process files. */
  readonly directory: string
  readonly config: StackConfig
  /** Of the user `assay`. */
  readonly password: string
  /** They run for minutes only: what an engine does to become quicker in time would not pay. */
  readonly shortLived?: boolean
}

const READY_DEADLINE_MS = 90_000
const PAUSE_MS = 50

const untilReady = async ({ name, daemon, ready }: Engine): Promise<void> => {
  const deadline = Date.now() + READY_DEADLINE_MS
  const giveUp = (reason: string, cause: unknown): never => {
    throw new AssayError('unavailable', `${name} ${reason}. Its last lines:\n${daemon.lastWords()}`, { cause })
  }
  for (;;) {
    try {
      return await ready()
    } catch (error) {
      if (!daemon.isRunning()) giveUp('ended while it was starting', error)
      if (Date.now() > deadline) giveUp(`was not ready after ${READY_DEADLINE_MS / 1000} s`, error)
    }
    await sleep(PAUSE_MS)
  }
}

const start = async (engine: Engine): Promise<void> => {
  if (!engine.daemon.isRunning()) {
    await engine.install()
    await engine.start()
  }
  await untilReady(engine)
}

/** Starts those engines that do not run yet, side by side, and resolves when all do their work. */
export const startEngines = async (engines: readonly Engine[]): Promise<void> => {
  for (const { daemon, ports } of engines) if (!daemon.isRunning()) await requireFreePorts(ports)
  const outcomes = await Promise.allSettled(engines.map(start))
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Ends every engine that was started in a directory, and removes the directory. */
export const stopEngines = async (directory: string): Promise<void> => {
  await stopDaemons(directory)
  await removePostgresHome(directory)
  await rm(directory, { recursive: true, force: true })
}

/** Everything listens here and nowhere else. */
export const HOST = '127.0.0.1'

const listen = async (port: number): Promise<Server> => {
  const server = createServer().listen(port, HOST)
  await once(server, 'listening')
  return server
}

const close = (server: Server): Promise<unknown> => once(server.close(), 'close')

/**
 * Below what systems give to outgoing connections. Whoever tries again and again to reach a port among those is once
 * given that very port, is connected to itself, and keeps it.
 */
const FIRST_PORT = 20_000
const LAST_PORT = 32_000

/**
 * Keeps other processes that choose ports by `freePorts` from choosing this one for as long as this process lives, also
 * while nobody listens on it: a stack's engines start late, and are stopped and started again. The name is an abstract
 * socket, which the system takes away with the process. Systems other than Linux have none: there a port can be chosen
 * twice.
 */
const reserve = async (port: number): Promise<void> => {
  if (process.platform !== 'linux') return
  const reservation = createServer().listen(`\0assay-port-${port}`)
  await once(reservation, 'listening')
  reservation.unref()
}

const choosePort = async (): Promise<number> => {
  const port = randomInt(FIRST_PORT, LAST_PORT + 1)
  try {
    await reserve(port)
    await close(await listen(port))
    return port
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') return choosePort()
    throw error
  }
}

/** Ports that nobody listens on, all different, and on Linux given to no other process while this one lives. */
export const freePorts = (count: number): Promise<readonly number[]> =>
  Promise.all(Array.from({ length: count }, choosePort))

/** Rejects with `conflict` when somebody listens on one of the ports, naming the variable that moves it. */
export const requireFreePorts = async (ports: Readonly<Record<string, number>>): Promise<void> => {
  for (const [variable, port] of Object.entries(ports)) {
    try {
      await close(await listen(port))
    } catch (error) {
      throw new AssayError(
        'conflict',
        `Port ${port} is in use by another program. Stop that one, or set ${variable} to a free port.`,
        { cause: error },
      )
    }
  }
}
