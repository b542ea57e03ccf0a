import { timerMs } from '../../runtime/timers.ts'
import { rewriteEverything } from './rewrite.ts'
import type { EmbeddedServer } from './server.ts'

const MIB = 1024 * 1024

export interface HousekeepingOptions {
  readonly intervalMs: number
  /** Write-ahead log that a restart after a kill may have to repeat, bytes. */
  readonly checkpointBytes: number
  /** Changes after which vacuum and analyze are worth their cost, bytes of write-ahead log. */
  readonly vacuumBytes: number
}

const DEFAULTS: HousekeepingOptions = { intervalMs: 10_000, checkpointBytes: 64 * MIB, vacuumBytes: 32 * MIB }

const WAL_BYTES = "select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes"
const TABLES = "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'"

export interface Housekeeping {
  /** Resolves once nothing is under way. Nothing starts until `resume`. */
  pause(): Promise<void>
  resume(): void
  /**
   * Rewrites every table and starts a new write-ahead log: rows removed before the call are in no file afterwards.
   * Rejects during `pause` and after `stop`; nothing is lost then, and the caller calls again.
   */
  rewrite(): Promise<void>
  stop(): Promise<void>
}

/**
 * The work of PostgreSQL's background processes, which a single session lacks. Without checkpoints the write-ahead log
 * grows without bound, and a restart repeats all of it; without vacuum, tables swell and the planner has no statistics.
 * Each statement takes a turn of its own.
 */
export const startHousekeeping = async (
  server: EmbeddedServer,
  complain: (error: Error) => void,
  { intervalMs, checkpointBytes, vacuumBytes }: HousekeepingOptions = DEFAULTS,
): Promise<Housekeeping> => {
  const walBytes = async () => Number((await server.run(WAL_BYTES))[0])
  let checkpointed = await walBytes()
  let vacuumed = checkpointed
  let round: Promise<void> = Promise.resolve()

  const look = async () => {
    const now = await walBytes()
    if (now - checkpointed >= checkpointBytes) {
      await server.run('checkpoint')
      checkpointed = now
    }
    if (now - vacuumed < vacuumBytes) return
    for (const table of await server.run(TABLES)) await server.run(`vacuum (analyze) ${table}`)
    vacuumed = now
  }

  let isPaused = false
  let isStopped = false
  const run: EmbeddedServer['run'] = (statement, priority) =>
    isStopped ? Promise.reject(new Error('the database is being stopped')) : server.run(statement, priority)
  const rewrite = async () => {
    if (isPaused) throw new Error('a backup is being made')
    await rewriteEverything({ run, quietMs: server.quietMs })
    checkpointed = await walBytes()
    vacuumed = checkpointed
  }
  const timer = setInterval(() => {
    if (!isPaused) round = round.then(look).catch(complain)
  }, timerMs(intervalMs))

  return {
    pause() {
      isPaused = true
      return round
    },
    resume() {
      isPaused = false
    },
    rewrite() {
      const rewritten = round.then(rewrite)
      round = rewritten.catch(() => {})
      return rewritten
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await round
    },
  }
}
