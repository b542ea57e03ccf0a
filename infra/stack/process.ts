import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AssayError } from '../runtime/errors.ts'

/** A process as its file names it. The start time distinguishes a later process with the same id. */
interface ProcessIdentity {
  readonly pid: number
  readonly startedAt: string
  /** The signal for an orderly stop. */
  readonly stopSignal: NodeJS.Signals
}

/** A process' start time as the system counts it; null when it does not exist or is a zombie. */
const startTimeOf = (pid: number): string | null => {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
    // proc(5): the state (3rd field) and start time (22nd) follow the command's name in parentheses, which may hold any
    // character.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : (fields[19] ?? null)
  } catch {
    return null
  }
}

/** The process that a file names, while it runs; else null. */
const readProcess = (file: string): ProcessIdentity | null => {
  try {
    // Written by `createDaemon`, whole or not at all.
    const identity: ProcessIdentity = JSON.parse(readFileSync(file, 'utf8'))
    return startTimeOf(identity.pid) === identity.startedAt ? identity : null
  } catch {
    return null
  }
}

interface Command {
  readonly command: string
  readonly parameters: readonly string[]
  /** Added to the caller's environment. */
  readonly env?: Readonly<Record<string, string>>
  /** The user and group; the caller's own unless given. */
  readonly user?: Pick<SpawnOptions, 'uid' | 'gid'>
}

/** A process that outlives its starter, and is found again by a file. */
export interface Daemon {
  isRunning(): boolean
  /** Does nothing when it is running. */
  start(command: Command): Promise<void>
  /** Stops it in an orderly way, and kills it after 30 s. */
  stop(): Promise<void>
  /** Suspends it, with connections open, until `resume`. */
  stall(): void
  resume(): void
  /** Its last lines of output. */
  lastWords(): string
}

interface DaemonOptions {
  /** The directory of its log file and process file. */
  readonly directory: string
  readonly name: string
  /** The signal for an orderly stop; SIGTERM unless given. */
  readonly stopSignal?: NodeJS.Signals
}

const STOP_DEADLINE_MS = 30_000
const PAUSE_MS = 20
const LAST_LINES = 15
const SUFFIX = '.process.json'

/** Signals the started process, never a later one with its id. */
const signalProcess = (file: string, signal?: NodeJS.Signals): void => {
  const identity = readProcess(file)
  if (identity === null) return
  try {
    process.kill(identity.pid, signal ?? identity.stopSignal)
  } catch (error) {
    if (readProcess(file) !== null) throw error
  }
}

const hasEnded = async (file: string): Promise<boolean> => {
  const deadline = Date.now() + STOP_DEADLINE_MS
  while (readProcess(file) !== null) {
    if (Date.now() > deadline) return false
    await sleep(PAUSE_MS)
  }
  return true
}

const stopProcess = async (file: string): Promise<void> => {
  signalProcess(file)
  // A suspended process receives no other signal.
  signalProcess(file, 'SIGCONT')
  if (!(await hasEnded(file))) {
    signalProcess(file, 'SIGKILL')
    if (!(await hasEnded(file))) throw new AssayError('internal', `The process that ${file} names cannot be ended.`)
  }
  await rm(file, { force: true })
}

/** Stops all daemons of this directory concurrently. */
export const stopDaemons = async (directory: string): Promise<void> => {
  const files = await readdir(directory).catch(() => [])
  await Promise.all(files.filter(file => file.endsWith(SUFFIX)).map(file => stopProcess(join(directory, file))))
}

/**
 * A daemon with its files in the directory. `start` rejects with `unavailable` when the command cannot be started,
 * `stop` with `internal` when the process does not end.
 */
export const createDaemon = ({ directory, name, stopSignal = 'SIGTERM' }: DaemonOptions): Daemon => {
  const file = join(directory, `${name}${SUFFIX}`)
  const logFile = join(directory, `${name}.log`)
  const isRunning = () => readProcess(file) !== null

  /** Synchronous: an interruption between start and file would leave an unknown process. */
  const recordProcess = (pid: number): void => {
    const startedAt = startTimeOf(pid)
    if (startedAt === null) return
    const identity: ProcessIdentity = { pid, startedAt, stopSignal }
    writeFileSync(`${file}.new`, JSON.stringify(identity))
    renameSync(`${file}.new`, file)
  }

  return {
    isRunning,
    async start({ command, parameters, env = {}, user = {} }) {
      if (isRunning()) return
      mkdirSync(directory, { recursive: true })
      const log = openSync(logFile, 'a', 0o600)
      try {
        const stdio: SpawnOptions['stdio'] = ['ignore', log, log]
        const child = spawn(command, parameters, { ...user, detached: true, stdio, env: { ...process.env, ...env } })
        if (child.pid !== undefined) recordProcess(child.pid)
        await once(child, 'spawn')
        child.unref()
      } catch (error) {
        throw new AssayError('unavailable', `The command "${command}" could not be started.`, { cause: error })
      } finally {
        closeSync(log)
      }
    },
    stop: () => stopProcess(file),
    stall: () => signalProcess(file, 'SIGSTOP'),
    resume: () => signalProcess(file, 'SIGCONT'),
    lastWords() {
      try {
        return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LAST_LINES).join('\n')
      } catch {
        return ''
      }
    },
  }
}
