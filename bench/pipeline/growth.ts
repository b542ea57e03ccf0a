import { join } from 'node:path'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { createFeedback } from '../support/feedback.ts'
import { recordFigure } from '../support/measuring.ts'
import { engineSeconds } from '../support/metrics.ts'
import { createBenchPool, fillUp, prepareMix } from '../support/stored-rows.ts'
import { appendFeedback, type EnginesSubject, startEngines } from './subject.ts'
import { describeSteps, measureWork } from './working.ts'

const SIZES = [10_000, 100_000, 1_000_000]
const SIGNALS = 6000
/** Enough for every workspace, and for the runtime to have compiled what it runs. */
const WARMING = 2000
const STATEMENT_TIMEOUT_MS = 3_600_000

/** What a signal costs as the rows behind it grow, with everything in a thousand workspaces and in one. */
export const growth = async (): Promise<void> => {
  for (const spaces of [1000, 1]) {
    const subject = await startEngines()
    await grow(subject, await subject.createWorkspaces(spaces)).finally(subject.remove)
  }
}

const grow = async (subject: EnginesSubject, workspaceIds: readonly WorkspaceId[]): Promise<void> => {
  const pool = createBenchPool(subject.databaseUrl, STATEMENT_TIMEOUT_MS)
  const feedback = createFeedback(5)
  const append = (count: number) => () => appendFeedback(subject, workspaceIds, feedback, count)
  try {
    await prepareMix(pool)
    for (const [filling, size] of SIZES.entries()) {
      await fillUp(pool, workspaceIds, filling, { from: SIZES[filling - 1] ?? 0, upTo: size })
      const environment = { INDEX_SNAPSHOTS_DIR: join(subject.directory, 'index-snapshots') }
      const programs = await subject.start([environment])
      // What is stored is read into memory once, when a workspace's first signal comes: that is not what a signal
      // costs.
      const first = await measureWork(programs, WARMING, append(WARMING))
      const before = engineSeconds(subject.directory)
      const worked = await measureWork(programs, SIGNALS, append(SIGNALS))
      const after = engineSeconds(subject.directory)
      await subject.stop()
      const again = await measureWork(await subject.start([environment]), WARMING, append(WARMING))
      await subject.stop()
      const postgres = (((after.postgres ?? 0) - (before.postgres ?? 0)) * 1000) / SIGNALS
      const where = `growth: ${workspaceIds.length} workspaces`
      recordFigure(`${where}: CPU of processor and PostgreSQL`, worked.cpuMs + postgres, 'ms a signal', { at: size })
      recordFigure(`${where}: the first ${WARMING} signals`, first.seconds, 's', { at: size })
      recordFigure(`${where}: the first ${WARMING} signals after a restart`, again.seconds, 's', { at: size })
      console.log(
        `${workspaceIds.length} workspaces, ${size} rows: ${(SIGNALS / worked.seconds).toFixed(0)} signals/s; CPU ms a signal: processor ${worked.cpuMs.toFixed(2)}, PostgreSQL ${postgres.toFixed(2)}; the first ${WARMING} took ${first.seconds.toFixed(1)} s, after a restart ${again.seconds.toFixed(1)} s`,
      )
      console.log(`    ms of steps a signal: ${describeSteps(worked)}`)
    }
  } finally {
    await pool.end()
  }
}
