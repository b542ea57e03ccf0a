import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

type Environment = Readonly<Record<string, string>>

/** Where the runner has built the program of this repository; see built-program.ts. */
export const BUILT_PROGRAM_VARIABLE = 'ASSAY_TEST_PROGRAM'

const programOf = (repository: string | undefined): string =>
  (repository === undefined && process.env[BUILT_PROGRAM_VARIABLE]) || 'assay.ts'

export const CHEAP_PASSWORDS = `--require=${ROOT}test/support/cheap-passwords.cjs`
const OF_TESTS: readonly string[] = ['--liftoff-only', CHEAP_PASSWORDS]

/**
 * Tests run with `--liftoff-only`, and so do the programs that they start, for seconds: compiling the embedded database a second time takes
 * longer than it saves. So do passwords that cost nothing. A benchmark runs without, and measures what users have.
 */
const flags = (): readonly string[] => [
  '--disable-warning=ExperimentalWarning',
  ...process.execArgv.filter(flag => OF_TESTS.includes(flag)),
]

/** Starts `assay <parameters>`, of this repository unless told. `environment` is added to the process's own. */
export const spawnAssay = (
  parameters: readonly string[],
  environment: Environment,
  repository?: string,
): ChildProcess & { readonly stdout: NodeJS.ReadableStream; readonly stderr: NodeJS.ReadableStream } =>
  spawn(process.execPath, [...flags(), programOf(repository), ...parameters], {
    cwd: repository ?? ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** The exit code of a process; null when a signal ended it. */
export const exited = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** Runs `assay <parameters>` to its end; answers its exit code, null when a signal ended it, and what it printed. */
export const assay = async (parameters: readonly string[], environment: Environment = {}) => {
  const child = spawnAssay(parameters, environment)
  const [code, stdout, stderr] = await Promise.all([exited(child), text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}
