import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { createFeedback } from '../support/feedback.ts'
import { recordFigure } from '../support/measuring.ts'
import { sumMetric } from '../support/metrics.ts'
import { type BenchPool, createBenchPool, fillUp, prepareMix } from '../support/stored-rows.ts'
import { appendFeedback, type EnginesSubject, startEngines } from './subject.ts'

const SIZES = [20_000, 100_000]
const COMING = 200
const POLL_MS = 250
const WATCH_MS = 2000
const DEADLINE_MS = 1_200_000
const STATEMENT_TIMEOUT_MS = 3_600_000
const ASKED = { anewSeconds: 300, afterSignalSeconds: 30 }

/** How long themes take to be found in one workspace, and until signals that come after that are looked at. */
export const themes = async (): Promise<void> => {
  const subject = await startEngines()
  const pool = createBenchPool(subject.databaseUrl, STATEMENT_TIMEOUT_MS)
  try {
    await prepareMix(pool)
    const workspaceIds = await subject.createWorkspaces(1)
    for (const [filling, size] of SIZES.entries()) {
      await fillUp(pool, workspaceIds, filling, { from: SIZES[filling - 1] ?? 0, upTo: size })
      for (const workspaceId of workspaceIds) await measure(subject, pool, workspaceId, size)
    }
  } finally {
    await pool.end()
    await subject.remove()
  }
}

const measure = async (
  subject: EnginesSubject,
  pool: BenchPool,
  workspaceId: WorkspaceId,
  size: number,
): Promise<void> => {
  const programs = await subject.start([{}])
  const most = watchMemory(programs)
  const cpuBefore = await sumMetric(programs, 'process_cpu_seconds_total')
  // Whoever starts finds that enough signals came.
  await untilTrue(pool, workspaceId, 'through_number >= max(number)')
  const cpuSeconds = (await sumMetric(programs, 'process_cpu_seconds_total')) - cpuBefore
  const megabytes = await most.stop()
  const { rows } = await pool.query<{ seconds: number; themes: number; members: number }>(
    `select extract(epoch from finished_at - created_at)::float8 as seconds,
       (select count(distinct theme_id) from theme_members where workspace_id = $1)::integer as themes,
       (select count(*) from theme_members where workspace_id = $1)::integer as members
     from jobs where workspace_id = $1 and kind = 'find_themes' and state = 'done' order by created_at desc limit 1`,
    [workspaceId],
  )
  const found = rows[0] ?? { seconds: Number.NaN, themes: 0, members: 0 }
  await appendFeedback(subject, [workspaceId], createFeedback(size), COMING)
  await untilTrue(pool, workspaceId, 'max(number) >= through_number + $2')
  const storedAt = performance.now()
  await untilTrue(pool, workspaceId, 'max(number) >= through_number + $2 and placed_number >= max(number)')
  const placedSeconds = (performance.now() - storedAt) / 1000
  await subject.stop()
  recordFigure('themes: found anew', found.seconds, 's', { at: size, atMost: ASKED.anewSeconds })
  recordFigure('themes: a signal is looked at', placedSeconds, 's', { at: size, atMost: ASKED.afterSignalSeconds })
  console.log(
    `${size} signals: ${found.themes} themes with ${found.members} of them found in ${found.seconds.toFixed(0)} s, ${cpuSeconds.toFixed(0)} s of CPU, ${megabytes.toFixed(0)} MB at most; ${COMING} that came then were looked at ${placedSeconds.toFixed(1)} s after they were stored`,
  )
}

/** How much memory programs take at most, in MB. */
const watchMemory = (programs: readonly string[]) => {
  let most = 0
  const look = async () => {
    most = Math.max(most, await sumMetric(programs, 'process_resident_memory_bytes'))
  }
  const timer = setInterval(() => void look(), WATCH_MS)
  return {
    stop: async (): Promise<number> => {
      clearInterval(timer)
      await look()
      return most / 2 ** 20
    },
  }
}

/** Waits until something is so of the newest signals and what is noted of the themes. */
const untilTrue = async (pool: BenchPool, workspaceId: WorkspaceId, condition: string): Promise<void> => {
  const deadline = Date.now() + DEADLINE_MS
  for (;;) {
    const { rows } = await pool.query<{ is_true: boolean | null }>(
      `select coalesce(${condition}, false) and $2::integer > 0 as is_true
       from theme_runs join signals using (workspace_id) where workspace_id = $1
       group by through_number, placed_number`,
      [workspaceId, COMING],
    )
    if (rows[0]?.is_true === true) return
    if (Date.now() > deadline) throw new Error(`It was not so in time: ${condition}`)
    await sleep(POLL_MS)
  }
}
