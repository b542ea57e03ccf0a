import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AssayError } from '../runtime/errors.ts'

/** A process as its file names it: the start time tells it from a later process that was given the same id. */
interface ProcessIdentity {
  readonly pid: number
  readonly startedAt: string
  /** What asks it to stop in good order. */
  readonly stopSignal: NodeJS.Signals
}

/** When a process was started, as the system counts it; null when there is none, or only its remains. */
const startTimeOf = (pid: number): string | null => {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
    // proc(5): after the command's name in parentheses, which may hold any character, come state (3rd field) and start
    // time (22nd).
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : (fields[19] ?? null)
  } catch {
    return null
  }
}

/** The process that a file names, while that very process runs; else null. */
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
  /** Added to the caller's own environment. */
  readonly env?: Readonly<Record<string, string>>
  /** The user and group to run as; the caller's own unless told. */
  readonly user?: Pick<SpawnOptions, 'uid' | 'gid'>
}

/** A process that outlives the one that started it, and is known again by a file. */
export interface Daemon {
  isRunning(): boolean
  /** Does nothing when it runs already. */
  start(command: Command): Promise<void>
  /** Asks it to stop in good order, and kills it when it has not within half a minute. */
  stop(): Promise<void>
  /** Halts it where it is, connections open, until `resume`. */
  stall(): void
  resume(): void
  /** The last lines that it wrote. */
  lastWords(): string
}

interface DaemonOptions {
  /** Where its log file and its process file are. */
  readonly directory: string
  readonly name: string
  /** What asks it to stop in good order; SIGTERM unless told. */
  readonly stopSignal?: NodeJS.Signals
}

const STOP_DEADLINE_MS = 30_000
const PAUSE_MS = 20
const LAST_LINES = 15
const SUFFIX = '.process.json'

/** Signals the process that was started, never another that has its id by now. */
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
  // One that is halted hears nothing else.
  signalProcess(file, 'SIGCONT')
  if (!(await hasEnded(file))) {
    signalProcess(file, 'SIGKILL')
    if (!(await hasEnded(file))) throw new AssayError('internal', `The process that ${file} names cannot be ended.`)
  }
  await rm(file, { force: true })
}

/** Stops whatever was started in this directory, all at once. */
export const stopDaemons = async (directory: string): Promise<void> => {
  const files = await readdir(directory).catch(() => [])
  await Promise.all(files.filter(file => file.endsWith(SUFFIX)).map(file => stopProcess(join(directory, file))))
}

export const createDaemon = ({ directory, name, stopSignal = 'SIGTERM' }: DaemonOptions): Daemon => {
  const file = join(directory, `${name}${SUFFIX}`)
  const logFile = join(directory, `${name}.log`)
  const isRunning = () => readProcess(file) !== null

  /**
   * Without a pause between the process and its file: whoever is interrupted in between would leave a process nobody
   * knows.
   */
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
