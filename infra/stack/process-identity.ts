import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process as its file names it: the start time tells it from a later process that was given the same id. */
export interface ProcessIdentity {
  readonly pid: number
  readonly startedAt: string
  /** What asks it to stop in good order. */
  readonly stopSignal: NodeJS.Signals
}

/** When a process was started, as the system counts it; null when there is none, or only its remains. */
export const startTimeOf = (pid: number): string | null => {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
    // proc(5): after the command's name in parentheses, which may hold any character, come state (3rd field) and start time (22nd).
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : (fields[19] ?? null)
  } catch {
    return null
  }
}

/** The process that a file names, while that very process runs; else null. */
export const readProcess = (file: string): ProcessIdentity | null => {
  try {
    // Written by `createDaemon`, whole or not at all.
    const identity: ProcessIdentity = JSON.parse(readFileSync(file, 'utf8'))
    return startTimeOf(identity.pid) === identity.startedAt ? identity : null
  } catch {
    return null
  }
}
