import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { EmbeddedPostgres } from '../postgres/embedded/index.ts'
import { createPool } from '../postgres/pool.ts'
import { listEntries } from '../runtime/list-entries.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Archive } from './archive.ts'

/**
 * Folders that PostgreSQL needs empty: https://www.postgresql.org/docs/current/protocol-replication.html (BASE_BACKUP).
 */
const EMPTIED = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts'])
const CONTROL = 'global/pg_control'
const SEGMENT = /^[0-9A-F]{24}$/
/** Statement limit, ms: starting a backup writes a checkpoint. */
const STATEMENT_MS = 600_000

/** Queries as the owner of the database, who sees all rows. */
export type Query = <Row extends object>(statement: string) => Promise<readonly Row[]>

const isLeftOut = (path: string): boolean => LEFT_OUT.has(path) || EMPTIED.some(folder => path.startsWith(`${folder}/`))

/**
 * PostgreSQL's online backup: files in any state, and the write-ahead log from the start to the end of the copy, which
 * repairs them. Shows the moment of `cut`.
 */
export const copyPostgres = async (
  postgres: Pick<EmbeddedPostgres, 'connection' | 'holdCheckpoints'>,
  directory: string,
  logger: Logger,
) => {
  const tidy = await postgres.holdCheckpoints()
  const pool = createPool({ connection: postgres.connection, max: 1, statementTimeoutMs: STATEMENT_MS, logger })
  const query: Query = async <Row extends object>(statement: string) => (await pool.query<Row>(statement)).rows
  let isBegun = false
  const end = async () => {
    tidy()
    if (isBegun) await query('select pg_backup_stop(false)').catch(() => {})
    await pool.end()
  }
  try {
    await query("select pg_backup_start('assay', true)")
    isBegun = true
  } catch (error) {
    await end()
    throw error
  }
  let label = ''
  let last = ''

  return {
    /** Call during normal work. */
    async files(archive: Archive): Promise<void> {
      const entries = (await listEntries(directory)).map(({ entry, path }) => ({
        entry,
        place: relative(directory, path),
      }))
      for (const { entry, place } of entries)
        if (entry.isDirectory() && !isLeftOut(place)) archive.directory(`postgres/${place}`)
      archive.directory('postgres/pg_wal/archive_status')
      archive.directory('postgres/pg_wal/summaries')
      for (const { entry, place } of entries)
        if (entry.isFile() && !isLeftOut(place) && place !== CONTROL)
          await archive.file(`postgres/${place}`, join(directory, place))
      await archive.file(`postgres/${CONTROL}`, join(directory, CONTROL))
    },
    query,
    /** Call while the log is held. */
    async cut(): Promise<void> {
      const [backup] = await query<{ labelfile: string; last: string }>(
        'select labelfile, pg_walfile_name(lsn) as last from pg_backup_stop(false)',
      )
      isBegun = false
      label = backup?.labelfile ?? ''
      last = backup?.last ?? ''
    },
    /** The segments up to the cut; later ones are left out. */
    async writeAheadLog(archive: Archive): Promise<void> {
      const first = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1]
      if (first === undefined) throw new Error('PostgreSQL did not say where its backup begins')
      for (const name of (await readdir(join(directory, 'pg_wal'))).sort())
        if (SEGMENT.test(name) && name >= first && name <= last)
          await archive.file(`postgres/pg_wal/${name}`, join(directory, 'pg_wal', name))
      archive.bytes('postgres/backup_label', label)
    },
    end,
  }
}
