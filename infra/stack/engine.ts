import type { StackConfig } from './config.ts'
import type { Daemon } from './process.ts'

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
