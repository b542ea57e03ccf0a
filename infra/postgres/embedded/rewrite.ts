import { setTimeout } from 'node:timers/promises'
import type { EmbeddedServer } from './server.ts'

type Server = Pick<EmbeddedServer, 'run' | 'quietMs'>

/**
 * The small ones first. What `analyze` has learned of them has values of their columns, so the catalogue's two tables
 * of statistics come last, when everything was learned anew.
 */
const TABLES = `
  select quote_ident(relname) || ' ' || pg_total_relation_size(oid) as table from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace order by pg_total_relation_size(oid), relname`
const STATISTICS = ['pg_statistic', 'pg_statistic_ext_data'] as const

/**
 * A table of more bytes keeps the one session for a second or longer, so it waits for a quiet moment. Such a moment is
 * as long as its rewriting takes, about: who has not come for so long is less likely to come meanwhile.
 */
const LARGE_BYTES = 64 * 1024 * 1024
const QUIET_MS_A_LARGE = 1000
const LONGEST_WAIT_MS = 120_000
const POLL_MS = 100

const SEGMENTS = `select name from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$'`

/** Names of the write-ahead log's segments are digits alone. */
const listed = (names: readonly string[]): string => names.map(name => `'${name}'`).join(', ')

/**
 * Goes on in new segments, until none is left that was there before: neither one that was written nor one that waits to
 * be written over, with what it had before still in it. Each switch uses one of those up.
 */
const beginLogAnew = async ({ run }: Server): Promise<void> => {
  const before = await run(SEGMENTS)
  // The engine writes its checkpoints in this session, so the setting holds for them.
  await run('set wal_recycle = off')
  try {
    for (let switched = 0; switched <= before.length; switched += 1) {
      // A segment that nothing was written to is not switched.
      await run(`select pg_logical_emit_message(false, 'assay', '')`)
      await run('select pg_switch_wal()')
      await run('checkpoint')
      const left = await run(`${SEGMENTS} and name in (${listed(before)})`)
      if (left.length === 0) return
    }
  } finally {
    await run('reset wal_recycle')
  }
  throw new Error('the write-ahead log keeps segments of before')
}

/**
 * Statistics of a table and of what its indexes compute. To be sent together with `analyze`, so that nothing is planned
 * without: of a table that is empty by now, that would keep the statistics of what it had.
 */
const forgetStatistics = (table: string): string => `
  delete from pg_statistic where starelid = '${table}'::regclass
    or starelid in (select indexrelid from pg_index where indrelid = '${table}'::regclass)`

const waitForQuiet = async ({ quietMs }: Server, bytes: number): Promise<void> => {
  const wantedMs = (bytes / LARGE_BYTES) * QUIET_MS_A_LARGE
  for (let waited = 0; waited < LONGEST_WAIT_MS && quietMs() < wantedMs; waited += POLL_MS) await setTimeout(POLL_MS)
}

/**
 * Has PostgreSQL write every table anew, with its indexes and its long values, and remove the files that it had: a row
 * that was deleted or changed otherwise stays in its page, in the keys of indexes, in the statistics and in the
 * write-ahead log until something else is written there, which may be never. Each statement is a turn of its own,
 * behind everybody else's; the longest is that of the largest table. A crash leaves each table old or new.
 */
export const rewriteEverything = async (server: Server): Promise<void> => {
  for (const row of await server.run(TABLES)) {
    const [table = '', bytes] = row.split(' ')
    if (Number(bytes) > LARGE_BYTES) await waitForQuiet(server, Number(bytes))
    await server.run(`vacuum (full) ${table}`, 'bulk')
    await server.run(`${forgetStatistics(table)}; analyze ${table}`, 'bulk')
  }
  for (const table of STATISTICS) await server.run(`vacuum (full) pg_catalog.${table}`, 'bulk')
  await beginLogAnew(server)
}
