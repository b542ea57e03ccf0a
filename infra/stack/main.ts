/** The command behind `npm run stack:up` and `npm run stack:down`. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { outliveReaders } from '../runtime/closed-reader.ts'
import { describeConfig, parseConfig } from '../runtime/config.ts'
import { isAssayError } from '../runtime/errors.ts'
import { randomSecret } from '../runtime/secrets.ts'
import { STACK_CONFIG, type StackConfig } from './config.ts'
import { ENGINE_NAMES, type EngineOptions, HOST, startEngines, stopEngines } from './engine.ts'
import { createEngines, variablesOf } from './engines.ts'
import { createPrometheus } from './prometheus.ts'

interface StandingStack {
  /** The options that the stack was started with. */
  readonly options: EngineOptions
  /** True when every engine was running before. */
  readonly wasUp: boolean
  readonly variables: Readonly<Record<string, string>>
}

/** The options of a stack, password included. Later starts use them, whatever the environment says then. */
const OPTIONS_FILE = 'options.json'

const createOptions = async (config: StackConfig): Promise<EngineOptions> => {
  const directory = resolve(config.directory)
  const password = config.password ?? randomSecret()
  const options: EngineOptions = { cache: resolve(config.cache), directory, config, password }
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await writeFile(join(directory, OPTIONS_FILE), JSON.stringify(options), { mode: 0o600 })
  return options
}

/** All engines as a stack that stays until `stack:down`. Running engines are left alone. */
const startStandingStack = async (config: StackConfig): Promise<StandingStack> => {
  const file = join(resolve(config.directory), OPTIONS_FILE)
  const isNew = !existsSync(file)
  // Written by `createOptions`.
  const options: EngineOptions = isNew ? await createOptions(config) : JSON.parse(readFileSync(file, 'utf8'))
  const engines = createEngines(ENGINE_NAMES, options)
  const wasUp = engines.every(engine => engine.daemon.isRunning())
  try {
    await startEngines(engines)
  } catch (error) {
    // A stack that never ran keeps nothing, so that other settings can be tried.
    if (isNew) await stopEngines(options.directory)
    throw error
  }
  return { options, wasUp, variables: variablesOf(engines) }
}

const LOCK_TIMEOUT_MS = 300_000

const lockFile = (config: StackConfig): string => `${resolve(config.directory)}.lock`

/** One command at a time, by SQLite's lock on a file, which the system frees with the process. */
const exclusively = async (config: StackConfig, work: () => Promise<void>): Promise<void> => {
  mkdirSync(dirname(lockFile(config)), { recursive: true })
  const lock = new DatabaseSync(lockFile(config))
  try {
    lock.exec(`pragma busy_timeout = ${LOCK_TIMEOUT_MS}; pragma journal_mode = memory; begin exclusive`)
    await work()
  } finally {
    lock.close()
  }
}

/** Started engines run on, as they do after the command's end. */
const interrupted = (signal: 'SIGINT' | 'SIGTERM'): never => {
  console.error(
    'Not finished. `npm run stack:up` goes on from here, `npm run stack:down` ends and removes what is there.',
  )
  process.exit(signal === 'SIGINT' ? 130 : 143)
}

/** Starts Prometheus for the programs of this machine. The engines stay even when Prometheus is missing. */
const watch = async (options: EngineOptions): Promise<void> => {
  await startEngines([createPrometheus(options)])
  const address = `http://${HOST}:${options.config.prometheusPort}`
  console.error(`Prometheus is at ${address}: it looks at the programs at their own ports, and has the alerts.`)
  console.error('Grafana is not brought up: docs/operations/watch.md says how it gets the dashboards.')
}

const up = async (config: StackConfig, words: readonly string[]): Promise<void> => {
  const startedAt = Date.now()
  console.error(
    'Bringing up Kafka, the schema registry, PostgreSQL, ClickHouse and Valkey. The first time downloads 230 MB.',
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted(signal))
  const { options, wasUp, variables } = await startStandingStack(config)
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  console.error(wasUp ? 'The stack is up already.' : `The stack is up after ${seconds} s.`)
  console.error('Programs use it with these variables. `npm run stack:down` ends it and removes its data.')
  for (const [name, value] of Object.entries(variables)) console.log(`${name}=${value}`)
  // An older stack's options lack this setting.
  if (words.includes(WATCH)) await watch({ ...options, config: { ...config, ...options.config } })
}

const down = async (config: StackConfig): Promise<void> => {
  await stopEngines(resolve(config.directory))
  rmSync(lockFile(config))
  console.error(`The stack is down and its data is removed. The downloads stay in ${config.cache}.`)
}

const WATCH = '--watch'

interface Command {
  readonly flags: readonly string[]
  run(config: StackConfig, words: readonly string[]): Promise<void>
}

const COMMANDS: Readonly<Record<string, Command>> = { up: { flags: [WATCH], run: up }, down: { flags: [], run: down } }

outliveReaders()
const [name = '', ...words] = process.argv.slice(2)
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
try {
  if (command === undefined || words.some(word => !command.flags.includes(word))) {
    console.error(`Say "up", "up ${WATCH}" or "down". What can be set:\n\n${describeConfig(STACK_CONFIG)}`)
    process.exitCode = 1
  } else {
    const config = parseConfig(STACK_CONFIG, process.env)
    await exclusively(config, () => command.run(config, words))
  }
} catch (error) {
  console.error(isAssayError(error) ? error.publicMessage : error)
  process.exitCode = 1
}
