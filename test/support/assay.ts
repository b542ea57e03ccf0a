import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

type Environment = Readonly<Record<string, string>>

/** Where the runner has built the program of this repository; see built-program.ts. */
export const BUILT_PROGRAM_VARIABLE = 'ASSAY_TEST_PROGRAM'

const programOf = (repository: string | undefined): string =>
  (repository === undefined && process.env[BUILT_PROGRAM_VARIABLE]) || 'assay.ts'

const STRIPPED_TYPES = `--require=${ROOT}test/support/stripped-types.cjs`

/**
 * Tests, and the programs that they start, live for seconds: compiling the embedded database a second time takes longer
 * than it saves, and so do passwords that are costly to guess. A benchmark runs without, and measures what users have.
 */
export const TEST_FLAGS: readonly string[] = [
  '--liftoff-only',
  `--require=${ROOT}test/support/cheap-passwords.cjs`,
  STRIPPED_TYPES,
]

/** Of this process those that a program takes, too; one that is built has no types to be stripped. */
const flagsFor = (program: string): readonly string[] => [
  '--disable-warning=ExperimentalWarning',
  ...TEST_FLAGS.filter(flag => process.execArgv.includes(flag) && (flag !== STRIPPED_TYPES || program.endsWith('.ts'))),
]

/** Starts `assay <parameters>`, of this repository unless told. `environment` is added to the process's own. */
export const spawnAssay = (
  parameters: readonly string[],
  environment: Environment,
  repository?: string,
): ChildProcess & { readonly stdout: Readable; readonly stderr: NodeJS.ReadableStream } => {
  const program = programOf(repository)
  return spawn(process.execPath, [...flagsFor(program), program, ...parameters], {
    cwd: repository ?? ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

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

/** The same with a reader that is gone from the first, as in `assay <parameters> | head -0`. */
export const assayUnread = async (parameters: readonly string[], environment: Environment = {}) => {
  const child = spawnAssay(parameters, environment)
  child.stdout.destroy()
  const [code, stderr] = await Promise.all([exited(child), text(child.stderr)])
  return { code, stderr }
}
