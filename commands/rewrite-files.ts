import type { MadeBackup } from '../infra/backup/backup-socket.ts'
import { createByteSearch } from '../infra/backup/byte-search.ts'
import { searchFiles } from '../infra/backup/search-files.ts'
import { createPool } from '../infra/postgres/pool.ts'
import type { Transaction } from '../infra/postgres/port.ts'
import { LOCK_FILES } from '../infra/runtime/data-directory.ts'
import { logged } from '../infra/runtime/errors.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import type { Sealer } from '../infra/runtime/secrets.ts'
import { timerMs } from '../infra/runtime/timers.ts'
import type { RunningEngines } from '../infra/stores.ts'
import type { ProofLine } from '../model/erasures/erasures.ts'
import {
  excerptsInRows,
  finishRewrite,
  pendingRewrites,
  postponeRewrite,
  type Rewrite,
} from '../model/erasures/rewrites.ts'

interface Options {
  /** The engines of this process. */
  readonly engines: RunningEngines
  readonly sealer: Pick<Sealer, 'unseal'>
  readonly openBackup: () => Promise<MadeBackup>
  readonly logger: Logger
  /** Interval of checking for erasures, ms. */
  readonly pollMs?: number
}

const POLL_MS = 2000
/** For a table of a million rows, or a search of all rows for the excerpts of a hundred erasures, ms. */
const STATEMENT_MS = 600_000
/** Texts that are still found may be on their way, or a backup is being made: tried again after a minute. */
const AGAIN_MS = 60_000
/** Maximum of rewrites, after which the proof says what was still found. */
const MAX_TRIES = 5
/** After a round it pauses 20 times the round's duration: rounds take a twentieth of the time at most. */
const RESTS_TIMES = 20
const LONGEST_REST_MS = 600_000

/** The number of each excerpt's occurrences in a place. */
interface Finding {
  readonly store: 'files' | 'backup'
  readonly place: string
  readonly counts: readonly number[]
}

const inBackup = async (
  search: ReturnType<typeof createByteSearch>,
  { stream, stop }: MadeBackup,
): Promise<readonly number[]> => {
  try {
    return await search.count(stream)
  } finally {
    await stop()
  }
}

/**
 * Removes erased data from the files of embedded stores, and searches the files and a new backup for it. The log,
 * PostgreSQL and ClickHouse each rewrite their own files. A rewrite is
 * - pending: an erasure ended, or something else was removed for good. The row is in the database, so that a crash does
 *   not lose it;
 * - rewritten: all three stores rewrote their files, and files and backup were searched for the excerpts;
 * - postponed by a minute: something failed, or an excerpt was found. Back to pending;
 * - finished: nothing was found, or after five tries. The proof then lists the findings.
 *
 * Between rounds it pauses; until a rewrite is finished, its proof says that the files were not searched yet.
 */
export const startRewriting = (options: Options): { stop(): Promise<void> } => {
  const { engines, sealer, openBackup, logger, pollMs = POLL_MS } = options
  const { connection } = engines.postgres
  const pool = createPool({ connection, max: 1, priority: 'bulk', statementTimeoutMs: STATEMENT_MS, logger })
  const log = engines.log.openCopy()
  const owner: Transaction = {
    query: async <Row extends object>(statement: string, values: readonly unknown[] = []) =>
      (await pool.query<Row & Record<string, unknown>>(statement, [...values])).rows,
  }
  let isStopped = false
  let backup: MadeBackup | null = null
  let restsUntil = 0

  const search = async (excerpts: readonly string[]): Promise<readonly Finding[]> => {
    if (excerpts.length === 0) return []
    const bytes = createByteSearch(excerpts.map(excerpt => Buffer.from(excerpt, 'utf8')))
    // Without the lock files: the system drops the process' lock when the process closes a file that it opened again.
    const files = await searchFiles(engines.directory, bytes, LOCK_FILES)
    backup = await openBackup()
    if (isStopped) await backup.stop()
    const copied = await inBackup(bytes, backup)
    return [
      ...[...files].map(([place, counts]): Finding => ({ store: 'files', place, counts })),
      { store: 'backup', place: 'backup made afterwards', counts: copied },
    ]
  }

  /** The findings without excerpts that are in other rows. */
  const withoutOthers = async (excerpts: readonly string[], findings: readonly Finding[]) => {
    const found = excerpts.filter((_, index) => findings.some(({ counts }) => (counts[index] ?? 0) > 0))
    const alive = found.length === 0 ? new Set<string>() : await excerptsInRows(owner, found)
    return findings.map(finding => ({
      ...finding,
      counts: finding.counts.map((count, index) => (alive.has(excerpts[index] ?? '') ? 0 : count)),
    }))
  }

  const linesFor = (rewrite: Rewrite, excerpts: readonly string[], findings: readonly Finding[]) => {
    const own = new Set(rewrite.excerpts)
    const sum = (counts: readonly number[]) =>
      counts.reduce((all, count, index) => (own.has(excerpts[index] ?? '') ? all + count : all), 0)
    return findings.map(
      ({ store, place, counts }): ProofLine => ({ store, place, looked_for: 'texts', found: sum(counts) }),
    )
  }

  const rewrite = async (pending: readonly Rewrite[]): Promise<void> => {
    const begunAt = performance.now()
    await log.call('forget', { takenUpTo: Date.now() })
    await engines.postgres.rewrite()
    restsUntil = performance.now() + Math.min(RESTS_TIMES * (performance.now() - begunAt), LONGEST_REST_MS)
    await engines.clickhouse.forget()
    const excerpts = [...new Set(pending.flatMap(one => one.excerpts))]
    const findings = await withoutOthers(excerpts, await search(excerpts))
    for (const one of pending) {
      const lines = one.excerpts.length === 0 ? [] : linesFor(one, excerpts, findings)
      const isClean = lines.every(({ found }) => found === 0)
      if (isClean || one.tries + 1 >= MAX_TRIES) await finishRewrite(owner, one, lines)
      else await postponeRewrite(owner, one, AGAIN_MS)
    }
  }

  const look = async (): Promise<void> => {
    if (performance.now() < restsUntil) return
    const pending = await pendingRewrites(owner, sealer)
    if (pending.length === 0) return
    try {
      await rewrite(pending)
    } catch (error) {
      if (isStopped) return
      logger.warn(logged(error), 'What was erased could not be taken out of the files yet; it is tried again.')
      for (const one of pending) await postponeRewrite(owner, one, AGAIN_MS)
    }
  }

  let looking: NodeJS.Timeout
  const again = (): void => {
    looking = setTimeout(() => {
      look()
        .catch(error => !isStopped && logger.warn(logged(error), 'It could not be seen whether something was erased.'))
        .finally(() => !isStopped && again())
    }, timerMs(pollMs))
  }
  again()

  return {
    async stop() {
      isStopped = true
      clearTimeout(looking)
      await backup?.stop()
      log.close()
      await pool.end()
    },
  }
}
