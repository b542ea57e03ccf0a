import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseConfig } from '../runtime/config.ts'
import { randomSecret } from '../runtime/secrets.ts'
import { STACK_CONFIG } from './config.ts'
import { type Engine, type EngineName, type EngineOptions, freePorts, startEngines, stopEngines } from './engine.ts'
import { createEngines, variablesOf } from './engines.ts'

interface Guard {
  /** Ends the guard when nothing is left to guard. */
  dismiss(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('./reaper-program.ts', import.meta.url))

/**
 * Takes a stack down when this process ends without doing so, even when it is killed: a small process waits for the end
 * of a pipe, which the system closes with this process.
 */
const guardStack = (directory: string): Guard => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  child.unref()
  const pipe = child.stdin
  // Node makes a socket of a pipe, unlike its type says. Unreferenced, so that this process may end while it is open.
  if (pipe instanceof Socket) pipe.unref()
  return {
    async dismiss() {
      child.ref()
      pipe.end()
      await exited
    },
  }
}

export interface StackOptions {
  readonly engines: readonly EngineName[]
  /** Directory of data and logs; by default a new temporary directory. Removed by `stop`. */
  readonly directory?: string
  /** Prepares the engines without starting them. */
  readonly atRest?: boolean
  /** For minutes of use: skips optimizations that pay off later. */
  readonly shortLived?: boolean
}

export interface Stack {
  /** Environment variables for programs that use the engines: KAFKA_BROKERS and so on. */
  readonly urls: Readonly<Record<string, string>>
  /** Stops the engine's process; its data stays. */
  stopEngine(name: EngineName): Promise<void>
  /** Suspends the engine's process: it keeps its connections and answers nothing. */
  stallEngine(name: EngineName): void
  resumeEngine(name: EngineName): void
  /** Starts the engine again, on the same port and data. */
  startEngine(name: EngineName): Promise<void>
  /** Stops every engine and removes the directory. */
  stop(): Promise<void>
}

/** Versions and cache from the environment, free ports and a random password. */
const chooseOptions = async (directory: string, shortLived: boolean): Promise<EngineOptions> => {
  const config = parseConfig(STACK_CONFIG, process.env)
  const [
    kafkaPort = 0,
    kafkaControllerPort = 0,
    registryPort = 0,
    postgresPort = 0,
    clickhousePort = 0,
    valkeyPort = 0,
  ] = await freePorts(6)
  return {
    cache: resolve(config.cache),
    directory,
    config: { ...config, kafkaPort, kafkaControllerPort, registryPort, postgresPort, clickhousePort, valkeyPort },
    password: config.password ?? randomSecret(),
    shortLived,
  }
}

/**
 * Starts real engines on free loopback ports. Resolves when they work, or with `atRest` when they are installed. The
 * first use downloads them. They end with this process, however that ends. Rejects with `CannotInstall` when something
 * they need is missing.
 *
 * @example const stack = await startStack({ engines: ['postgres', 'clickhouse'] })
 */
export const startStack = async (options: StackOptions): Promise<Stack> => {
  const { engines: names, directory: given, atRest = false, shortLived = false } = options
  const directory = given === undefined ? await mkdtemp(join(tmpdir(), 'assay-stack-')) : resolve(given)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const guard = guardStack(directory)
  const stop = async () => {
    await stopEngines(directory)
    await guard.dismiss()
  }
  try {
    const engines = createEngines(names, await chooseOptions(directory, shortLived))
    const engineOf = (name: EngineName): Engine => {
      const engine = engines.find(candidate => candidate.name === name)
      if (engine === undefined) throw new Error(`This stack was started without ${name}.`)
      return engine
    }
    if (atRest) await Promise.all(engines.map(engine => engine.install()))
    else await startEngines(engines)
    return {
      urls: variablesOf(engines),
      stopEngine: name => engineOf(name).daemon.stop(),
      stallEngine: name => engineOf(name).daemon.stall(),
      resumeEngine: name => engineOf(name).daemon.resume(),
      startEngine: name => startEngines([engineOf(name)]),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
