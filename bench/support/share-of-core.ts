import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningProgram } from '../../test/support/program.ts'

/** As a container engine and Kubernetes have it. */
const PERIOD_MICROSECONDS = 100_000
const ROOT = '/sys/fs/cgroup'
/** Where there is such a file, Linux has one tree of control groups; before, a tree for each kind of limit. */
const IS_ONE_TREE = existsSync(join(ROOT, 'cgroup.controllers'))

/** A limit on one process. */
interface ShareOfCore {
  /** Takes the limit away. The process has ended, or goes on without. */
  remove(): Promise<void>
}

let made = 0

/**
 * Gives a process a share of one core, as a container's limit does: it stands still for the rest of each tenth of a
 * second. Linux alone, and only for who may make control groups, root as a rule; throws for all others.
 */
const limitToShare = (pid: number, share: number): ShareOfCore => {
  made += 1
  const group = join(IS_ONE_TREE ? ROOT : join(ROOT, 'cpu'), `assay-bench-${process.pid}-${made}`)
  const quota = Math.round(PERIOD_MICROSECONDS * share)
  try {
    mkdirSync(group)
    if (IS_ONE_TREE) {
      writeFileSync(join(ROOT, 'cgroup.subtree_control'), '+cpu')
      writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD_MICROSECONDS}`)
    } else {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_MICROSECONDS))
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota))
    }
    writeFileSync(join(group, 'cgroup.procs'), String(pid))
  } catch (error) {
    throw new Error('This benchmark limits programs by control groups of Linux: run it there, as root.', {
      cause: error,
    })
  }
  return {
    async remove() {
      const above = join(group, '..', 'cgroup.procs')
      // A process that has ended is not there any more.
      if (existsSync(`/proc/${pid}`)) writeFileSync(above, String(pid))
      await sleep(PERIOD_MICROSECONDS / 1000)
      rmdirSync(group)
    },
  }
}

type Limit = (programs: readonly RunningProgram[]) => void

/**
 * Does work with programs limited to such a share each: what it hands to `limit`, from then on. Throws when one does
 * not run. At the end, however it comes, the limits are gone.
 */
export const withShares = async <T>(share: number, work: (limit: Limit) => Promise<T>): Promise<T> => {
  const limits: ShareOfCore[] = []
  const limit: Limit = programs => {
    for (const program of programs) {
      const pid = program.pid()
      if (pid === null) throw new TypeError('Only a program that runs can be limited.')
      limits.push(limitToShare(pid, share))
    }
  }
  try {
    return await work(limit)
  } finally {
    await Promise.all(limits.map(({ remove }) => remove()))
  }
}
