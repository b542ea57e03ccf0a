/** The command behind `npm run stack:up` and `npm run stack:down`. */
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describeConfig, parseConfig } from '../runtime/config.ts'
import { isAssayError } from '../runtime/errors.ts'
import { STACK_CONFIG, type StackConfig } from './config.ts'
import { startStandingStack } from './standing-stack.ts'
import { stopEngines } from './start-engines.ts'

const LOCK_TIMEOUT_MS = 300_000

const lockFile = (config: StackConfig): string => `${resolve(config.directory)}.lock`

/** One command at a time, the next waits: SQLite's lock on a file, which the system drops with the process. */
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

const up = async (config: StackConfig): Promise<void> => {
  const startedAt = Date.now()
  console.error(
    'Bringing up Kafka, the schema registry, PostgreSQL, ClickHouse and Valkey. The first time downloads 180 MB.',
  )
  const { wasUp, variables } = await startStandingStack(config)
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  console.error(wasUp ? 'The stack is up already.' : `The stack is up after ${seconds} s.`)
  console.error('Programs use it with these variables. `npm run stack:down` ends it and removes its data.')
  for (const [name, value] of Object.entries(variables)) console.log(`${name}=${value}`)
}

const down = async (config: StackConfig): Promise<void> => {
  await stopEngines(resolve(config.directory))
  rmSync(lockFile(config))
  console.error(`The stack is down and its data is removed. The downloads stay in ${config.cache}.`)
}

const COMMANDS: Readonly<Record<string, (config: StackConfig) => Promise<void>>> = { up, down }

const command = COMMANDS[process.argv[2] ?? '']
try {
  if (command === undefined) {
    console.error(`Say "up" or "down". What can be set:\n\n${describeConfig(STACK_CONFIG)}`)
    process.exitCode = 1
  } else {
    const config = parseConfig(STACK_CONFIG, process.env)
    await exclusively(config, () => command(config))
  }
} catch (error) {
  console.error(isAssayError(error) ? error.publicMessage : error)
  process.exitCode = 1
}
