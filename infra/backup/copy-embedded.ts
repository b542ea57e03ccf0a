import { copyFile, mkdir, readdir, readlink, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { EmbeddedClickHouse } from '../clickhouse/embedded/index.ts'
import type { RunningEmbeddedLog } from '../log/embedded/index.ts'
import type { EmbeddedPostgres } from '../postgres/embedded/index.ts'
import { createPool } from '../postgres/pool.ts'
import { AssayError } from '../runtime/errors.ts'
import { listEntries } from '../runtime/list-entries.ts'
import type { Logger } from '../runtime/logger.ts'
import { type Archive, KEY_FILES } from './archive.ts'

/**
 * Folders that PostgreSQL wants to find, and fills itself:
 * https://www.postgresql.org/docs/current/protocol-replication.html (BASE_BACKUP).
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
/** Beginning one writes a checkpoint. */
const STATEMENT_MS = 600_000

/** As the owner of the database, whom no row is hidden from. */
export type Query = <Row extends object>(statement: string) => Promise<readonly Row[]>

const isLeftOut = (path: string): boolean => LEFT_OUT.has(path) || EMPTIED.some(folder => path.startsWith(`${folder}/`))

/**
 * PostgreSQL's own online backup: the files in any state, and the write-ahead log from the beginning of the copy to its
 * end, which repairs them. It shows the moment of `cut`.
 */
const copyPostgres = async (postgres: EmbeddedPostgres, directory: string, logger: Logger) => {
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
    /** While everything goes on. */
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
    /** While the log stands still. */
    async cut(): Promise<void> {
      const [backup] = await query<{ labelfile: string; last: string }>(
        'select labelfile, pg_walfile_name(lsn) as last from pg_backup_stop(false)',
      )
      isBegun = false
      label = backup?.labelfile ?? ''
      last = backup?.last ?? ''
    },
    /** The segments up to the cut; later ones are none of this copy. */
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

/** Letters alone: ClickHouse writes others differently into the name of the folder. */
const FROZEN = 'assay_backup'
/** Which blocks were inserted: what comes again with one of these tokens is not inserted twice. */
const TOKENS = /^store\/[^/]+\/[^/]+\/deduplication_logs\/[^/]+$/
/** What a table is, beside its data. */
const DEFINITIONS = /^store\/.*(\.sql|\/format_version\.txt)$/

/** ClickHouse's `FREEZE`: parts of tables never change, so links to them are a copy. It shows the moment of `cut`. */
const copyClickHouse = (clickhouse: Pick<EmbeddedClickHouse, 'freeze'>, directory: string) => {
  const frozen = join(directory, 'shadow', FROZEN)
  const end = () => rm(frozen, { recursive: true, force: true })
  return {
    /** While the log stands still. */
    async cut(): Promise<void> {
      await end()
      await clickhouse.freeze(FROZEN)
      for (const { entry, path } of await listEntries(join(directory, 'store'))) {
        const place = relative(directory, path)
        if (!(entry.isFile() && TOKENS.test(place))) continue
        await mkdir(dirname(join(frozen, place)), { recursive: true })
        await copyFile(path, join(frozen, place))
      }
    },
    /** While everything goes on. */
    async files(archive: Archive): Promise<void> {
      for (const { entry, path } of await listEntries(join(directory, 'metadata'))) {
        const name = `clickhouse/${relative(directory, path)}`
        if (entry.isSymbolicLink()) archive.link(name, await readlink(path))
        else if (entry.isDirectory()) archive.directory(name)
        else await archive.file(name, path)
      }
      for (const { entry, path } of await listEntries(join(directory, 'store'))) {
        const place = relative(directory, path)
        if (entry.isFile() && DEFINITIONS.test(place)) await archive.file(`clickhouse/${place}`, path)
      }
      for (const { entry, path } of await listEntries(frozen))
        if (entry.isFile()) await archive.file(`clickhouse/${relative(frozen, path)}`, path)
    },
    end,
  }
}

/** The three embedded stores of one process. */
export interface EmbeddedEngines {
  readonly log: Pick<RunningEmbeddedLog, 'openCopy'>
  readonly postgres: EmbeddedPostgres
  readonly clickhouse: Pick<EmbeddedClickHouse, 'freeze'>
  /** The data directory. */
  readonly directory: string
  readonly logger: Logger
}

interface Cut<Facts> {
  readonly facts: Facts
  readonly at: Date
  readonly heldMs: number
  readonly logRecords: number
}

/**
 * Copies the three stores while they work, as a kill of the process at one moment would have left them. For that moment
 * the log stands still: nothing is accepted, and no step says that it is done, while the two databases are cut one
 * after the other. What they have that the log does not know of is then done again when the copy is started, as after a
 * kill, and every write is made for that.
 */
export const copyEmbedded = async <Facts>(
  { log, postgres, clickhouse, directory, logger }: EmbeddedEngines,
  archive: Archive,
  look: (query: Query) => Promise<Facts>,
): Promise<Cut<Facts>> => {
  const logCopy = log.openCopy()
  const activity = copyClickHouse(clickhouse, join(directory, 'clickhouse'))
  const ends: (() => Promise<unknown>)[] = [() => logCopy.close(), activity.end]
  try {
    ends.unshift(() => logCopy.call('copy_end', null))
    await logCopy.call('copy_begin', null)
    const database = await copyPostgres(postgres, join(directory, 'postgres'), logger)
    ends.unshift(database.end)
    await database.files(archive)
    await archive.file('log/log.sqlite', join(directory, 'log/log.sqlite'))

    // Before it, so that an erasure that it names is in the copy; not while everybody waits.
    const facts = await look(database.query)
    const begun = performance.now()
    const { walBytes, records } = await logCopy.call('copy_hold', null)
    await database.cut()
    await activity.cut()
    const at = new Date()
    if (!(await logCopy.call('copy_release', null)))
      throw new AssayError('unavailable', 'The stores took too long to stand still. Make the backup at a quieter time.')
    const heldMs = Math.ceil(performance.now() - begun)

    await database.writeAheadLog(archive)
    await archive.file('log/log.sqlite-wal', join(directory, 'log/log.sqlite-wal'), walBytes)
    await activity.files(archive)
    for (const file of KEY_FILES) await archive.file(file, join(directory, file))
    return { facts, at, heldMs, logRecords: records }
  } finally {
    for (const end of ends) await end().catch(() => {})
  }
}
