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

/** A real engine as a process on this machine. Its data outlives a stop and start. */
export interface Engine {
  readonly name: EngineName | 'prometheus'
  /** The environment variables by which programs reach the engine. */
  readonly variables: Readonly<Record<string, string>>
  /** Its ports, by the variables that set them. */
  readonly ports: Readonly<Record<string, number>>
  readonly daemon: Daemon
  /** Downloads what is missing. */
  install(): Promise<void>
  /** Starts the process, which must not be running. Prepares its data directory the first time. */
  start(): Promise<void>
  /** Resolves when the engine works; rejects before. */
  ready(): Promise<void>
}

/** Options of every engine. */
export interface EngineOptions {
  /** Absolute path of downloads, shared by all stacks. */
  readonly cache: string
  /** Absolute path of this stack's data, logs and process files. */
  readonly directory: string
  readonly config: StackConfig
  /** The password of the user `assay`. */
  readonly password: string
  /** For a run of minutes: skip an engine's optimizations that pay off later. */
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

/** Starts the engines that do not run, concurrently. Resolves when all work. */
export const startEngines = async (engines: readonly Engine[]): Promise<void> => {
  for (const { daemon, ports } of engines) if (!daemon.isRunning()) await requireFreePorts(ports)
  const outcomes = await Promise.allSettled(engines.map(start))
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Stops every engine of a directory, and removes the directory. */
export const stopEngines = async (directory: string): Promise<void> => {
  await stopDaemons(directory)
  await removePostgresHome(directory)
  await rm(directory, { recursive: true, force: true })
}

/** The only address that engines listen on. */
export const HOST = '127.0.0.1'

const listen = async (port: number): Promise<Server> => {
  const server = createServer().listen(port, HOST)
  await once(server, 'listening')
  return server
}

const close = (server: Server): Promise<unknown> => once(server.close(), 'close')

/**
 * Below the range of outgoing connections: a client that keeps trying to connect to a port in that range may get the
 * port itself, connect to itself and keep it.
 */
const FIRST_PORT = 20_000
const LAST_PORT = 32_000

/**
 * Reserves a port against other processes that use `freePorts`, as long as this process lives, even while nobody
 * listens on it: a stack's engines start late and restart. The reservation is an abstract socket, which the system
 * removes with the process. Only Linux has these; elsewhere a port may be chosen twice.
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

/** Distinct ports on which nobody listens; on Linux no other process gets them while this one lives. */
export const freePorts = (count: number): Promise<readonly number[]> =>
  Promise.all(Array.from({ length: count }, choosePort))

/** Rejects with `conflict` when one of the ports is in use, naming the variable that changes it. */
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
