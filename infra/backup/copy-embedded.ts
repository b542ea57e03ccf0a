import { join } from 'node:path'
import type { EmbeddedClickHouse } from '../clickhouse/embedded/index.ts'
import type { RunningEmbeddedLog } from '../log/embedded/index.ts'
import type { EmbeddedPostgres } from '../postgres/embedded/index.ts'
import { AssayError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { type Archive, KEY_FILES } from './archive.ts'
import { copyClickHouse } from './copy-clickhouse.ts'
import { copyPostgres, type Query } from './copy-postgres.ts'

/** The three embedded stores of a process. */
export interface EmbeddedEngines {
  readonly log: Pick<RunningEmbeddedLog, 'openCopy'>
  readonly postgres: Pick<EmbeddedPostgres, 'connection' | 'holdCheckpoints'>
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
 * Copies the three stores during normal work, as a kill of the process at one moment would leave them. At that moment
 * the log is held: it accepts nothing, and no step commits, while both databases are cut one after another. Work that
 * the databases have and the log does not is done again after a start from the copy, as after a kill; every write
 * allows for that.
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

    // Before the hold, so that a named erasure is in the copy, and nobody waits for the query.
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
