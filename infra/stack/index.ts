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
  /** Ends the guard when there is nothing left to guard. */
  dismiss(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('./reaper-program.ts', import.meta.url))

/**
 * Takes a stack down when this process ends without having done so, killed even: a small process beside it waits for
 * the end of a pipe, which the system closes with whoever holds its other end.
 */
const guardStack = (directory: string): Guard => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  child.unref()
  const pipe = child.stdin
  // Node makes a socket of a pipe, though its type says less. This process may end while it is open.
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
  /** Where data and log files go; a new directory under the system's temporary one unless told. Removed by `stop`. */
  readonly directory?: string
  /** Makes the engines ready to be started, and starts none of them. */
  readonly atRest?: boolean
  /** For minutes of use: less of the processor goes into becoming quicker in time. */
  readonly shortLived?: boolean
}

export interface Stack {
  /** The environment variables by which the programs reach the engines: KAFKA_BROKERS and so on. */
  readonly urls: Readonly<Record<string, string>>
  /** Ends the engine's process; what it holds stays. */
  stopEngine(name: EngineName): Promise<void>
  /** Halts the engine's process where it is: it keeps its connections and answers nothing. */
  stallEngine(name: EngineName): void
  resumeEngine(name: EngineName): void
  /** Starts it again, on the same port and data. */
  startEngine(name: EngineName): Promise<void>
  /** Ends every engine and removes the directory. */
  stop(): Promise<void>
}

/** Versions and the cache as the environment has them; ports that are free and a password that nobody knows. */
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
 * Real engines on free ports of the loopback interface, ready when it resolves unless they are to be at rest; the first
 * use downloads them. They end with the process that started them, however that ends. Rejects with `CannotInstall`
 * where something that they need is missing.
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
