import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AssayError } from '../runtime/errors.ts'
import type { StackConfig } from './config.ts'
import { requireFreePorts } from './ports.ts'
import { removePostgresHome } from './postgres-home.ts'
import { type Daemon, stopDaemons } from './process.ts'

export const ENGINE_NAMES = ['kafka', 'registry', 'postgres', 'clickhouse', 'valkey'] as const

export type EngineName = (typeof ENGINE_NAMES)[number]

/**
 * A real engine as a process of its own on this machine. What it holds is still there when it is stopped and started
 * again.
 */
export interface Engine {
  readonly name: EngineName
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
