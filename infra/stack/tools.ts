import { type ExecFileOptions, execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AssayError, codeOf } from '../runtime/errors.ts'

/**
 * The directory `name` of the cache, filled by `fill` the first time. It appears whole or not at all: an interrupted
 * download starts again, and concurrent processes do no harm.
 */
export const cachedDownload = async (
  cache: string,
  name: string,
  fill: (directory: string) => Promise<void>,
): Promise<string> => {
  const directory = join(cache, name)
  if (existsSync(directory)) return directory
  await mkdir(cache, { recursive: true })
  const partial = await mkdtemp(join(cache, `${name}.partial-`))
  try {
    await fill(partial)
    await rename(partial, directory)
  } catch (error) {
    if (!existsSync(directory)) throw error
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  return directory
}

/** The files of a wheel on PyPI (`name==version`) in the cache, without dependencies. */
export const cachedWheel = (cache: string, name: string, wheel: string): Promise<string> =>
  cachedDownload(cache, name, async target => {
    const options = ['--quiet', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check']
    await run('pip3', ['download', ...options, wheel], { cwd: target })
    // A wheel is a zip archive; `sh` expands its name.
    await run('sh', ['-c', 'unzip -q -- *.whl && rm -- *.whl'], { cwd: target })
  })

const execute = promisify(execFile)

const JAVA_VERSION = 17
const LAST_LINES = 15

/** The package that provides a command. */
const PROVIDERS: Readonly<Record<string, string>> = {
  java: `a Java runtime, version ${JAVA_VERSION} or newer (Debian: apt install openjdk-17-jre-headless)`,
  mvn: 'Apache Maven (Debian: apt install maven)',
  pip3: 'pip, Python’s package installer (Debian: apt install python3-pip)',
  unzip: 'unzip (Debian: apt install unzip)',
}

/** Something that an engine needs is missing on this machine. The message says what to install. */
export class CannotInstall extends AssayError {
  constructor(message: string, cause?: unknown) {
    super('unavailable', message, { cause, retriable: false })
  }
}

const missing = (command: string, cause: unknown): CannotInstall =>
  new CannotInstall(
    `The command "${command}" is needed and is not here. Install ${PROVIDERS[command] ?? command}.`,
    cause,
  )

const textOf = (error: unknown, stream: 'stdout' | 'stderr'): string => {
  const text = error instanceof Error && stream in error ? Reflect.get(error, stream) : ''
  return typeof text === 'string' ? text : ''
}

/** Runs a tool to its end. Rejects with `CannotInstall` when the tool is missing, or with its output when it fails. */
export const run = async (
  command: string,
  parameters: readonly string[],
  options: Pick<ExecFileOptions, 'cwd' | 'uid' | 'gid'> = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> => {
  try {
    return await execute(command, parameters, { ...options, encoding: 'utf8' })
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw missing(command, error)
    const words = `${textOf(error, 'stdout')}\n${textOf(error, 'stderr')}`.trim()
    // A tool that could not be started has no output, but the system has an error.
    const said = words === '' ? String(error) : words.split('\n').slice(-LAST_LINES).join('\n')
    throw new CannotInstall(`"${command} ${parameters.join(' ')}" failed:\n${said}`, error)
  }
}

/** Rejects with `CannotInstall` without a recent Java runtime. */
export const requireJava = async (): Promise<void> => {
  // A placeholder of a runtime, as on macOS, fails here too.
  const { stderr } = await run('java', ['-version']).catch(error => {
    throw missing('java', error)
  })
  const version = Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0)
  if (version >= JAVA_VERSION) return
  throw new CannotInstall(`The Java runtime here has version ${version}. Install ${PROVIDERS.java}.`)
}
