/**
 * A program: starts engines, runs a command with their addresses in its environment (DATABASE_URL and so on), stops
 * them and exits with the command's code. `run-with-stack.ts postgres clickhouse -- node test/run.ts --stores` runs the
 * tests of the stores on real engines instead of embedded ones. When engines cannot be installed, the command runs
 * without them and the last lines say so; with `CI=true` this is a failure.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { ENGINE_NAMES, type EngineName } from './engine.ts'
import { type Stack, startStack } from './index.ts'
import { keepTemporaryFilesInMemory } from './temporary-files.ts'
import { UNTESTED } from './test-reporter.ts'
import { CannotInstall } from './tools.ts'

const FAILED = 1
const USAGE = `Say which engines (${ENGINE_NAMES.join(', ')}), then --, then the command: run-with-stack.ts postgres -- node --test`

const isEngine = (word: string): word is EngineName => ENGINE_NAMES.some(name => name === word)

interface Given {
  readonly engines: readonly EngineName[]
  readonly command: string
  readonly parameters: readonly string[]
}

const parse = (words: readonly string[]): Given | null => {
  const at = words.indexOf('--')
  const engines = words.slice(0, at).filter(isEngine)
  const [command, ...parameters] = words.slice(at + 1)
  return at < 1 || engines.length !== at || command === undefined ? null : { engines, command, parameters }
}

/** The command's exit code; 128 plus the signal's number after a signal, as in a shell. */
const run = (command: string, parameters: readonly string[], urls: Stack['urls']): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: 'inherit', env: { ...process.env, ...urls } })
    const pass = (signal: NodeJS.Signals) => void child.kill(signal)
    process.on('SIGINT', pass).on('SIGTERM', pass)
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']))
  })

const main = async (): Promise<number> => {
  const given = parse(process.argv.slice(2))
  if (given === null) {
    console.error(USAGE)
    return FAILED
  }
  const removeTemporaryFiles = await keepTemporaryFilesInMemory()
  try {
    return await runWithStack(given)
  } finally {
    await removeTemporaryFiles()
  }
}

const runWithStack = async ({ engines, command, parameters }: Given): Promise<number> => {
  let stack: Stack
  try {
    stack = await startStack({ engines, shortLived: true })
  } catch (error) {
    if (!(error instanceof CannotInstall)) throw error
    const code = process.env.CI === 'true' ? FAILED : await run(command, parameters, {})
    console.error(`\n*** ${UNTESTED} (${engines.join(', ')}): ${error.publicMessage} ***\n`)
    return code
  }
  try {
    return await run(command, parameters, stack.urls)
  } finally {
    await stack.stop()
  }
}

process.exitCode = await main()
