import { type ExecFileOptions, execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { AssayError, codeOf } from '../runtime/errors.ts'

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
    const words = `${textOf(error, 'stdout')}\n${textOf(error, 'stderr')}`.trim().split('\n').slice(-LAST_LINES)
    throw new CannotInstall([`"${command} ${parameters.join(' ')}" failed:`, ...words].join('\n'), error)
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
