import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase } from '../infra/postgres/database.ts'
import { runningPostgres } from '../infra/postgres/embedded/socket-directory.ts'
import { assertPostgresMigrated } from '../infra/postgres/migrate.ts'
import { createPool, type PostgresConnection } from '../infra/postgres/pool.ts'
import type { Database } from '../infra/postgres/port.ts'
import type { ConfigOf } from '../infra/runtime/config.ts'
import { openDataDirectory } from '../infra/runtime/data-directory.ts'
import { AssayError, isAssayError } from '../infra/runtime/errors.ts'
import type { Program } from '../infra/runtime/program.ts'
import { EMBEDDED_CONFIG } from '../infra/runtime/program-config.ts'
import { STORES_CONFIG, startEmbeddedDatabase } from '../infra/stores.ts'

/** The settings by which an operator's command finds the installation's database. */
export const OPERATOR_CONFIG = { ...EMBEDDED_CONFIG, databaseUrl: STORES_CONFIG.databaseUrl }

type Means = Pick<Program, 'logger' | 'lifecycle'>

/**
 * Throws `invalid_configuration` for a directory without data of Assay: a new one would be empty. `engines` names the
 * settings for an installation elsewhere; null without any.
 */
export const assertKeepsData = (dataDirectory: string, engines: string | null): void => {
  if (existsSync(join(dataDirectory, 'lock'))) return
  const otherwise = engines === null ? '' : `, or ${engines} for an installation on engines of its own`
  const message = `There is no data of Assay in ${dataDirectory}. Set DATA_DIR to where it is${otherwise}.`
  throw new AssayError('invalid_configuration', message)
}

/** The embedded database: the one of a running Assay, or this process' own while none runs. */
const openEmbedded = async (dataDirectory: string, { logger, lifecycle }: Means): Promise<PostgresConnection> => {
  assertKeepsData(dataDirectory, 'DATABASE_URL')
  try {
    const data = await openDataDirectory(dataDirectory)
    lifecycle.onStop('the data directory', data.release)
    return await startEmbeddedDatabase({ data, logger, lifecycle })
  } catch (error) {
    if (!isAssayError(error) || error.code !== 'already_running') throw error
    const running = await runningPostgres(join(dataDirectory, 'postgres'))
    if (running === null) throw error
    return running
  }
}

/**
 * The database of DATABASE_URL, or the embedded one, whether or not an Assay runs on it. The lifecycle closes it.
 * Rejects with `unavailable` when it is away, lacks migrations, or was moved elsewhere.
 */
export const openOperatorDatabase = async (
  { databaseUrl, dataDirectory }: ConfigOf<typeof OPERATOR_CONFIG>,
  { logger, lifecycle }: Means,
): Promise<Database> => {
  const connection = databaseUrl ?? (await openEmbedded(dataDirectory, { logger, lifecycle }))
  const pool = createPool({ connection, max: 1, logger })
  const database = createDatabase(pool)
  lifecycle.onStop('the database’s pool', database.close)
  await assertPostgresMigrated(pool)
  return database
}

/**
 * A name for printing to a terminal: control and format characters of people's names must not move the cursor, reverse
 * a line or hide text.
 */
export const printable = (words: string): string => words.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\ufffd')
