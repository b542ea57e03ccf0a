import { setTimeout } from 'node:timers/promises'
import type { EmbeddedServer } from './server.ts'

type Server = Pick<EmbeddedServer, 'run' | 'quietMs'>

/**
 * Small tables first. The statistics hold values of columns, therefore the two catalogue tables of statistics come
 * last, after everything was analyzed anew.
 */
const TABLES = `
  select quote_ident(relname) || ' ' || pg_total_relation_size(oid) as table from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace order by pg_total_relation_size(oid), relname`
const STATISTICS = ['pg_statistic', 'pg_statistic_ext_data'] as const

/**
 * A table above this size blocks the single session for a second or more, and waits for a quiet time about as long as
 * its rewrite: after such a pause a user is less likely to come during the rewrite.
 */
const LARGE_BYTES = 64 * 1024 * 1024
const QUIET_MS_A_LARGE = 1000
const LONGEST_WAIT_MS = 120_000
const POLL_MS = 100

const SEGMENTS = `select name from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$'`

/** Segment names have only hexadecimal digits, hence need no escaping. */
const listed = (names: readonly string[]): string => names.map(name => `'${name}'`).join(', ')

/**
 * Switches to new segments until no earlier segment is left, neither a written one nor one that waits to be overwritten
 * with its old content. Each switch uses up one of them.
 */
const beginLogAnew = async ({ run }: Server): Promise<void> => {
  const before = await run(SEGMENTS)
  // The engine writes checkpoints in this session, hence the setting applies to them.
  await run('set wal_recycle = off')
  try {
    for (let switched = 0; switched <= before.length; switched += 1) {
      // PostgreSQL does not switch an empty segment.
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
 * Deletes the statistics of a table and its indexes. Send it together with `analyze`, so that no plan is made without
 * statistics. Analyzing an emptied table would keep its old statistics.
 */
const forgetStatistics = (table: string): string => `
  delete from pg_statistic where starelid = '${table}'::regclass
    or starelid in (select indexrelid from pg_index where indrelid = '${table}'::regclass)`

const waitForQuiet = async ({ quietMs }: Server, bytes: number): Promise<void> => {
  const wantedMs = (bytes / LARGE_BYTES) * QUIET_MS_A_LARGE
  for (let waited = 0; waited < LONGEST_WAIT_MS && quietMs() < wantedMs; waited += POLL_MS) await setTimeout(POLL_MS)
}

/**
 * Rewrites every table with its indexes and long values, and removes the old files. Otherwise a deleted or changed row
 * stays in its page, in index keys, statistics and the write-ahead log until these are overwritten, perhaps never. The
 * states are: each table in turn (waiting for quiet when large, `vacuum full`, then new statistics), the catalogue of
 * statistics, then a new write-ahead log. Each statement takes a turn of its own with the lowest priority; the largest
 * table's is the longest. A crash leaves each table either old or new.
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
